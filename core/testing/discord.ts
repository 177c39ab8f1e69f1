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
import {
  type APIAttachment,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  GatewayDispatchEvents,
  InteractionType,
} from 'discord-api-types/v10'
import { type Call, createFaults, type Fault } from './discord/faults.ts'
import { type Cut, createGateway } from './discord/gateway.ts'
import { createRoutes, type Interaction, type Reaction } from './discord/routes.ts'
import { createRestServer } from './discord/server.ts'
import { type Channel, channelData, createWorld } from './discord/world.ts'

export type { Call, Cut, Fault, Interaction, Reaction }

export interface DiscordOptions {
  /** Default: kiki. */
  readonly bot?: { readonly id?: string; readonly name: string }
  /** What the bot has to log in with. Default: a made-up one, in `token`. */
  readonly token?: string
  /** Default: one guild, `team`, with the channel `general`. */
  readonly guilds?: readonly GuildOptions[]
  /** How many shards Discord recommends. Default 1. */
  readonly shards?: number
  /** How long people see the bot typing. Default 10_000, as in Discord. */
  readonly typingMs?: number
}

export interface GuildOptions {
  readonly name: string
  /** Text channels by name, or more about them. */
  readonly channels?: readonly (string | ChannelOptions)[]
  /** Names of the guild's own emoji. */
  readonly emojis?: readonly string[]
}

export interface ChannelOptions {
  readonly name: string
  /** Default `text`. */
  readonly type?: keyof typeof TYPES
  /** `@everyone` cannot view it. */
  readonly private?: boolean
}

export interface Said {
  /** By name; a new name is a new person. */
  readonly author: string
  /** `@kiki` and `@alice` mention who is known by the name, `@everyone` everyone. */
  readonly text: string
  /** Id or name. Default: the first one. */
  readonly channel?: string
  readonly replyTo?: string
  readonly attachments?: readonly { readonly name: string; readonly type?: string; readonly url: string }[]
  /** The author is another bot. */
  readonly bot?: boolean
  /** The same again: the event is delivered twice. */
  readonly id?: string
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
  edit(message: string, text: string): void
  delete(message: string): void
  /** Somebody reacts. */
  react(message: string, author: string, emoji: string): void
  /** A new channel of the first guild. Returns its id. */
  channel(options: ChannelOptions): string
  /** A new thread, or a post where the channel is a forum. Returns its id. */
  thread(thread: { readonly channel: string; readonly name: string; readonly private?: boolean }): string
  /** The direct channel of a person with the bot. */
  direct(author: string): string
  /** Somebody uses a slash command; `text` is its only option. */
  command(used: { author: string; name: string; text: string; channel?: string }): Interaction
  /** Whether people see the bot typing. */
  typing(channel?: string): boolean
  /** Ends the gateway connection. */
  cut(how: Cut): void
  /** Turns away who identifies next. */
  refuse(code: number, times?: number): void
  /** Lets calls fail. @param route `POST /channels/:id/messages`, `GET *`, `* *` */
  fail(route: string, fault: Fault, times?: number): void
  /** While down, every connection is destroyed, and none is taken. */
  down(isDown: boolean): void
  /** Waits until it holds; the test's own time limit ends a wait for nothing. */
  until(holds: () => boolean): Promise<void>
  close(): Promise<void>
}

const TYPES = {
  text: ChannelType.GuildText,
  forum: ChannelType.GuildForum,
  announcement: ChannelType.GuildAnnouncement,
} as const

export async function startDiscord(options: DiscordOptions = {}): Promise<DiscordEmulator> {
  const { bot = { name: 'kiki' }, guilds = [{ name: 'team', channels: ['general'] }], shards = 1, typingMs = 10_000 } = options
  const token = options.token ?? 'MTA.a-token.that-opens-only-this'
  const world = createWorld({ id: bot.id ?? '100000000000000001', name: bot.name })
  const calls: Call[] = []
  const reactions: Reaction[] = []
  const commands: unknown[] = []
  const interactions = new Map<string, Interaction>()
  const faults = createFaults()
  let isDown = false

  const gateway = createGateway({ world, token, calls, url: () => `ws://127.0.0.1:${port}` })
  const { dispatch } = gateway
  const announce = (channel: Channel, message: { readonly id: string }) =>
    dispatch(GatewayDispatchEvents.MessageCreate, { ...message, ...inGuild(channel), channel_type: channel.type }, channel.guild)
  const answer = createRoutes({
    ...{ world, shards, typingMs, reactions, commands, interactions, dispatch, announce },
    gatewayUrl: () => `ws://127.0.0.1:${port}`,
  })
  const server = createRestServer({ token, calls, faults, isDown: () => isDown, answer })
  server.on('upgrade', (request, socket, head) => {
    if (isDown) socket.destroy()
    else gateway.upgrade(request, socket, head)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  function addChannel(guild: string, given: string | ChannelOptions): Channel {
    const { name, type = 'text', private: hidden = false }: ChannelOptions = typeof given === 'string' ? { name: given } : given
    return world.addChannel({ name, type: TYPES[type], guild, private: hidden })
  }
  for (const { name, channels = ['general'], emojis = [] } of guilds) {
    const { id } = world.addGuild(name, emojis)
    for (const channel of channels) addChannel(id, channel)
  }

  /** `@name` becomes a mention of who is known by it. */
  const written = (text: string) =>
    text.replace(/@([\p{L}\p{N}_-]+)/gu, (whole, name: string) => {
      const known = name === bot.name ? world.bot : knownAs(name)
      return known ? `<@${known.id}>` : whole
    })
  const people = new Set<string>()
  const knownAs = (name: string) => (people.has(name) ? world.user(name) : undefined)
  const person = (name: string, isBot = false) => {
    people.add(name)
    return world.user(name, { bot: isBot })
  }
  const place = (channel: string | undefined) => {
    if (channel !== undefined) return world.channel(channel)
    const [first] = world.channels.values()
    if (!first) throw new Error('This Discord has no channel.')
    return first
  }
  const placeOf = (message: string) => world.channel(world.message(message).channel_id)

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
      return all
        .filter(({ author }) => author.id === world.bot.id)
        .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
        .map(({ id, channel_id, content, message_reference: reference, mention_everyone }) => ({
          ...{ id, channel: channel_id, text: content, everyone: mention_everyone },
          ...(reference?.message_id !== undefined && { replyTo: reference.message_id }),
        }))
    },

    say({ author, text, channel: where, replyTo, attachments = [], bot: isBot, id }) {
      const channel = place(where)
      const message = world.write(channel, person(author, isBot), written(text), {
        mentionEveryone: /@(?:everyone|here)/.test(text),
        attachments: attachments.map(file => attachmentOf(world.snowflake(), file)),
        ...(replyTo !== undefined && { replyTo }),
        ...(id !== undefined && { id }),
      })
      announce(channel, message)
      return message.id
    },

    edit(id, text) {
      const channel = placeOf(id)
      const message = Object.assign(world.message(id), { content: written(text), edited_timestamp: new Date().toISOString() })
      dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
    },

    delete(id) {
      const channel = placeOf(id)
      channel.messages.delete(id)
      dispatch(GatewayDispatchEvents.MessageDelete, { id, channel_id: channel.id, ...inGuild(channel) }, channel.guild)
    },

    react(id, author, emoji) {
      const channel = placeOf(id)
      const reaction = { user_id: person(author).id, channel_id: channel.id, message_id: id, emoji: { id: null, name: emoji } }
      dispatch(
        GatewayDispatchEvents.MessageReactionAdd,
        { ...reaction, ...inGuild(channel), burst: false, type: 0 },
        channel.guild,
      )
    },

    channel(given) {
      const [guild] = world.guilds.keys()
      if (guild === undefined) throw new Error('This Discord has no guild.')
      const made = addChannel(guild, given)
      dispatch(GatewayDispatchEvents.ChannelCreate, channelData(made, world), guild)
      return made.id
    },

    thread({ channel, name, private: hidden = false }) {
      const { id, guild } = world.channel(channel)
      const type = hidden ? ChannelType.PrivateThread : ChannelType.PublicThread
      const made = world.addChannel({ name, type, private: hidden, parent: id, ...(guild && { guild }) })
      dispatch(GatewayDispatchEvents.ThreadCreate, { ...channelData(made, world), newly_created: true }, guild)
      return made.id
    },

    direct: author => world.direct(person(author)).id,

    command({ author, name, text, channel: where }) {
      const channel = place(where)
      const made: Interaction = {
        id: world.snowflake(),
        token: `interaction-${world.snowflake()}`,
        channel: channel.id,
        deferred: false,
        answers: [],
      }
      interactions.set(made.id, made)
      const user = person(author)
      const data = {
        id: made.id,
        application_id: world.bot.id,
        type: InteractionType.ApplicationCommand,
        token: made.token,
        version: 1,
        channel_id: channel.id,
        channel: channelData(channel, world),
        ...inGuild(channel),
        ...(channel.guild ? { member: { user, roles: [], permissions: '0', flags: 0 } } : { user }),
        locale: 'en-US',
        app_permissions: '0',
        entitlements: [],
        authorizing_integration_owners: {},
        attachment_size_limit: 10_000_000,
        data: {
          id: '1',
          name,
          type: ApplicationCommandType.ChatInput,
          options: [{ name: 'text', type: ApplicationCommandOptionType.String, value: text }],
        },
      }
      dispatch(GatewayDispatchEvents.InteractionCreate, data, channel.guild)
      return made
    },

    typing: where => place(where).typingUntil > Date.now(),
    cut: how => gateway.cut(how),
    refuse: (code, times = 1) => gateway.refuse(code, times),
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

function inGuild({ guild }: Channel): { guild_id?: string } {
  return guild === undefined ? {} : { guild_id: guild }
}

function attachmentOf(id: string, { name, type, url }: { name: string; type?: string; url: string }): APIAttachment {
  return { id, filename: name, url, proxy_url: url, size: 1, ...(type !== undefined && { content_type: type }) }
}
