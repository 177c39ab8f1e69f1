import { App, type Receiver, type ReceiverEvent, type SocketModeReceiver } from '@slack/bolt'
import type { Logger } from 'kikimimi'
import { nodesIn } from '../messages/nodes.ts'
import type { Self } from '../web-api/account.ts'

/**
 * Bolt acknowledges an event before its listeners run, so an event that they cannot store would be lost. Here the listeners
 * run first; if they fail, there is no acknowledgement, and Slack sends the event again.
 */
export class AcknowledgingApp extends App {
  readonly #isForeign: (body: ReceiverEvent['body']) => boolean

  constructor(options: ConstructorParameters<typeof App>[0], isForeign: (body: ReceiverEvent['body']) => boolean) {
    super(options)
    this.#isForeign = isForeign
  }

  override async processEvent({ ack, ...event }: ReceiverEvent): Promise<void> {
    if (this.#isForeign(event.body)) return ack()
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
  readonly log: Pick<Logger, 'warn'>
  readonly clientOptions: NonNullable<ConstructorParameters<typeof App>[0]>['clientOptions'] & {}
}

/** With `authorize`, Bolt does not call auth.test itself, where its error would not be caught. */
export function createBoltApp({ receiver, botToken, self, log, clientOptions }: BoltOptions): App {
  const { logger, ...rest } = clientOptions
  const complained = new Set<string>()

  function isForeign(body: ReceiverEvent['body']): boolean {
    const team = foreignTeam(body, self().team)
    if (team === undefined) return false
    if (complained.size < COMPLAINTS && !complained.has(team)) {
      complained.add(team)
      log.warn(`an event of the workspace ${team} was ignored: the bot token belongs to another one`, { team: self().team })
    }
    return true
  }

  const app = new AcknowledgingApp(
    {
      receiver,
      authorize: async () => ({ botToken, botId: self().botId, botUserId: self().me.id, teamId: self().team }),
      clientOptions: rest,
      ...(logger && { logger }),
      // Own messages are recorded too, once: the kernel recognises them by their author.
      ignoreSelf: false,
      convoStore: false,
    },
    isForeign,
  )
  app.error(async error => {
    throw error
  })
  return app
}

/** Number of workspaces that are named in the log. */
const COMPLAINTS = 20

/**
 * The other workspace whose event this is. An app in several workspaces gets the events of all, and one token is for one of them.
 * A channel that is shared with other organizations has the events of each: https://docs.slack.dev/apis/events-api/#authorizations
 */
function foreignTeam(body: ReceiverEvent['body'], own: string): string | undefined {
  const [{ team_id: team = body.team_id, is_enterprise_install } = {}] = nodesIn(body.authorizations)
  const isShared = body.is_ext_shared_channel === true || is_enterprise_install === true
  return own !== '' && typeof team === 'string' && team !== own && !isShared ? team : undefined
}
