/** Discord as a platform: what the bot does there. What it hears is in listen.ts. */
import { type APIMessage, type Client, type RESTPostAPIChannelMessageJSONBody, Routes, SnowflakeUtil } from 'discord.js'
import type { App, Conversation, Outgoing, Platform, PluginParts } from 'kikimimi'
import { createCalls } from './calls.ts'
import { createClosed } from './closed.ts'
import { TEXT_LENGTH } from './command.ts'
import { createCommands } from './commands.ts'
import { type ConnectionOptions, createConnection } from './connection.ts'
import { fetchFile } from './files.ts'
import { createHistory } from './history.ts'
import { createListener } from './listen.ts'
import { channelIn, emojiOf, openPlaces } from './places.ts'
import { isClosed, isUnseen } from './trouble.ts'
import { keepTyping } from './typing.ts'

export interface PlatformOptions extends Omit<ConnectionOptions, 'listen'> {}

export function createPlatform(app: App, options: PlatformOptions): Pick<PluginParts, 'platform' | 'after'> {
  const { clock } = app
  const { apiUrl } = options
  const call = createCalls(app)
  /** To what the bot says, and to its looking back. Who may not post somewhere may still read there. */
  const [closed, unseen] = [createClosed(clock, isClosed), createClosed(clock, isUnseen)]
  const commands = createCommands(app, call)
  const history = createHistory({ call, unseen, connected })
  const hear = createListener({ app, call, commands, permitted, stopping: () => stopping })
  let stopping: AbortSignal = AbortSignal.abort()
  let startedAt = 0
  /** The one that is logging in, or has. */
  let latest: Client | undefined

  const connection = createConnection(app, {
    ...options,
    listen(client) {
      latest = client
      hear(client)
    },
  })

  function permitted(): void {
    for (const one of [closed, unseen]) one.forget()
  }

  function connected(): Client<true> {
    // Before `start` has resolved: what was missed is read as soon as the bot is logged in.
    if (latest?.isReady()) return latest
    throw new Error('not connected to Discord')
  }

  async function post(conversation: Conversation, { text, replyTo, nonce }: Outgoing, signal: AbortSignal): Promise<string> {
    const channel = channelIn(conversation)
    const { rest } = connected()
    const body: RESTPostAPIChannelMessageJSONBody = {
      content: text,
      // The same nonce again is the same message: an attempt that seemed to fail posts nothing twice.
      nonce,
      enforce_nonce: true,
      allowed_mentions: { parse: [], replied_user: false },
      // Whoever deleted the question still gets the answer, without the quote.
      ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    }
    const sent = await closed.watch(channel, () =>
      call(inTime => rest.post(Routes.channelMessages(channel), { body, signal: inTime }) as Promise<APIMessage>, signal),
    )
    return sent.id
  }

  /** Where the bot itself may not post, the rest of an answer to a command follows by the way of its beginning. */
  async function say(conversation: Conversation, message: Outgoing, signal: AbortSignal): Promise<string> {
    try {
      return await post(conversation, message, signal)
    } catch (error) {
      const begun = message.answers === undefined && isClosed(error) ? commands.answeredIn(channelIn(conversation)) : undefined
      if (!begun) throw error
      return begun.goOn(message.text, signal)
    }
  }

  /** A process that died may have answered a command, and no nonce tells. */
  async function answeredBefore(conversation: Conversation, command: string, signal: AbortSignal): Promise<string | undefined> {
    if (SnowflakeUtil.timestampFrom(command) >= startedAt) return undefined
    // Who cannot read there posts without having looked: most of what is answered is no command.
    return history.answerTo(conversation, command, signal).catch(() => undefined)
  }

  const platform: Platform = {
    name: 'discord',
    limits: { textLength: TEXT_LENGTH },
    idempotent: true,

    get me() {
      const account = latest?.user
      // Before the login the account is not known yet, only what the bot is called.
      return { id: account?.id ?? '', name: account?.displayName ?? app.persona.name }
    },

    async start(signal) {
      stopping = signal
      startedAt = clock.now()
      const client = await connection.open(signal)
      // Not waited for: who mentions the bot needs no command.
      void commands.register(client, signal)
    },

    unready: connection.unready,

    async send(conversation, message, signal) {
      const { answers } = message
      const command = commands.find(answers)
      const text = command?.quoting(message.text) ?? message.text
      const id = command
        ? await command.answer(text, signal)
        : answers !== undefined && (await answeredBefore(conversation, answers, signal))
      return { id: id || (await say(conversation, { ...message, text }, signal)) }
    },

    async react(conversation, message, given, signal) {
      const channel = channelIn(conversation)
      const { rest } = connected()
      const emoji = emojiOf(connected(), conversation.workspace, given)
      // A command is no message that could bear one.
      const command = commands.find(message)
      const shown = emoji.includes(':') ? `<:${emoji}>` : emoji
      if ((await command?.answer(command.quoting(shown), signal)) !== undefined) return
      const route = Routes.channelMessageOwnReaction(channel, message, emoji)
      // Who may not react may still speak.
      await call(inTime => rest.put(route, { signal: inTime }), signal)
    },

    typing(conversation, signal) {
      const channel = channelIn(conversation)
      const { rest } = connected()
      const show = async () => {
        if (!closed.has(channel)) await rest.post(Routes.channelTyping(channel), { signal })
      }
      return keepTyping(clock, show, signal)
    },

    history: history.read,
    channels: async () => openPlaces(connected()),
    ...(apiUrl !== undefined && { fetchAttachment: (attachment, signal) => fetchFile(attachment, apiUrl, signal) }),
  }
  return { platform, after: commands.after }
}
