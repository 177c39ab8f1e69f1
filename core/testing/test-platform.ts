import {
  type Conversation,
  conversationId,
  type IncomingMessage,
  type Outgoing,
  type Person,
  type Platform,
} from '../api/index.ts'

/** A post of the bot. */
export type Posted =
  | {
      readonly kind: 'text'
      readonly id: string
      readonly channel: string
      readonly thread?: string
      readonly text: string
      readonly replyTo?: string
      readonly nonce: string
    }
  | { readonly kind: 'reaction'; readonly channel: string; readonly thread?: string; readonly emoji: string; readonly to: string }

export interface TestPlatform extends Platform {
  readonly posted: Posted[]
  /** The number of typing indicators that are on. */
  readonly typingNow: number
  /** The number of typing indicators that were ever begun. */
  readonly typingBegun: number
  /** What the next sends and reads do first: throw this error, or wait for this promise. One entry each. */
  readonly faults: (Error | Promise<void>)[]
}

export interface TestPlatformOptions {
  readonly me: Person
  readonly textLength?: number
  /** True: the platform drops doubles. */
  readonly idempotent?: boolean
  /** True: a quoted answer opens a thread under its question. */
  readonly opensThreads?: boolean
  /** The messages for `history`. Absent: the platform has no history. Its conversations are its `channels`. */
  readonly past?: readonly IncomingMessage[]
}

/** A platform in memory with a journal of posts. */
export function testPlatform({
  me,
  textLength = 2_000,
  idempotent = false,
  opensThreads = false,
  past,
}: TestPlatformOptions): TestPlatform {
  const posted: Posted[] = []
  const faults: (Error | Promise<void>)[] = []
  const nonces = new Map<string, string>()
  const typing = { now: 0, begun: 0 }

  async function fault(): Promise<void> {
    const next = faults.shift()
    if (next instanceof Error) throw next
    await next
  }

  const place = ({ channel, thread }: Conversation) => ({ channel, ...(thread !== undefined && { thread }) })

  return {
    name: 'test',
    me,
    limits: { textLength },
    idempotent,
    posted,
    faults,
    get typingNow() {
      return typing.now
    },
    get typingBegun() {
      return typing.begun
    },
    async send(conversation: Conversation, { text, replyTo, nonce }: Outgoing) {
      await fault()
      const known = idempotent ? nonces.get(nonce) : undefined
      if (known !== undefined) return { id: known }
      const id = `bot-${nonce}`
      nonces.set(nonce, id)
      const thread = opensThreads && conversation.thread === undefined ? replyTo : undefined
      const where = { ...place(conversation), ...(thread !== undefined && { thread }) }
      posted.push({ kind: 'text', id, ...where, text, ...(replyTo !== undefined && { replyTo }), nonce })
      return { id, ...(thread !== undefined && { thread }) }
    },
    async react(conversation, to, emoji) {
      await fault()
      posted.push({ kind: 'reaction', ...place(conversation), emoji, to })
    },
    typing() {
      typing.now++
      typing.begun++
      return () => void typing.now--
    },
    ...(past && {
      channels: async () => [...new Map(past.map(({ conversation }) => [conversationId(conversation), conversation])).values()],
      async history({ id }, { after, limit }) {
        await fault()
        const there = past.filter(({ conversation }) => conversationId(conversation) === id)
        const first = after === undefined ? -limit : there.findIndex(one => one.id === after) + 1
        return there.slice(first).slice(0, limit)
      },
    }),
  }
}
