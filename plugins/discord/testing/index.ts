/**
 * A Discord server in the process of the test: gateway and REST on a loopback port, for the real discord.js.
 * The test acts for people, reads what they see, and plans faults.
 *
 * @example
 * await using discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general'] }] })
 * const bot = await startBot({ …, plugins: [discordPlugin({ token: discord.token, apiUrl: discord.apiUrl })] })
 * discord.say({ author: 'alice', text: 'hello @kiki' })
 * await discord.until(() => discord.posted.length > 0)
 */
import type { AddressInfo } from 'node:net'
import {
  type APIApplicationCommandInteractionDataOption,
  type APIEmbed,
  ApplicationFlags,
  GatewayDispatchEvents,
  MessageFlags,
} from 'discord-api-types/v10'
import type { RegisteredCommand } from './commands.ts'
import { buttonsOf } from './components.ts'
import { inGuild } from './data.ts'
import { type Call, createFaults, type Fault } from './faults.ts'
import { type Cut, createGateway, type Refused } from './gateway.ts'
import type { Deadlines, Interaction } from './interactions.ts'
import { createLimits, type Limit } from './limits.ts'
import { addChannel, type CHANNEL_TYPES, createPeople } from './people.ts'
import type { Permission } from './permissions.ts'
import { createRoutes, type Reaction } from './routes.ts'
import { createRestServer, type File } from './server.ts'
import type { Shows } from './shows.ts'
import { createVoice, type VoiceEmulator } from './voice/voice.ts'
import { type Channel, createWorld } from './world.ts'

export type { Call, Cut, Fault, Interaction, Limit, Permission, Reaction, Refused, Shows, VoiceEmulator }

export interface DiscordOptions {
  /** Account of the bot. Default: kiki. */
  readonly bot?: { readonly id?: string; readonly name: string }
  /** Token that the server accepts. Default: a made-up one, in {@link DiscordEmulator.token}. */
  readonly token?: string
  /** Default: one guild, `team`, with the channel `general`. */
  readonly guilds?: readonly GuildOptions[]
  /** Number of shards that the server recommends. Default 1. The first guild belongs to shard 0, the next one to shard 1, and so on. */
  readonly shards?: number
  /** Identify concurrency: of this many shards one may identify within five seconds, others are refused. Default: unlimited. */
  readonly maxConcurrency?: number
  /** Flags of the application, which tell its privileged intents. Default: Message Content. */
  readonly flags?: number
  /** How long a typing indicator is shown, in milliseconds. Default 10_000, as in Discord. */
  readonly typingMs?: number
  /** Time between heartbeats, in milliseconds. A client that misses two is disconnected. Default 41_250, as in Discord. */
  readonly heartbeatMs?: number
  /** Time limits of slash commands. Default: those of Discord. */
  readonly deadlines?: Deadlines
}

export interface GuildOptions {
  readonly name: string
  /** Channels, by the name of a text channel or with details. Default: `general`. */
  readonly channels?: readonly (string | ChannelOptions)[]
  /** Names of the guild's own emoji. */
  readonly emojis?: readonly string[]
  /** Names of further roles, besides `@everyone` and the bot's own role. */
  readonly roles?: readonly string[]
}

export interface ChannelOptions {
  readonly name: string
  /** Default `text`. */
  readonly type?: keyof typeof CHANNEL_TYPES
  /** `@everyone` lacks the permission to view it. */
  readonly private?: boolean
  /** The bot lacks the permission to view it, too. */
  readonly hidden?: boolean
  /** Names of roles that may view a private channel, and of roles that may not view a channel. */
  readonly shownTo?: readonly string[]
  readonly hiddenFrom?: readonly string[]
  /** A voice channel that people may not join, and so may not read. */
  readonly locked?: boolean
  /** Permissions that the bot lacks in the channel and its threads. */
  readonly denied?: readonly Permission[]
  /** Seconds between two messages of one author. */
  readonly slowMode?: number
  readonly topic?: string
  /** Names of the tags of a forum. */
  readonly tags?: readonly string[]
}

export interface Said extends Shows {
  /** Id of the message. Default: a new one. */
  readonly id?: string
  /** Name of the author. A new name creates a new person. */
  readonly author: string
  /** `@kiki` and `@alice` mention people by name, `@&crew` mentions a role, `@everyone` everybody. */
  readonly text: string
  /** Id or name of the channel. Default: the first one. */
  readonly channel?: string
  readonly replyTo?: string
  /** Files with `data` can be fetched from this server. `url` refers to a file elsewhere. */
  readonly attachments?: readonly {
    readonly name: string
    readonly type?: string
    readonly data?: Uint8Array
    readonly url?: string
  }[]
  /** The author is another bot. */
  readonly bot?: boolean
  /** The author has a role that may manage the guild. */
  readonly admin?: boolean
  /** The bot gets no event, as for messages from before its invitation. */
  readonly unheard?: boolean
}

/** A use of a slash command. */
export interface Used {
  readonly author: string
  readonly name: string
  /**
   * What the person writes after the name. Of a registered command with subcommands, the first word selects one and the next words fill its
   * fields; any other text goes into the first subcommand with a required field.
   */
  readonly text: string
  /** The fields as a client with another definition of the command sends them. Default: those of the registered command. */
  readonly fields?: readonly APIApplicationCommandInteractionDataOption[]
  readonly channel?: string
  /** The bot is no member: a channel of another server, a group, or a direct conversation with another person. */
  readonly elsewhere?: 'server' | 'group' | 'direct'
  /** The author may manage the channel, and no other. */
  readonly moderator?: boolean
  /** The author has a role that may manage the guild. */
  readonly admin?: boolean
  /** Locale of the author's client. Default `en-US`. */
  readonly locale?: string
  /** The author is still typing: Discord requests autocompletion. */
  readonly typing?: boolean
}

/** What the person who presses a button may do, and their language. */
export type Rights = Pick<Used, 'moderator' | 'admin' | 'locale'>

/** A message of the bot, as people see it. */
export interface Posted {
  readonly id: string
  readonly channel: string
  readonly text: string
  readonly replyTo?: string
  /** Whether it notified `@everyone`. */
  readonly everyone: boolean
  /** The name and the picture over it, where it is a message of a webhook of the bot. */
  readonly as?: { readonly name: string; readonly picture?: string }
  /** The labels of its buttons. Absent: it has none. */
  readonly buttons?: readonly string[]
}

export interface DiscordEmulator extends AsyncDisposable {
  readonly apiUrl: string
  readonly token: string
  readonly bot: { readonly id: string; readonly name: string }
  /** Every call of the REST API, oldest first, and every gateway command, with the path `/gateway`. */
  readonly calls: readonly Call[]
  /** Visible messages of the bot, oldest first. */
  readonly posted: readonly Posted[]
  readonly reactions: readonly Reaction[]
  /** Slash commands that the bot has registered. */
  readonly commands: readonly unknown[]
  /** Number of connected shards. */
  readonly online: number
  /** Posts a message of a person, and returns its id. */
  say(said: Said): string
  /** Delivers the event of a message or a command a second time. */
  redeliver(id: string): void
  edit(message: string, text: string): void
  /** Adds the previews of the links in a message, as Discord does a moment after it was posted. */
  unfurl(message: string, embeds: readonly Omit<APIEmbed, 'type'>[]): void
  /** Votes for an answer of a poll: 1 is the first. */
  vote(message: string, author: string, answer: number, removed?: boolean): void
  /** Ends a poll, and posts the notice with its result. */
  endPoll(message: string, result: { readonly winner: string; readonly votes: number }): void
  pin(message: string, author: string): void
  unpin(message: string): void
  /** A person joins the guild, which a notice in the first channel tells. */
  join(author: string): void
  delete(message: string): void
  /** Deletes messages of one channel at once, as a moderation bot does. */
  deleteMany(messages: readonly string[]): void
  /** Adds a reaction of a person: `👍`, or `:party:` for one of the guild's own emoji. */
  react(message: string, author: string, emoji: string): void
  unreact(message: string, author: string, emoji: string): void
  /** Removes all reactions of a message as a moderator, or all with one emoji. */
  clearReactions(message: string, emoji?: string): void
  /** Creates a channel in the first guild, and returns its id. */
  channel(options: ChannelOptions): string
  /** Deletes a channel or a thread, by id or name. */
  deleteChannel(channel: string): void
  /** Creates a thread, or a post in a forum channel, and returns its id. */
  thread(thread: {
    readonly channel: string
    readonly name: string
    readonly private?: boolean
    /** Default: alice. */
    readonly author?: string
    /** The id of the message that the thread hangs on. */
    readonly from?: string
    /** The text of a forum post. */
    readonly text?: string
    /** Names of the tags of a forum post. */
    readonly tags?: readonly string[]
  }): string
  /** Archives a thread, until a person or the bot writes in it. A locked one stays closed to the bot. */
  archive(thread: string, how?: { readonly locked?: boolean }): void
  /** Changes a channel or a thread. */
  change(channel: string, to: { readonly name?: string; readonly topic?: string }): void
  /** A person of the first guild gets a role, or loses it. Without the Server Members intent no event says so. */
  role(author: string, name: string, has?: boolean): void
  /** Renames a role of the first guild. */
  renameRole(name: string, to: string): void
  deleteRole(name: string): void
  /** Renames the first guild. */
  renameGuild(name: string): void
  /** Begins or ends an outage of the first guild. */
  outage(isDown: boolean): void
  /** The bot is removed from the first guild. */
  leave(): void
  /** A person takes no more direct messages from the bot. */
  closeDirect(author: string): void
  /** Grants the bot permissions: by an overwrite of the first channel, by its role, or by a further role. */
  permit(by: 'channel' | 'role' | 'member'): void
  /** The id of a channel. */
  id(channel: string): string
  /** A new id, later than those of all messages. */
  snowflake(): string
  /** Returns the id of a person's direct message channel with the bot. */
  direct(author: string): string
  /** Deletes all webhooks of a channel, as a moderator can. */
  deleteWebhooks(channel: string): void
  /** Uses a slash command, and returns what the author sees of it. */
  command(used: Used): Interaction
  /** Presses a button of a message, and returns what the person sees of it. The message needs no such button. */
  press(message: string, author: string, customId: string, rights?: Rights): Interaction
  /** A person chooses an entry of the menu of a message. */
  useMenu(message: string, author: string, name: string, rights?: Rights): Interaction
  /** Whether the bot's typing indicator is shown in a channel. Default: the first one. */
  typing(channel?: string): boolean
  /** Voice channels: who is in them, and what is said. */
  readonly voice: VoiceEmulator
  /** Ends the gateway connection. */
  cut(how: Cut): void
  /** Refuses the next `times` (default 1) identifies, with a close code or an invalid session (op 9). */
  refuse(how: Refused, times?: number): void
  /** Makes the next `times` (default 1) calls of a route fail. @param route `POST /channels/:id/messages`, `GET *`, `* *` */
  fail(route: string, fault: Fault, times?: number): void
  /** Sets a rate limit for each channel. Without one, responses have no headers about limits. @param route see {@link DiscordEmulator.fail} */
  limit(route: string, limit: Limit): void
  /** Sets a limit of all calls together, without those that answer commands. */
  limitAll(limit: Limit): void
  /** Recommends another number of shards, and refuses a smaller one if it is `required`. */
  reshard(shards: number, how?: { readonly required?: boolean }): void
  /** Whether messages have their content. Discord withholds it from an application whose intent was switched off. */
  content(isOn: boolean): void
  /** While down, the server destroys all connections and accepts none. */
  down(isDown: boolean): void
  /** Waits until the condition holds. The time limit of the test ends the wait. */
  until(holds: () => boolean): Promise<void>
  close(): Promise<void>
}

/** Starts the server on a free loopback port. `close`, or `await using`, ends it. */
export async function startDiscord(options: DiscordOptions = {}): Promise<DiscordEmulator> {
  const { bot = { name: 'kiki' }, guilds = [{ name: 'team', channels: ['general'] }], typingMs = 10_000 } = options
  const { maxConcurrency, flags = ApplicationFlags.GatewayMessageContentLimited, heartbeatMs = 41_250, deadlines = {} } = options
  const token = options.token ?? 'MTA.a-token.that-opens-only-this'
  const world = createWorld({ id: bot.id ?? '100000000000000001', name: bot.name })
  const calls: Call[] = []
  const reactions: Reaction[] = []
  const commands: RegisteredCommand[] = []
  const interactions = new Map<string, Interaction>()
  const files = new Map<string, File>()
  const faults = createFaults()
  const limits = createLimits()
  let isDown = false
  let hasContent = true
  let { shards = 1 } = options

  const gateway = createGateway({
    ...{ world, token, calls, maxConcurrency, flags, heartbeatMs },
    url: () => `ws://127.0.0.1:${port}`,
    moveBot: (guild, channel) => voice.moveBot(guild, channel),
    hasContent: () => hasContent,
  })
  const { dispatch } = gateway
  const voice = createVoice({ world, dispatch })
  const announce = (channel: Channel, message: { readonly id: string }) =>
    dispatch(GatewayDispatchEvents.MessageCreate, { ...message, ...inGuild(channel), channel_type: channel.type }, channel.guild)
  const answer = createRoutes({
    ...{ world, maxConcurrency, flags, typingMs, reactions, commands, interactions, deadlines, dispatch, announce },
    shards: () => shards,
    gatewayUrl: () => `ws://127.0.0.1:${port}`,
  })
  const server = createRestServer({ token, calls, faults, limits, isDown: () => isDown, answer, file: path => files.get(path) })
  server.on('upgrade', (request, socket, head) => {
    if (isDown) socket.destroy()
    else gateway.upgrade(request, socket, head)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  for (const { name, channels = ['general'], emojis = [], roles = [] } of guilds) {
    const { id } = world.addGuild(name, { emojis, roles })
    for (const channel of channels) addChannel(world, id, channel)
  }
  const people = createPeople({
    ...{ world, interactions, files, commands, dispatch, announce },
    origin: () => `http://127.0.0.1:${port}`,
  })

  async function close(): Promise<void> {
    gateway.close()
    await voice.close()
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }

  return {
    apiUrl: `http://127.0.0.1:${port}/api`,
    token,
    bot: { id: world.bot.id, name: bot.name },
    calls,
    reactions,
    commands,

    get online() {
      return gateway.online
    },

    get posted() {
      const all = [...world.channels.values()].flatMap(({ messages }) => [...messages.values()])
      return (
        all
          // "kiki is thinking…" is no message yet.
          .filter(({ author, application_id: application, flags = 0 }) => {
            return [author.id, application].includes(world.bot.id) && !(flags & MessageFlags.Loading)
          })
          .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
          .map(({ id, author, channel_id, content, message_reference: reference, mention_everyone, components = [] }) => ({
            ...{ id, channel: channel_id, text: content, everyone: mention_everyone },
            ...(reference?.message_id !== undefined && { replyTo: reference.message_id }),
            ...(author.id !== world.bot.id && {
              as: { name: author.username, ...(author.avatar !== null && { picture: author.avatar }) },
            }),
            ...(components.length > 0 && { buttons: buttonsOf({ components }) }),
          }))
      )
    },

    ...people,
    voice: voice.emulator,
    id: channel => world.channel(channel).id,
    snowflake: world.snowflake,
    deleteWebhooks(where) {
      const { id } = world.channel(where)
      for (const hook of world.webhooks.values()) if (hook.channel === id) world.webhooks.delete(hook.id)
    },
    typing(where) {
      const [first] = world.channels.values()
      const channel = where === undefined ? first : world.channel(where)
      return (channel?.typingUntil ?? 0) > Date.now()
    },
    cut: how => gateway.cut(how),
    refuse: (how, times = 1) => gateway.refuse(how, times),
    fail: (route, fault, times = 1) => faults.plan(route, fault, times),
    limit: limits.plan,
    limitAll: limits.planAll,
    reshard(wanted, { required = false } = {}) {
      shards = wanted
      if (required) gateway.require(wanted)
    },
    content(isOn) {
      hasContent = isOn
    },

    down(now) {
      isDown = now
      if (!now) return
      gateway.cut('socket')
      server.closeAllConnections()
    },

    async until(holds) {
      while (!holds()) await new Promise(resolve => setTimeout(resolve, 5))
    },

    close,
    [Symbol.asyncDispose]: close,
  }
}
