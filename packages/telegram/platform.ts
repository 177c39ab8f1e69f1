/** The Telegram platform: what the bot does, and what it is told. */
import type { Message, MessageReactionUpdated, ReactionType, Update } from 'grammy/types'
import { commandName, KikimimiError } from 'kikimimi'
import { isThere, keepTyping, type Platform, type PlatformContext, takeCommand, takeMessage } from 'kikimimi/platform'
import { call, createApi, isRefusal } from './calls.ts'
import type { TelegramOptions } from './index.ts'
import { incoming, type Me, personOf, placeOf, type Reader, saidIn, written } from './messages.ts'
import { readUpdates } from './updates.ts'

/** Telegram shows typing for five seconds. */
const TYPING = 4_000
const RANKS = { creator: 'owner', administrator: 'admin', member: 'member', restricted: 'guest' } as const

export function createPlatform(ctx: PlatformContext, { token, apiUrl, streaming }: TelegramOptions): Platform {
  const { clock } = ctx
  const api = createApi({ token, apiUrl })
  /** The token stands in the real address of a file, which is made when the file is fetched. */
  const filesUrl = `${apiUrl}/file/`
  let me: Me = { id: '', name: ctx.bot.name, username: '' }
  const reader: Reader = { me: () => me, now: () => clock.now(), filesUrl }
  const connection = readUpdates(ctx, api, take)

  // ------------------------------------------------------------ what the bot is told

  async function take({ message, edited_message: edited, message_reaction: reaction }: Update, isMissed: boolean) {
    if (message) await hear(message, isMissed)
    if (edited) await ctx.edit(placeOf(edited), String(edited.message_id), saidIn(edited, reader))
    if (reaction) await hearReaction(reaction)
  }

  async function hear(message: Message, isMissed: boolean): Promise<void> {
    if (message.new_chat_title !== undefined) return ctx.describe(placeOf(message))
    const heard = incoming(message, reader)
    const { word, rest } = commandIn(heard.text)
    const isNamed = word?.toLowerCase() === commandName(ctx.bot)
    // `/status@kiki_bot` without the name of the command is a command or a text like any other.
    if (word !== undefined && !isNamed && takeCommand(ctx, platform, heard, `${word} ${rest}`.trim())) return
    await takeMessage(ctx, platform, heard, { missed: isMissed, ...(isNamed && { order: rest }) })
  }

  /** `/kiki status` or `/status@kiki_bot`, unless it is for another bot. */
  function commandIn(text: string) {
    const [, word, bot = me.username, rest = ''] = /^\/(\w+)(?:@(\w+))?(?!\S)([\s\S]*)$/.exec(text) ?? []
    return bot.toLowerCase() === me.username.toLowerCase() ? { word, rest: rest.trim() } : {}
  }

  async function hearReaction({ chat, message_id: id, user, old_reaction: before, new_reaction: now }: MessageReactionUpdated) {
    // An anonymous admin has no id.
    if (!user || String(user.id) === me.id) return
    const [old, current] = [before.flatMap(shownAs), now.flatMap(shownAs)]
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
    // Telegram takes 4,096. The difference is for word joiners.
    limits: { textLength: 4_000 },

    async start(signal) {
      const { username, ...account } = await call(signal, inTime => api.getMe(inTime))
      me = { ...personOf(account), username }
      // With a webhook, Telegram gives no updates.
      await call(signal, inTime => api.deleteWebhook(undefined, inTime))
      // What is written from now on is not missed.
      await connection.start(signal)
    },

    unready: connection.unready,

    async send({ channel, thread, visibility }, { text, replyTo, notify }, signal) {
      const about = {
        ...(thread !== undefined && { message_thread_id: Number(thread) }),
        ...(replyTo !== undefined && {
          reply_parameters: { message_id: Number(replyTo), allow_sending_without_reply: true },
        }),
      }
      const said = visibility === 'direct' ? { text, entities: [] } : written(text, notify)
      const entities = said.entities.length > 0 && { entities: said.entities }
      const { message_id: id } = await call(signal, inTime =>
        api.sendMessage(channel, said.text, { ...about, ...entities }, inTime),
      )
      return { id: String(id) }
    },

    edit: ({ channel, visibility }, message, { text }, signal) =>
      isThere(isGone, async () => {
        const said = visibility === 'direct' ? text : written(text).text
        const edited = call(signal, inTime => api.editMessageText(channel, Number(message), said, undefined, inTime))
        await edited.catch((error: unknown) => {
          if (!isRefusal(error, /message is not modified/)) throw error
        })
      }),

    async delete({ channel }, message, signal) {
      await isThere(isGone, () => call(signal, inTime => api.deleteMessage(channel, Number(message), inTime)))
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

    // A person is a chat of the same id. Telegram refuses messages to people who have never written to the bot.
    direct: (_group, { id, name }) => placeOf({ chat: { id: Number(id), type: 'private', first_name: name } }),

    async membership({ channel, visibility }, person, signal) {
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

const isGone = (error: unknown) => isRefusal(error, /message to (?:edit|delete) not found/)

function shownAs(reaction: ReactionType): string[] {
  return reaction.type === 'emoji' ? [reaction.emoji] : []
}
