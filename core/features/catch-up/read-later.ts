/**
 * Remembers the conversations in which messages were shed, and reads them from the platform's history when the bot keeps up again. The
 * list is in the database, where a restart finds it; the memory holds what is not written yet.
 */
import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import type { Arrival, Conversation, Platform } from '../../api/index.ts'
import { inBackground } from '../../base/background.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { Heard, Store } from '../../storage/store/store.ts'

export interface ReadLaterOptions {
  readonly store: Pick<Store, 'markUnread' | 'beginReadingSince' | 'unread'>
  readonly clock: Clock
  readonly log: Logger
  readonly stopping: AbortSignal
  readonly platforms: ReadonlyMap<string, Platform>
  /** Whether the bot sheds messages now. */
  isShedding(): boolean
  /** Reads all messages after a mark. False: it failed. */
  readMark(platform: Platform, mark: Heard): Promise<boolean>
  /** Reads the messages since a time. False: it failed. */
  readSince(platform: Platform, conversation: Conversation, since: Date): Promise<boolean>
}

export interface ReadLater {
  /** A message was shed. False: its conversation cannot be remembered, because there are too many. */
  note(platform: Platform, arrival: Arrival): boolean
  /** The reading of a conversation begins. The returned function tells whether no message was shed there since. */
  reading(conversation: string): () => boolean
  /** Begins to read, unless it is being done already. */
  begin(): void
}

interface Gap {
  readonly platform: Platform
  readonly conversation: Conversation
  /** When the first shed message was written. */
  readonly at: Date
}

/** Largest number of conversations in memory of each list. */
const CONVERSATIONS = 10_000
/** Conversations that are marked with one statement, and that are read from the list at a time. */
const MARKS = 1_000
const PAGE = 100
/** Milliseconds between two statements that mark. */
const GATHER = 250
const LOOK = 1_000
/** Conversations that are read at a time. Each waits for the platform. */
const AT_ONCE = 4
/** Pauses before another attempt after a failure. */
const AGAIN = [0, 5_000, 30_000, 120_000]

export function createReadLater(options: ReadLaterOptions): ReadLater {
  const { store, clock, log, stopping, platforms, isShedding, readMark, readSince } = options
  const unmarked = new Map<string, Gap>()
  /** Without a recorded message before the shed one, so that there is nothing to mark. */
  const fresh = new Map<string, Gap>()
  const marked = new RecentMap<true>(CONVERSATIONS)
  let marking = false
  let isReading = false

  function note(platform: Platform, { conversation: given, at }: Arrival): boolean {
    const conversation = sanitizeConversation(given)
    const { id } = conversation
    if (marked.has(id) || unmarked.has(id) || fresh.has(id)) return true
    if (unmarked.size >= CONVERSATIONS || fresh.size >= CONVERSATIONS) return false
    unmarked.set(id, { platform, conversation, at })
    if (!marking) void inBackground(mark)
    return true
  }

  async function mark(): Promise<void> {
    marking = true
    try {
      while (unmarked.size > 0) {
        await markSome(unmarked).catch(() => {
          stopping.throwIfAborted()
        })
        await sleep(clock, GATHER, stopping)
      }
    } catch {
      // The bot stops.
    } finally {
      // In the same tick as the last check: nothing can be added in between.
      marking = false
    }
  }

  async function markSome(of: Map<string, Gap>): Promise<void> {
    const gaps = [...of.values()].slice(0, MARKS)
    const done = await store.markUnread(gaps.map(({ conversation, at }) => ({ conversation: conversation.id, at })))
    const first = gaps.filter(({ conversation }) => !done.has(conversation.id))
    for (const [platform, some] of Map.groupBy(first, gap => gap.platform))
      await store.beginReadingSince(
        platform.name,
        some.map(({ conversation, at }) => ({ conversation: conversation.id, at })),
      )
    for (const gap of gaps) {
      const { id } = gap.conversation
      of.delete(id)
      if (!done.has(id)) {
        fresh.set(id, gap)
        continue
      }
      marked.set(id, true)
    }
  }

  async function calm(): Promise<void> {
    while (isShedding() || unmarked.size > 0) await sleep(clock, LOOK, stopping)
  }

  /** Reads several at a time. Returns the number of failures. */
  async function each<T>(items: readonly T[], read: (item: T) => Promise<boolean>): Promise<number> {
    const left = items.values()
    let failed = 0
    const one = async () => {
      for (const item of left) {
        await calm()
        if (!(await read(item))) failed++
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
    return failed
  }

  async function readMarked(platform: Platform): Promise<number> {
    let failed = 0
    for (let after = ''; ; ) {
      await calm()
      const marks = await store.unread(platform.name, PAGE, after)
      const last = marks.at(-1)
      if (!last) return failed
      failed += await each(marks, mark => readMark(platform, mark))
      after = last.conversation.id
    }
  }

  async function readFresh({ platform, conversation, at }: Gap): Promise<boolean> {
    fresh.delete(conversation.id)
    const isRead = await readSince(platform, conversation, at)
    if (!isRead) fresh.set(conversation.id, { platform, conversation, at })
    return isRead
  }

  async function readAll(): Promise<void> {
    for (const wait of AGAIN) {
      await sleep(clock, wait, stopping)
      let failed = 0
      await calm()
      // A message before may have waited when the first one was shed.
      for (let count = fresh.size; count > 0; count -= MARKS) await markSome(fresh)
      for (const platform of platforms.values()) if (platform.history) failed += await readMarked(platform)
      failed += await each([...fresh.values()], readFresh)
      if (failed === 0) return
    }
  }

  return {
    note,

    reading(conversation) {
      marked.delete(conversation)
      return () => !marked.has(conversation) && !unmarked.has(conversation) && !fresh.has(conversation)
    },

    begin() {
      if (isReading) return
      isReading = true
      readAll()
        .catch((error: unknown) => {
          if (!stopping.aborted) log.warn(`could not read shed messages: ${reason(error)}`)
        })
        .finally(() => {
          isReading = false
        })
    },
  }
}
