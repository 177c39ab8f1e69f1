/** One workspace of the emulator, and what people do in it. */
import { createCommands } from '../commands.ts'
import type { Delivery, SlackOrigin } from '../delivery.ts'
import { createEvents, type SlackEvent } from '../events.ts'
import type { Methods } from '../methods.ts'
import { createPeople, type People } from '../people.ts'
import type { Desk, SlackCall } from '../server.ts'
import { createSurfaces, createViews, type Shown, type Surfaces } from '../surfaces.ts'
import { createMethods } from '../web-api.ts'
import type { Workspace } from '../workspace.ts'

/** A message of the bot, as Slack stores it. */
export interface SlackPosted {
  readonly ts: string
  readonly channel: string
  readonly thread?: string
  readonly text: string
}

/** An entry of a channel, as people see it. */
export interface SlackSeen {
  readonly author: string
  readonly text: string
  /** Name of the only person who sees it. Absent: everybody in the channel. */
  readonly onlyFor?: string
}

/** A workspace of the emulator. */
export interface SlackTeam extends People, Surfaces {
  /** Id of the workspace. */
  readonly id: string
  /** The latest bot token of the workspace or of its organization. Empty: the app was never installed. */
  readonly botToken: string
  /** Messages that the bot has posted, oldest first. */
  readonly posted: readonly SlackPosted[]
  /** Slack's names of the bot's reactions, oldest first. */
  readonly reactions: readonly string[]
  /** Entries of a channel and its threads, oldest first: messages, slash commands, and responses to these. */
  seen(channel: string): readonly SlackSeen[]
  /** Assistant status of the bot in a channel, such as "is thinking…". Empty when there is none. */
  status(channel: string): string
  /** Delivers an arbitrary event. */
  event(event: SlackEvent, from?: SlackOrigin): Promise<void>
  /** An admin removes the app from the workspace, or from the whole organization. `quietly`: the events of it are lost. */
  uninstall(how?: { readonly quietly?: boolean }): Promise<void>
}

/** A workspace with the parts that the server needs. */
export interface Team {
  readonly slack: SlackTeam
  readonly workspace: Workspace
  readonly methods: Methods
  readonly commands: Desk
}

export interface TeamOptions {
  readonly workspace: Workspace
  readonly delivery: Delivery
  readonly calls: readonly SlackCall[]
  readonly keepsMetadata: boolean
  readonly mostMessages: number
  readonly tokens: {
    readonly latest: () => string
    /** Slack refuses the tokens of the installation from now on. */
    readonly refuse: () => void
  }
}

export function createTeam({ workspace, delivery, calls, tokens, ...options }: TeamOptions): Team {
  const { bot, channels } = workspace
  const events = createEvents(workspace)
  const commands = createCommands(workspace, delivery)
  const shown: Shown = { homes: new Map(), forms: [], panes: new Map(), triggers: new Set() }
  // Slack responds to the call and sends the event of the message, in no fixed order.
  const emit = (event: SlackEvent) => void delivery.event(event).catch(() => {})

  const slack: SlackTeam = {
    ...createPeople({ workspace, events, delivery, commands }),
    ...createSurfaces({ workspace, events, delivery, respondTo: commands.respondTo, shown }),
    id: workspace.team,
    get botToken() {
      return tokens.latest()
    },
    get posted() {
      return Array.from(channels.values())
        .flatMap(channel =>
          channel.messages
            .filter(({ user, subtype }) => user === bot.id && subtype === undefined)
            .map(message => ({ channel, message })),
        )
        .sort((one, other) => Number(one.message.ts) - Number(other.message.ts))
        .map(({ channel, message: { ts, text, thread_ts } }) => ({
          ts,
          channel: channel.name,
          ...(thread_ts !== undefined && { thread: thread_ts }),
          text,
        }))
    },
    get reactions() {
      const own = calls.filter(({ team }) => team === workspace.team)
      return own.flatMap(({ method, args }) => (method === 'reactions.add' && args.name !== undefined ? [args.name] : []))
    },
    seen(name) {
      const { messages, notes } = workspace.channel(name)
      const said = messages.map(({ ts, user, text }) => ({ ts, author: workspace.users.get(user)?.name ?? user, text }))
      return [...said, ...notes].sort((one, other) => Number(one.ts) - Number(other.ts)).map(({ ts: _, ...seen }) => seen)
    },
    status(name) {
      const { id } = workspace.channel(name)
      return Array.from(workspace.statuses).find(([key]) => key.startsWith(`${id}/`))?.[1] ?? ''
    },
    event: delivery.event,

    async uninstall({ quietly = false } = {}) {
      tokens.refuse()
      if (quietly) return
      await delivery.event({ type: 'tokens_revoked', tokens: { oauth: [], bot: [bot.id] } })
      await delivery.event({ type: 'app_uninstalled' })
    },
  }

  const methods = { ...createMethods({ workspace, events, emit, ...options }), ...createViews(workspace, shown) }
  return { slack, workspace, commands, methods }
}
