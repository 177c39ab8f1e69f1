import {
  App,
  type AuthorizeSourceData,
  type Context,
  type Receiver,
  type ReceiverEvent,
  type SocketModeReceiver,
} from '@slack/bolt'
import { nodesIn, textIn } from '../messages/nodes.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Source } from '../workspaces/workspaces.ts'

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
  /** The workspace that an event is for; undefined if the bot does not serve it. Rejects when that cannot be known now. */
  readonly find: (source: Source) => Promise<Workspace | undefined>
  /** Reports that events of a workspace are ignored. */
  readonly ignored: (team: string) => void
  readonly clientOptions: NonNullable<ConstructorParameters<typeof App>[0]>['clientOptions'] & {}
}

/** The event of a workspace without the bot is acknowledged and ignored. */
class NotServed extends Error {
  readonly team: string

  constructor(team: string) {
    super(`the workspace ${team} is not served`)
    this.team = team
  }
}

/** With `authorize`, Bolt does not call auth.test itself, where its error would not be caught. */
export function createBoltApp({ receiver, find, ignored, clientOptions }: BoltOptions): App {
  const { logger, ...rest } = clientOptions
  const app = new AcknowledgingApp({
    receiver,
    async authorize(given, body) {
      const source = sourceOf(given, body)
      const workspace = await find(source)
      if (!workspace) throw new NotServed(source.team)
      const { botId, user, team } = workspace.account
      return { botId, botUserId: user, teamId: team, [WORKSPACE]: workspace }
    },
    clientOptions: rest,
    ...(logger && { logger }),
    // Own messages are recorded too, once: the kernel recognises them by their author.
    ignoreSelf: false,
    convoStore: false,
  })
  app.error(async error => {
    const cause = error.original ?? error
    if (!(cause instanceof NotServed)) throw cause
    ignored(cause.team)
  })
  return app
}

const WORKSPACE = 'workspace'

/** The workspace of an event that a listener gets. */
export function workspaceOf(context: Context): Workspace {
  return context[WORKSPACE]
}

/**
 * An app in several workspaces gets the events of all. In a channel that is shared with other organizations, `team_id` is where the
 * message was written, and `authorizations` names the installation that gets the event. An org-wide installation has no workspace
 * of its own there. https://docs.slack.dev/apis/events-api/#authorizations
 */
function sourceOf({ teamId, enterpriseId, isEnterpriseInstall }: AuthorizeSourceData<boolean>, body: object | undefined): Source {
  const { authorizations, context_team_id }: { authorizations?: unknown; context_team_id?: unknown } = body ?? {}
  const [{ team_id } = {}] = nodesIn(authorizations)
  const team = textIn(team_id) || textIn(context_team_id) || teamId || ''
  return { team, ...(isEnterpriseInstall && enterpriseId && { org: enterpriseId }) }
}
