/** What events and requests have brought and the database does not hold: in memory, for ten minutes, as people see it now. */
import { type Conversation, channelOf, type IncomingMessage } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { MessageChange } from '../../kernel/turns/conversations.ts'

/** Milliseconds. */
const LASTS = 10 * 60_000
/** Largest number of messages, and of conversations with earlier messages. */
const MESSAGES = 1_000
const CONVERSATIONS = 100
/** Changes remembered while something is read. */
const CHANGES = 1_000

/** A message, or why it is not there. */
export type Found = IncomingMessage | 'deleted' | 'unreadable'

/** What a message of a channel says now. `unknown`: it has changed, and another process knows how. */
export type Change = MessageChange | 'unknown'

/** What was said in a conversation before, oldest first, or why that is not known. */
export interface Earlier {
  readonly messages: readonly IncomingMessage[]
  readonly problem?: string
}

export interface Cache {
  message(conversation: Conversation, id: string): Found | undefined
  earlier(conversation: Conversation): Earlier | undefined
  /** Keeps a message that came with another one. */
  note(conversation: Conversation, message: IncomingMessage): void
  /**
   * Runs a request and keeps what it returns. Changes that people make meanwhile are applied; an answer that arrives after `clear`
   * is not kept.
   */
  reading<T>(read: (keep: Keep) => Promise<T>): Promise<T>
  change(channel: string, message: string, to: Change): void
  clear(): void
}

export interface Keep {
  message(conversation: Conversation, id: string, found: Found): Found
  earlier(conversation: Conversation, found: Earlier): Earlier
}

export function createCache(clock: Clock): Cache {
  const messages = createShelf<Found>(clock, MESSAGES)
  const conversations = createShelf<Earlier & { readonly channel: string }>(clock, CONVERSATIONS)
  const changes = new Map<string, Change>()
  let readers = 0
  let clearings = 0
  const keyOf = (channel: string, id: string) => `${channel}\n${id}`

  function changed(message: IncomingMessage, to: Change | undefined): IncomingMessage[] {
    if (typeof to === 'string') return []
    return [to ? { ...message, ...to } : message]
  }

  /** What was found, after the change. */
  function foundNow(found: Found, to: Change | undefined): Found | undefined {
    if (typeof found === 'string') return found
    return changed(found, to)[0] ?? (to === 'deleted' ? to : undefined)
  }

  return {
    message: (conversation, id) => messages.get(keyOf(channelOf(conversation), id)),
    earlier: ({ id }) => conversations.get(id),

    note(conversation, message) {
      const key = keyOf(channelOf(conversation), message.id)
      const now = messages.get(key) === 'deleted' ? undefined : foundNow(message, changes.get(key))
      if (now !== undefined) messages.set(key, now)
    },

    async reading(read) {
      const before = clearings
      readers++
      try {
        return await read({
          message(conversation, id, found) {
            const key = keyOf(channelOf(conversation), id)
            const now = foundNow(found, changes.get(key))
            if (clearings === before && now !== undefined) messages.set(key, now)
            return now ?? 'unreadable'
          },
          earlier(conversation, found) {
            const channel = channelOf(conversation)
            const now = found.messages.flatMap(one => changed(one, changes.get(keyOf(channel, one.id))))
            if (clearings === before) conversations.set(conversation.id, { ...found, messages: now, channel })
            return { ...found, messages: now }
          },
        })
      } finally {
        readers--
        if (readers === 0) changes.clear()
      }
    },

    change(channel, id, to) {
      const key = keyOf(channel, id)
      if (readers > 0 && changes.size < CHANGES) changes.set(key, to)
      messages.change(key, found => foundNow(found, to))
      for (const [where, told] of conversations.entries()) {
        if (told.channel !== channel || told.messages.every(one => one.id !== id)) continue
        const left = told.messages.flatMap(one => (one.id === id ? changed(one, to) : [one]))
        conversations.change(where, () => ({ ...told, messages: left }))
      }
    },

    clear() {
      clearings++
      messages.clear()
      conversations.clear()
    },
  }
}

/** Values that last for a while, the oldest first. */
function createShelf<T>(clock: Clock, most: number) {
  const values = new Map<string, { readonly value: T; readonly at: number }>()
  // Without `abs`, a clock that is set back would extend their life.
  const isOver = (at: number) => Math.abs(clock.now() - at) >= LASTS

  return {
    get(key: string): T | undefined {
      const known = values.get(key)
      return known && !isOver(known.at) ? known.value : undefined
    },

    set(key: string, value: T): void {
      values.delete(key)
      values.set(key, { value, at: clock.now() })
      for (const [oldest, { at }] of values) {
        if (values.size <= most && !isOver(at)) return
        values.delete(oldest)
      }
    },

    /** The value is dropped when nothing is left of it. */
    change(key: string, to: (value: T) => T | undefined): void {
      const known = values.get(key)
      if (!known) return
      const value = to(known.value)
      if (value === undefined) values.delete(key)
      else values.set(key, { ...known, value })
    },

    entries: () => [...values].map(([key, { value }]) => [key, value] as const),
    clear: () => values.clear(),
  }
}
