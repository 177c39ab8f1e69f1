import { App, type Receiver, type ReceiverEvent, type SocketModeReceiver } from '@slack/bolt'
import type { Self } from '../web-api/account.ts'

/**
 * Bolt acknowledges an event before its listeners run, so an event that they cannot store would be lost. Here the listeners
 * run first; if they fail, there is no acknowledgement, and Slack sends the event again.
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

/** With `authorize`, Bolt does not call auth.test itself, where its error would not be caught. */
export function createBoltApp({ receiver, botToken, self, clientOptions }: BoltOptions): App {
  const { logger, ...rest } = clientOptions
  const app = new AcknowledgingApp({
    receiver,
    authorize: async () => ({ botToken, botId: self().botId, botUserId: self().me.id, teamId: self().team }),
    clientOptions: rest,
    ...(logger && { logger }),
    // Own messages are recorded too, once: the kernel recognises them by their author.
    ignoreSelf: false,
    convoStore: false,
  })
  app.error(async error => {
    throw error
  })
  return app
}
