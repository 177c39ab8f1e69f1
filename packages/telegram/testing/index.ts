/**
 * A server of Telegram's Bot API in this process, on loopback. A test plays the people, sees what they see, and makes calls fail.
 * It refuses what Telegram refuses: unknown chats, texts that are too long, reactions outside of its list.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage as Request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chat, Message, MessageEntity, Update, User } from 'grammy/types'

/** What the next call of a method does. `before`: nothing happens. `after`: it happens, and the answer is lost. */
export type Fault =
  | { readonly status: number; readonly description?: string; readonly retryAfter?: number }
  | { readonly cut: 'before' | 'after' }

/** A message of the bot as people see it. */
export interface Post {
  readonly id: string
  /** The name of a place: see `say`. */
  readonly where: string
  text: string
  readonly replyTo?: string
  readonly edits: string[]
}

export interface Said {
  /** `general`, `staff`, `plans` (a topic of general) or a person's name for their direct chat. Default: `general`. */
  readonly where?: string
  readonly replyTo?: string
  /** Further fields of the message. */
  readonly more?: Partial<Message>
}

const BOT: User = { id: 1, is_bot: true, first_name: 'kiki', username: 'kiki_bot' }
const TOKEN = '1:secret'
/** Some of the emoji that Telegram accepts. */
const REACTIONS = new Set(['👍', '👎', '❤', '🔥', '🎉', '👀', '😁'])
const LENGTH = 4_096
const PLANS = 77

type Params = Readonly<Record<string, unknown>>
class Refused extends Error {
  readonly status: number
  constructor(status: number, description: string) {
    super(description)
    this.status = status
  }
}

export async function startTelegram({ typingMs = 5_000 }: { readonly typingMs?: number } = {}) {
  const people = new Map<string, User>()
  const messages = new Map<string, Message>()
  const posted: Post[] = []
  const reactions: { readonly message: string; readonly emoji: string }[] = []
  const files = new Map<string, Buffer>()
  const faults = new Map<string, Fault[]>()
  const calls: { readonly method: string; readonly params: Params }[] = []
  const admins = new Set<string>()
  let updates: Update[] = []
  const count = { update: 100, message: 1_000 }
  let typedAt = Number.NEGATIVE_INFINITY
  let wake = Promise.withResolvers<void>()

  const person = (name: string): User => {
    const known = people.get(name) ?? { id: 1_000 + people.size, is_bot: false, first_name: name, username: name }
    people.set(name, known)
    return known
  }

  function chatOf(where: string): Chat {
    if (where === 'general' || where === 'plans') {
      return { id: -100, type: 'supergroup', title: 'general', username: 'general_chat', is_forum: true }
    }
    if (where === 'staff') return { id: -200, type: 'supergroup', title: 'staff' }
    return { ...person(where), type: 'private' } as unknown as Chat.PrivateChat
  }

  function whereOf(chat: number, thread: number | undefined): string {
    if (chat === -100) return thread === PLANS ? 'plans' : 'general'
    if (chat === -200) return 'staff'
    const [name] = [...people].find(([, { id }]) => id === chat) ?? []
    if (name !== undefined) return name
    throw new Refused(400, 'Bad Request: chat not found')
  }

  function tell(update: Omit<Update, 'update_id'>): void {
    updates.push({ update_id: ++count.update, ...update } as Update)
    wake.resolve()
    wake = Promise.withResolvers()
  }

  function find(id: string): Message {
    const found = messages.get(id)
    if (found) return found
    throw new Error(`there is no message ${id}`)
  }

  function write(from: User, text: string, { where = 'general', replyTo, more }: Said): Message {
    const inTopic = where === 'plans'
    const root = { message_id: PLANS, date: 0, chat: chatOf(where), forum_topic_created: { name: 'plans', icon_color: 0 } }
    const answered = replyTo === undefined ? (inTopic ? root : undefined) : { ...find(replyTo), reply_to_message: undefined }
    const message = {
      message_id: ++count.message,
      date: Math.floor(Date.now() / 1_000),
      chat: chatOf(where),
      from,
      text,
      ...entitiesIn(text),
      ...(inTopic && { is_topic_message: true, message_thread_id: PLANS }),
      ...(answered && { reply_to_message: answered }),
      ...more,
    } as Message
    messages.set(String(message.message_id), message)
    return message
  }

  const methods: Record<string, (params: Params, request: Request) => unknown> = {
    getMe: () => ({ ...BOT, can_join_groups: true, can_read_all_group_messages: false, supports_inline_queries: false }),
    deleteWebhook: () => true,
    getWebhookInfo: () => ({ url: '' }),
    getUserProfilePhotos: () => ({ total_count: 0, photos: [] }),

    async getUpdates({ offset = 0, limit = 100, timeout = 0 }, request) {
      updates = updates.filter(({ update_id: id }) => id >= Number(offset))
      if (updates.length === 0 && Number(timeout) > 0) {
        await Promise.race([wake.promise, once(request.socket, 'close'), later(Number(timeout) * 1_000)])
      }
      return updates.slice(0, Number(limit))
    },

    sendMessage({ chat_id: chat, text, message_thread_id: thread, reply_to_message_id: old, reply_parameters: reply }) {
      const where = whereOf(Number(chat), thread === undefined ? undefined : Number(thread))
      if (typeof text !== 'string' || text === '') throw new Refused(400, 'Bad Request: message text is empty')
      if (text.length > LENGTH) throw new Refused(400, 'Bad Request: message is too long')
      const { message_id: target } = (reply ?? { message_id: old }) as { readonly message_id?: number | string }
      const replyTo = target !== undefined && messages.has(String(target)) ? String(target) : undefined
      const message = write(BOT, text, { where, ...(replyTo !== undefined && { replyTo }) })
      const id = String(message.message_id)
      posted.push({ id, where, text, edits: [], ...(replyTo !== undefined && { replyTo }) })
      typedAt = Number.NEGATIVE_INFINITY
      return message
    },

    editMessageText({ message_id: id, text }) {
      const post = posted.find(one => one.id === String(id))
      if (!post) throw new Refused(400, 'Bad Request: message to edit not found')
      if (post.text === text) throw new Refused(400, 'Bad Request: message is not modified')
      post.text = String(text)
      post.edits.push(post.text)
      return Object.assign(find(post.id), { text })
    },

    deleteMessage({ message_id: id }) {
      const at = posted.findIndex(one => one.id === String(id))
      if (at < 0) throw new Refused(400, 'Bad Request: message to delete not found')
      posted.splice(at, 1)
      messages.delete(String(id))
      return true
    },

    setMessageReaction({ message_id: id, reaction }) {
      const [{ emoji }] = reaction as [{ readonly emoji: string }]
      if (!REACTIONS.has(emoji)) throw new Refused(400, 'Bad Request: REACTION_INVALID')
      reactions.push({ message: String(id), emoji })
      return true
    },

    sendChatAction() {
      typedAt = performance.now()
      return true
    },

    getChatMember({ user_id: id }) {
      const user = [...people.values()].find(one => one.id === Number(id))
      if (!user) throw new Refused(400, 'Bad Request: member not found')
      return { user, status: admins.has(user.first_name) ? 'administrator' : 'member' }
    },

    getFile({ file_id: id }) {
      if (!files.has(String(id))) throw new Refused(400, 'Bad Request: invalid file_id')
      return { file_id: id, file_unique_id: id, file_path: `documents/${id}` }
    },
  }

  async function answer(request: Request, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', 'http://telegram')
    const file = new RegExp(`^/file/bot${TOKEN}/documents/(\\w+)$`).exec(pathname)?.[1]
    if (file !== undefined) return void response.end(files.get(file))
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? []
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const params = (body === '' ? {} : JSON.parse(body)) as Params
    calls.push({ method, params })
    const fault = faults.get(method)?.shift()
    if (fault && 'cut' in fault) {
      if (fault.cut === 'after') await methods[method]?.(params, request)
      return void request.socket.destroy()
    }
    response.setHeader('content-type', 'application/json')
    try {
      if (token !== TOKEN) throw new Refused(401, 'Unauthorized')
      if (fault) throw new Refused(fault.status, fault.description ?? 'Too Many Requests: retry later')
      const run = methods[method]
      if (!run) throw new Refused(404, 'Not Found: method not found')
      response.end(JSON.stringify({ ok: true, result: await run(params, request) }))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const wait = fault && 'retryAfter' in fault ? { parameters: { retry_after: fault.retryAfter } } : {}
      response.statusCode = error.status
      response.end(JSON.stringify({ ok: false, error_code: error.status, description: error.message, ...wait }))
    }
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => request.socket.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    token: TOKEN,
    apiUrl: `http://127.0.0.1:${port}`,
    posted,
    reactions,
    calls,
    admins,
    /** Whether people see the bot typing. */
    typing: () => performance.now() - typedAt < typingMs,
    /** The updates that the bot has not confirmed. */
    waiting: () => updates.length,
    /** A person writes. Returns the id of the message. */
    say(author: string, text: string, said: Said = {}): string {
      const message = write(person(author), text, said)
      tell({ message: message as NonNullable<Update['message']> })
      return String(message.message_id)
    },
    edit(id: string, text: string): void {
      const message = Object.assign(find(id), { text, entities: undefined, ...entitiesIn(text), edit_date: 1 })
      tell({ edited_message: message as NonNullable<Update['edited_message']> })
    },
    /** Delivers the update of a message again. */
    redeliver(id: string): void {
      tell({ message: find(id) as NonNullable<Update['message']> })
    },
    react(author: string, id: string, before: readonly string[], now: readonly string[]): void {
      const { chat } = find(id)
      const emoji = (all: readonly string[]) => all.map(one => ({ type: 'emoji', emoji: one }))
      const change = { old_reaction: emoji(before), new_reaction: emoji(now) }
      const message_reaction = { chat, message_id: Number(id), user: person(author), date: 0, ...change }
      tell({ message_reaction } as unknown as Omit<Update, 'update_id'>)
    },
    /** A file that people have sent. */
    file(id: string, content: string): void {
      files.set(id, Buffer.from(content))
    },
    /** The next call of a method fails so. */
    fail(method: string, fault: Fault): void {
      faults.set(method, [...(faults.get(method) ?? []), fault])
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TelegramEmulator = Awaited<ReturnType<typeof startTelegram>>

/** Telegram leaves out what is empty. */
function entitiesIn(text: string): { readonly entities?: MessageEntity[] } {
  const entities = Array.from(text.matchAll(/(?<![\w@])@\w{3,}/g), ({ 0: name, index }) => ({
    type: 'mention' as const,
    offset: index,
    length: name.length,
  }))
  return entities.length > 0 ? { entities } : {}
}

const later = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())
