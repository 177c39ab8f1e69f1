import type { Conversation, Outgoing, Person, Platform } from '../plugin.ts'

/** Something the bot posted. */
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
  /** How many typing indicators are on right now. */
  readonly typingNow: number
  /** How many were ever begun. */
  readonly typingBegun: number
  /** What the next sends do instead of posting: throw this, or wait for this. One entry each. */
  readonly faults: (Error | Promise<void>)[]
}

/** A platform in memory with a journal of what was posted. */
export function testPlatform({
  me,
  textLength = 2_000,
  idempotent = false,
}: {
  me: Person
  textLength?: number
  idempotent?: boolean
}): TestPlatform {
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
      posted.push({ kind: 'text', id, ...place(conversation), text, ...(replyTo !== undefined && { replyTo }), nonce })
      return { id }
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
  }
}
