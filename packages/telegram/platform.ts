/** The Telegram platform: what the bot does, and what it is told. */
import { randomUUID } from 'node:crypto'
import type { Message, MessageReactionUpdated, ReactionType, Update } from 'grammy/types'
import {
  type Conversation,
  commandName,
  conversationId,
  type KeptConnection,
  KikimimiError,
  keepTyping,
  type Platform,
  type PlatformContext,
  takeCommand,
} from 'kikimimi'
import { call, createApi, isRefusal } from './calls.ts'
import { incoming, type Me, personOf, placeOf, type Reader, saidIn } from './messages.ts'
import { readUpdates } from './updates.ts'

export interface PlatformOptions {
  readonly token: string
  /** Without a slash at its end. */
  readonly apiUrl: string
  /** Where people see an answer while it is written. */
  readonly streaming: 'direct' | 'everywhere' | 'off'
}

/** Telegram shows typing for five seconds. */
const TYPING = 4_000
/** Milliseconds of a call that belongs to no turn. */
const TIMEOUT = 10_000
const RANKS = { creator: 'owner', administrator: 'admin', member: 'member', restricted: 'guest' } as const

export function createPlatform(ctx: PlatformContext, { token, apiUrl, streaming }: PlatformOptions): Platform {
  const { clock } = ctx
  const api = createApi({ token, apiUrl })
  /** The token stands in the real address of a file, which is made when the file is fetched. */
  const filesUrl = `${apiUrl}/file/`
  let me: Me = { id: '', name: ctx.persona.name, username: '' }
  const reader: Reader = { me: () => me, now: () => clock.now(), filesUrl }
  let connection: KeptConnection | undefined

  // ------------------------------------------------------------ what the bot is told

  async function take({ message, edited_message: edited, message_reaction: reaction }: Update, isMissed: boolean) {
    if (message) await hear(message, isMissed)
    if (edited) await ctx.edit(placeOf(edited), String(edited.message_id), saidIn(edited, reader))
    if (reaction) await hearReaction(reaction)
  }

  async function hear(message: Message, isMissed: boolean): Promise<void> {
    if (message.new_chat_title !== undefined) return ctx.describe(placeOf(message))
    const heard = incoming(message, reader)
    const text = commanded(message, heard)
    if (text === undefined) return
    const called = text === heard.text ? heard : { ...heard, text, mentions: [me, ...(heard.mentions ?? [])] }
    await ctx.receive(called, { missed: isMissed })
  }

  /** Runs a command, `/kiki status` or `/status@kiki_bot`. Returns what is a message: a text after `/kiki` is one to the bot. */
  function commanded(message: Message, { conversation, author, text }: ReturnType<typeof incoming>): string | undefined {
    const [, word = '', bot = me.username, rest = ''] = /^\/(\w+)(?:@(\w+))?(?!\S)([\s\S]*)$/.exec(text) ?? []
    if (word === '' || bot.toLowerCase() !== me.username.toLowerCase()) return text
    const isNamed = word.toLowerCase() === commandName(ctx.persona)
    const isAdmin = async () => isAdministrator(conversation.channel, author.id)
    const order = (isNamed ? rest : `${word} ${rest}`).trim()
    const answer = (said: string) => {
      const where = { ...conversation, id: conversationId(conversation) }
      const reply = { text: said, replyTo: String(message.message_id), nonce: randomUUID() }
      return platform.send(where, reply, AbortSignal.timeout(TIMEOUT))
    }
    if (takeCommand(ctx, { conversation, author }, { text: order, isAdmin, answer })) return undefined
    return isNamed ? rest.trim() : text
  }

  async function isAdministrator(chat: string, person: string): Promise<boolean> {
    const { status } = await call(AbortSignal.timeout(TIMEOUT), inTime => api.getChatMember(chat, Number(person), inTime))
    return status === 'creator' || status === 'administrator'
  }

  async function hearReaction({ chat, message_id: id, user, old_reaction: before, new_reaction: now }: MessageReactionUpdated) {
    // An anonymous admin has no id.
    if (!user || String(user.id) === me.id) return
    const [old, current] = [before.flatMap(written), now.flatMap(written)]
    const change = (emoji: string, removed: boolean) =>
      ctx.reaction(placeOf({ chat }), String(id), { emoji, by: personOf(user).id, removed })
    for (const emoji of old.filter(one => !current.includes(one))) await change(emoji, true)
    for (const emoji of current.filter(one => !old.includes(one))) await change(emoji, false)
  }

  // ------------------------------------------------------------ what the bot does

  const platform: Platform = {
    name: 'telegram',
    get me() {
      return me
    },
    limits: { textLength: 4_096 },

    async start(signal) {
      const { username, ...account } = await call(signal, inTime => api.getMe(inTime))
      me = { ...personOf(account), username }
      // With a webhook, Telegram gives no updates.
      await call(signal, inTime => api.deleteWebhook(undefined, inTime))
      connection = readUpdates(ctx, api, signal, take)
      // What is written from now on is not missed.
      await connection.tried
    },

    unready: () => connection?.unready(),

    async send({ channel, thread }, { text, replyTo }, signal) {
      const about = {
        ...(thread !== undefined && { message_thread_id: Number(thread) }),
        ...(replyTo !== undefined && {
          reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
        }),
      }
      const { message_id: id } = await call(signal, inTime => api.sendMessage(channel, text, about, inTime))
      return { id: String(id) }
    },

    async edit({ channel }, message, { text }, signal) {
      try {
        await call(signal, inTime => api.editMessageText(channel, Number(message), text, undefined, inTime))
        return true
      } catch (error) {
        if (isRefusal(error, /message is not modified/)) return true
        if (isRefusal(error, /message to edit not found/)) return false
        throw error
      }
    },

    async delete({ channel }, message, signal) {
      try {
        await call(signal, inTime => api.deleteMessage(channel, Number(message), inTime))
      } catch (error) {
        if (!isRefusal(error, /message to delete not found/)) throw error
      }
    },

    streams: ({ visibility }) => streaming === 'everywhere' || (streaming === 'direct' && visibility === 'direct'),

    async react({ channel }, message, emoji, signal) {
      const reaction = { type: 'emoji', emoji } as ReactionType
      await call(signal, inTime => api.setMessageReaction(channel, Number(message), [reaction], undefined, inTime))
    },

    typing({ channel, thread }, signal) {
      const about = thread === undefined ? {} : { message_thread_id: Number(thread) }
      return keepTyping(clock, TYPING, () => call(signal, inTime => api.sendChatAction(channel, 'typing', about, inTime)), signal)
    },

    async membership({ channel, visibility }: Conversation, person, signal) {
      if (visibility === 'direct') return undefined
      const { status } = await call(signal, inTime => api.getChatMember(channel, Number(person.id), inTime))
      return status in RANKS ? { rank: RANKS[status as keyof typeof RANKS], roles: () => [] } : undefined
    },

    async fetchAttachment({ url }, signal) {
      if (!url.startsWith(filesUrl)) throw new KikimimiError('ATTACHMENT_REFUSED', 'it is not a file of Telegram')
      const { file_path: path } = await call(signal, inTime =>
        api.getFile(decodeURIComponent(url.slice(filesUrl.length)), inTime),
      )
      return fetch(`${filesUrl}bot${token}/${path}`, { signal, redirect: 'error' })
    },
  }
  return platform
}

function written(reaction: ReactionType): string[] {
  return reaction.type === 'emoji' ? [reaction.emoji] : []
}
