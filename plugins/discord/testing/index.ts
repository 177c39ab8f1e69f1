/**
 * A Discord that runs offline, in the test's own process: gateway and REST on a loopback port, for the real discord.js.
 * The test plays the people, reads what they see, and breaks things.
 *
 * @example
 * await using discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general'] }] })
 * const bot = await startBot({ …, plugins: [discordPlugin({ token: discord.token, apiUrl: discord.apiUrl })] })
 * discord.say({ author: 'alice', text: 'hello @kiki' })
 * await discord.until(() => discord.posted.length > 0)
 */
import type { AddressInfo } from 'node:net'
import { ApplicationFlags, GatewayDispatchEvents, MessageFlags } from 'discord-api-types/v10'
import { inGuild } from './data.ts'
import { type Call, createFaults, type Fault } from './faults.ts'
import { type Cut, createGateway, type Refused } from './gateway.ts'
import type { Interaction } from './interactions.ts'
import { addChannel, type CHANNEL_TYPES, createPeople } from './people.ts'
import { createRoutes, type Reaction, type RegisteredCommand } from './routes.ts'
import { createRestServer, type File } from './server.ts'
import { type Channel, createWorld } from './world.ts'

export type { Call, Cut, Fault, Interaction, Reaction, Refused }

export interface DiscordOptions {
  /** Default: kiki. */
  readonly bot?: { readonly id?: string; readonly name: string }
  /** What the bot has to log in with. Default: a made-up one, in `token`. */
  readonly token?: string
  /** Default: one guild, `team`, with the channel `general`. */
  readonly guilds?: readonly GuildOptions[]
  /** How many shards Discord recommends. Default 1. The first guild is told to shard 0, the next one to shard 1, and so on. */
  readonly shards?: number
  /** Of so many shards one may identify within five seconds, the next is turned away. Default: none is. */
  readonly maxConcurrency?: number
  /** Of the application: which privileged intents are switched on. Default: Message Content. */
  readonly flags?: number
  /** How long people see the bot typing. Default 10_000, as in Discord. */
  readonly typingMs?: number
}

export interface GuildOptions {
  readonly name: string
  /** Text channels by name, or more about them. */
  readonly channels?: readonly (string | ChannelOptions)[]
  /** Names of the guild's own emoji. */
  readonly emojis?: readonly string[]
  /** Besides `@everyone` and the bot's own, which has the bot's name. */
  readonly roles?: readonly string[]
}

export interface ChannelOptions {
  readonly name: string
  /** Default `text`. */
  readonly type?: keyof typeof CHANNEL_TYPES
  /** `@everyone` cannot view it. */
  readonly private?: boolean
  /** Nor can the bot. */
  readonly hidden?: boolean
  /** A voice channel that nobody may join, which is to say, read. */
  readonly locked?: boolean
}

export interface Said {
  /** By name; a new name is a new person. */
  readonly author: string
  /** `@kiki` and `@alice` mention who is known by the name, `@&crew` a role, `@everyone` everyone. */
  readonly text: string
  /** Id or name. Default: the first one. */
  readonly channel?: string
  readonly replyTo?: string
  /** What is uploaded can be fetched from this Discord; an address is that of a file elsewhere. */
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
}

/** A slash command as somebody uses it. */
export interface Used {
  readonly author: string
  readonly name: string
  /** Its only option. */
  readonly text: string
  readonly channel?: string
  /** The author may manage the channel, and no other. */
  readonly moderator?: boolean
  /** The author has a role that may manage the guild. */
  readonly admin?: boolean
  /** Of the author's client. Default `en-US`. */
  readonly locale?: string
  /** It is not given yet: Discord asks for suggestions. */
  readonly typing?: boolean
}

/** What the bot has posted, as people see it. */
export interface Posted {
  readonly id: string
  readonly channel: string
  readonly text: string
  readonly replyTo?: string
  /** It has called everyone. */
  readonly everyone: boolean
}

export interface DiscordEmulator extends AsyncDisposable {
  readonly apiUrl: string
  readonly token: string
  readonly bot: { readonly id: string; readonly name: string }
  /** All that the bot has asked for, oldest first; what it sent to the gateway has the path `/gateway`. */
  readonly calls: readonly Call[]
  /** The messages of the bot that people see, oldest first. */
  readonly posted: readonly Posted[]
  readonly reactions: readonly Reaction[]
  /** The slash commands that it has registered. */
  readonly commands: readonly unknown[]
  /** Connected shards. */
  readonly online: number
  /** Somebody says something. Returns the message's id. */
  say(said: Said): string
  /** The event about a message or a command is delivered a second time. */
  redeliver(id: string): void
  edit(message: string, text: string): void
  delete(message: string): void
  /** Somebody reacts, with `👍` or one of the guild's own, `:party:`. */
  react(message: string, author: string, emoji: string): void
  unreact(message: string, author: string, emoji: string): void
  /** A moderator takes away all reactions, or all with an emoji. */
  clearReactions(message: string, emoji?: string): void
  /** A new channel of the first guild. Returns its id. */
  channel(options: ChannelOptions): string
  /** By id or name; a thread too. */
  deleteChannel(channel: string): void
  /** A new thread, or a post where the channel is a forum. Returns its id. */
  thread(thread: { readonly channel: string; readonly name: string; readonly private?: boolean }): string
  /** A moderator lets the bot do more: in the first channel, by what its role may do, or by giving it another role. */
  permit(by: 'channel' | 'role' | 'member'): void
  /** The direct channel of a person with the bot. */
  direct(author: string): string
  command(used: Used): Interaction
  /** Whether people see the bot typing. */
  typing(channel?: string): boolean
  /** Ends the gateway connection. */
  cut(how: Cut): void
  /** Turns away who identifies next, with a close code or an invalid session (op 9). */
  refuse(how: Refused, times?: number): void
  /** Lets calls fail. @param route `POST /channels/:id/messages`, `GET *`, `* *` */
  fail(route: string, fault: Fault, times?: number): void
  /** While down, every connection is destroyed, and none is taken. */
  down(isDown: boolean): void
  /** Waits until it holds; the test's own time limit ends a wait for nothing. */
  until(holds: () => boolean): Promise<void>
  close(): Promise<void>
}

export async function startDiscord(options: DiscordOptions = {}): Promise<DiscordEmulator> {
  const { bot = { name: 'kiki' }, guilds = [{ name: 'team', channels: ['general'] }], shards = 1, typingMs = 10_000 } = options
  const { maxConcurrency, flags = ApplicationFlags.GatewayMessageContentLimited } = options
  const token = options.token ?? 'MTA.a-token.that-opens-only-this'
  const world = createWorld({ id: bot.id ?? '100000000000000001', name: bot.name })
  const calls: Call[] = []
  const reactions: Reaction[] = []
  const commands: RegisteredCommand[] = []
  const interactions = new Map<string, Interaction>()
  const files = new Map<string, File>()
  const faults = createFaults()
  let isDown = false

  const gateway = createGateway({ world, token, calls, maxConcurrency, url: () => `ws://127.0.0.1:${port}` })
  const { dispatch } = gateway
  const announce = (channel: Channel, message: { readonly id: string }) =>
    dispatch(GatewayDispatchEvents.MessageCreate, { ...message, ...inGuild(channel), channel_type: channel.type }, channel.guild)
  const answer = createRoutes({
    ...{ world, shards, maxConcurrency, flags, typingMs, reactions, commands, interactions, dispatch, announce },
    gatewayUrl: () => `ws://127.0.0.1:${port}`,
  })
  const server = createRestServer({ token, calls, faults, isDown: () => isDown, answer, file: path => files.get(path) })
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
    ...{ world, interactions, files, dispatch, announce },
    origin: () => `http://127.0.0.1:${port}`,
  })

  async function close(): Promise<void> {
    gateway.close()
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
          .filter(({ author, flags = 0 }) => author.id === world.bot.id && !(flags & MessageFlags.Loading))
          .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
          .map(({ id, channel_id, content, message_reference: reference, mention_everyone }) => ({
            ...{ id, channel: channel_id, text: content, everyone: mention_everyone },
            ...(reference?.message_id !== undefined && { replyTo: reference.message_id }),
          }))
      )
    },

    ...people,
    typing(where) {
      const [first] = world.channels.values()
      const channel = where === undefined ? first : world.channel(where)
      return (channel?.typingUntil ?? 0) > Date.now()
    },
    cut: how => gateway.cut(how),
    refuse: (how, times = 1) => gateway.refuse(how, times),
    fail: (route, fault, times = 1) => faults.plan(route, fault, times),

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
