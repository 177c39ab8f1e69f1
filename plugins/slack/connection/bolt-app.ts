import { App, type Receiver, type ReceiverEvent, type SocketModeReceiver } from '@slack/bolt'
import type { Self } from '../web-api/account.ts'

/**
 * Bolt acknowledges an event before its listeners run, and what they lose then is lost for good. Here it is
 * acknowledged once they are done; when they fail it is not, and Slack sends it again.
 */
export class AcknowledgingApp extends App {
  override async processEvent({ ack, ...event }: ReceiverEvent): Promise<void> {
    let answer: unknown
    await super.processEvent({
      ...event,
      ack: async response => {
        answer = response
      },
    })
    await ack(answer)
  }
}

export interface BoltOptions {
  readonly receiver: Receiver | SocketModeReceiver
  readonly botToken: string
  readonly self: () => Self
  readonly clientOptions: NonNullable<ConstructorParameters<typeof App>[0]>['clientOptions'] & {}
}

/** With `authorize` given, Bolt does not call auth.test by itself, where nobody would catch its failure. */
export function createBoltApp({ receiver, botToken, self, clientOptions }: BoltOptions): App {
  const { logger, ...rest } = clientOptions
  const app = new AcknowledgingApp({
    receiver,
    authorize: async () => ({ botToken, botId: self().botId, botUserId: self().me.id, teamId: self().team }),
    clientOptions: rest,
    ...(logger && { logger }),
    // Its own messages are recorded too, once: the kernel knows them by their author.
    ignoreSelf: false,
    convoStore: false,
  })
  app.error(async error => {
    throw error
  })
  return app
}
