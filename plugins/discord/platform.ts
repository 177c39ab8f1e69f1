/** The Discord platform: calls of the bot. Incoming events are handled in events/. */
import {
  type APIEmoji,
  type APIMessage,
  type Client,
  Events,
  REST,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  Routes,
  SnowflakeUtil,
} from 'discord.js'
import type { Conversation } from 'kikimimi'
import { isThere, keepTyping, type Outgoing, type Platform, type PlatformContext, type PlatformHooks } from 'kikimimi/platform'
import { createCommands } from './commands/commands.ts'
import { createChannelQueue } from './events/channel-queue.ts'
import { createListener } from './events/listener.ts'
import { createMembers } from './events/members.ts'
import { watchToken } from './gateway/connection.ts'
import type { GatewayOptions } from './gateway/gateway.ts'
import { FEWEST } from './gateway/leases.ts'
import { sharedGateway } from './gateway/shared.ts'
import { wholeGateway } from './gateway/whole.ts'
import { rowsOf } from './messages/buttons.ts'
import { channelIn, channelOfMessage, directPlace, namesIn, openPlaces } from './messages/conversations.ts'
import { emojiOf, type OwnEmoji } from './messages/emoji.ts'
import { fetchFile } from './messages/files.ts'
import { createHistory } from './messages/history.ts'
import { pollTool } from './messages/make-poll.ts'
import { TEXT_LENGTH, written } from './messages/text.ts'
import { createThreads } from './messages/threads.ts'
import { markWaiting } from './messages/waiting.ts'
import { asOwn } from './messages/webhook-messages.ts'
import { createWebhooks } from './messages/webhooks.ts'
import { createCalls, restOptions } from './rest/calls.ts'
import { createClosed } from './rest/closed-channels.ts'
import { isClosed, isUnknownMessage, isUnseen, sentence } from './rest/errors.ts'
import { createRequestLimit, PER_SECOND } from './rest/limit.ts'
import { DiscordVoice } from './voice/service.ts'
import { createVoice } from './voice/voice.ts'

/** Milliseconds. Discord shows typing for ten seconds. */
const TYPING = 8_000
/** The channel of the NOTIFY. */
const USED_UP = 'discord.used-up'

export interface PlatformOptions extends Omit<GatewayOptions, 'limit' | 'listen' | 'rest' | 'usesVoice'> {
  /** Where people see an answer while it is written. */
  readonly streaming: 'direct' | 'everywhere' | 'off'
  /** The emoji on a question whose answer takes long. */
  readonly waiting: string | false
  /** Where answers have buttons. */
  readonly buttons: 'direct' | 'everywhere' | 'off'
  /** Whether an answer of several messages is posted in a thread on its question. */
  readonly threads: boolean
  /** Whether people can use the command where the bot is no member. */
  readonly userInstall: boolean
}

export function createPlatform(
  ctx: PlatformContext,
  options: PlatformOptions,
): Pick<PlatformHooks, 'platform' | 'after' | 'tools'> {
  const { clock } = ctx
  const { apiUrl, buttons, timeout, token, streaming, waiting } = options
  const call = createCalls(ctx)
  const isShared = ctx.db.kind === 'postgres'
  const limit = isShared
    ? createRequestLimit({ clock, timeoutMs: timeout, perSecond: FEWEST, usedUp: tellOthers })
    : createRequestLimit({ clock, timeoutMs: timeout, perSecond: PER_SECOND })
  // A client of its own: this process posts in all servers, not only in those of its shards.
  const rest = new REST(restOptions(timeout, apiUrl, limit)).setToken(token)
  ctx.scope.defer(() => {
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  })
  /** Refused channels, for posting and for reading. The permissions differ. */
  const [closed, unseen] = [createClosed(clock, isClosed), createClosed(clock, isUnseen)]
  const commands = createCommands(ctx, { call, rest, userInstall: options.userInstall })
  const history = createHistory({
    ...{ call, rest, unseen, clientOf, own, threads: options.threads },
    isOfOther: (message, nonce) => webhooks.isOfOther(message, nonce),
    names: workspace => namesIn(clientOf(workspace), platform.me, workspace || undefined, ctx.bot.locale),
  })
  const webhooks = createWebhooks({
    ...{ ctx, call, rest, clock, log: ctx.log, find: history.find },
    me: () => platform.me.id,
    stopping: () => stopping,
  })
  const threads = createThreads({ call, rest, log: ctx.log, title: conversation => ctx.bot.personaIn(conversation).name })
  const members = createMembers({ call, rest, clock, clientOf: server => clientOf(server) })
  const queue = createChannelQueue({ ctx, call, log: ctx.log, stopping: () => stopping })
  const hear = createListener({
    ...{ ctx, commands, queue, members, own, permitted },
    me: () => platform.me,
    stopping: () => stopping,
  })
  const voice = createVoice({ ctx, queue, clientOf })
  ctx.provide(DiscordVoice, voice)
  let stopping: AbortSignal = AbortSignal.abort()
  let startedAt = 0
  let registering: Promise<void> | undefined

  const gateway = (isShared ? sharedGateway : wholeGateway)(ctx, {
    ...options,
    ...{ limit, rest, usesVoice: voice.isUsed },
    listen(client) {
      hear(client)
      voice.watch(client)
      // Not awaited: mentions work without the command.
      client.once(Events.ClientReady, ({ application }) => (registering ??= commands.register(application.id, stopping)))
    },
  })

  /** Only when a limit is used up, so that a request costs no statement. */
  function tellOthers(route: string, ms: number): void {
    ctx.db.query('select pg_notify($1, $2)', [USED_UP, JSON.stringify({ route, ms })]).catch((error: unknown) => {
      ctx.log.debug(`other processes could not be told of a used-up limit: ${sentence(error)}`)
    })
  }

  function permitted(): void {
    for (const one of [closed, unseen, webhooks]) one.forget()
  }

  /** Of an application older than 2016 the id is not that of its account. */
  function own<T extends Parameters<typeof asOwn>[0]>(message: T): T {
    const { id } = platform.me
    return asOwn(message, id, gateway.clients()[0]?.application.id ?? id)
  }

  function clientOf(workspace: string): Client<true> | undefined {
    return gateway.clients().find(({ guilds }) => workspace === '' || guilds.cache.has(workspace))
  }

  /** A spoken answer cannot be edited. */
  const isStreamed = (conversation: Conversation) =>
    (streaming === 'everywhere' && !voice.isRoom(conversation)) ||
    (streaming === 'direct' && conversation.visibility === 'direct')

  const emojiIn = ({ workspace }: Conversation, given: string, signal: AbortSignal) =>
    emojiOf(given, () => emojisIn(workspace, signal))

  /** Emoji of a server, which another process may know. */
  async function emojisIn(workspace: string, signal: AbortSignal): Promise<readonly OwnEmoji[]> {
    const known = clientOf(workspace)?.guilds.cache.get(workspace)
    if (known) return [...known.emojis.cache.values()]
    if (workspace === '') return []
    return call(inTime => rest.get(Routes.guildEmojis(workspace), { signal: inTime }) as Promise<APIEmoji[]>, signal)
  }

  async function post(
    conversation: Conversation,
    { text, replyTo, nonce, notify, handles, as }: Outgoing,
    signal: AbortSignal,
  ): Promise<string> {
    const channel = channelIn(conversation)
    const body: RESTPostAPIChannelMessageJSONBody = {
      content: written(text, notify),
      // Discord ignores a second message with the same nonce, so a repeated call posts nothing twice.
      nonce,
      enforce_nonce: true,
      // These people alone, whatever the text mentions: https://docs.discord.com/developers/resources/message#allowed-mentions-object
      allowed_mentions: { parse: [], replied_user: false, ...(notify && { users: notify.map(({ id }) => id) }) },
      ...(handles && { components: rowsOf(handles) }),
      // If the quoted message was deleted, the answer is posted without a quote.
      ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    }
    const named = as && (await webhooks.post(conversation, as, body, signal))
    if (named !== undefined) return named
    const sent = await closed.watch(channel, () =>
      call(inTime => rest.post(Routes.channelMessages(channel), { body, signal: inTime }) as Promise<APIMessage>, signal),
    )
    return sent.id
  }

  /** Where the bot may not post, further parts of an answer to a command use its webhook. */
  async function say(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<string> {
    try {
      return await post(conversation, message, signal)
    } catch (error) {
      const begun = message.answers === undefined && isClosed(error) ? commands.answeredIn(channelIn(conversation)) : undefined
      if (!begun) throw error
      return begun.goOn(message.text, signal)
    }
  }

  /** A process that died may have answered a command, and a nonce does not show that. */
  async function answeredBefore(conversation: Conversation, command: string, signal: AbortSignal): Promise<string | undefined> {
    if (SnowflakeUtil.timestampFrom(command) >= startedAt) return undefined
    // Without permission to read, it posts without this check: most answers are not to a command.
    return history.answerTo(conversation, command, signal).catch(() => undefined)
  }

  const platform: Platform = {
    name: 'discord',
    limits: { textLength: TEXT_LENGTH },
    idempotent: conversation => !webhooks.speaksIn(conversation),

    get me() {
      // Before the login only the name of the bot is known.
      return gateway.account() ?? { id: '', name: ctx.bot.name }
    },

    async start(signal) {
      stopping = signal
      startedAt = clock.now()
      watchToken(ctx, rest, signal)
      if (isShared) {
        const told = (payload: string) => {
          const { route, ms } = JSON.parse(payload) as { route: string; ms: number }
          limit.hold(route, ms)
        }
        ctx.scope.defer(await ctx.db.listen(USED_UP, told))
      }
      await gateway.start(signal)
    },

    unready: gateway.unready,

    async send(conversation, message, signal) {
      const { answers } = message
      const command = await commands.find(conversation, answers)
      const text = command?.quoting(message.text) ?? message.text
      const id = command
        ? await command.answer(text, signal)
        : answers !== undefined && (await answeredBefore(conversation, answers, signal))
      if (id) return { id }
      const thread = options.threads ? await threads.forAnswer(conversation, message, signal) : undefined
      if (thread === undefined) return { id: await say(conversation, { ...message, text }, signal) }
      // In its own thread the question needs no quote.
      const { replyTo: _, ...bare } = message
      return { id: await say({ ...conversation, thread }, bare, signal), thread }
    },

    async edit(conversation, message, { text, handles }, signal) {
      const route = Routes.channelMessage(channelIn(conversation), message)
      const body: RESTPatchAPIChannelMessageJSONBody = {
        content: text,
        components: rowsOf(handles),
        allowed_mentions: { parse: [] },
      }
      const run = () => call(inTime => rest.patch(route, { body, signal: inTime }), signal)
      return isThere(isUnknownMessage, () => webhooks.edit(conversation, message, body, run, signal))
    },

    async delete(conversation, message, signal) {
      const route = Routes.channelMessage(channelIn(conversation), message)
      const run = () => call(inTime => rest.delete(route, { signal: inTime }), signal)
      await isThere(isUnknownMessage, () => webhooks.delete(conversation, message, run, signal))
    },

    async react(conversation, message, given, signal) {
      const channel = channelIn(conversation)
      const emoji = await emojiIn(conversation, given, signal)
      // A command is no message and cannot have a reaction.
      const command = await commands.find(conversation, message)
      const shown = emoji.includes(':') ? `<:${emoji}>` : emoji
      if ((await command?.answer(command.quoting(shown), signal)) !== undefined) return
      if (voice.isSpoken(message)) return void (await post(conversation, { text: shown, nonce: message }, signal))
      const route = Routes.channelMessageOwnReaction(channel, message, emoji)
      // Adding reactions and posting are different permissions.
      await call(inTime => rest.put(route, { signal: inTime }), signal)
    },

    showsHandles: ({ visibility }) => buttons === 'everywhere' || (buttons === 'direct' && visibility === 'direct'),

    // An answer to a command replaces its "thinking…".
    streams: async (conversation, answers) =>
      isStreamed(conversation) && (await commands.find(conversation, answers)) === undefined,

    typing(conversation, signal, answers) {
      const channel = channelIn(conversation)
      const show = async () => {
        if (!closed.has(channel)) await rest.post(Routes.channelTyping(channel), { signal })
      }
      const end = keepTyping(clock, TYPING, show, signal)
      const isWritten = conversation.visibility !== 'direct' && !voice.isSpoken(answers)
      if (waiting === false || !isWritten || isStreamed(conversation)) return end
      const mark = async () => Routes.channelMessageOwnReaction(channel, answers, await emojiIn(conversation, waiting, stopping))
      const unmark = markWaiting(clock, {
        set: async () => rest.put(await mark(), { signal }),
        remove: async () => rest.delete(await mark(), { signal: stopping }),
      })
      return () => {
        end()
        unmark()
      }
    },

    async direct(_server, { id, name }, signal) {
      const body = { recipient_id: id }
      const route = Routes.userChannels()
      const opened = await call(inTime => rest.post(route, { body, signal: inTime }) as Promise<{ id: string }>, signal)
      return directPlace(opened.id, name)
    },

    link: (conversation, message) =>
      `https://discord.com/channels/${conversation.workspace || '@me'}/${channelOfMessage(clientOf(conversation.workspace), conversation, message)}/${message}`,

    membership: members.membership,
    find: history.find,
    history: history.read,
    message: history.one,
    pins: history.pins,
    channels: async () => openPlaces(gateway.clients()),
    ...(apiUrl !== undefined && { fetchAttachment: (attachment, signal) => fetchFile(attachment, apiUrl, signal) }),
  }
  return { platform, after: commands.after, tools: [pollTool({ call, rest })] }
}
