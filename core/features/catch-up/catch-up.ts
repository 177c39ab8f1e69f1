/** Catch-up: reads missed messages from a platform's history. */

import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import { type Conversation, channelOf, type IncomingMessage, type MissedMessages, type Platform } from '../../api/index.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Conversations, MessageChange } from '../../kernel/turns/conversations.ts'
import type { Heard, Store } from '../../storage/store/store.ts'
import type { Shedding } from '../overload/overload.ts'
import { createReadLater } from './read-later.ts'

/** Largest number of conversations to read, those with the newest messages. */
const CONVERSATIONS = 200
/** The number of conversations to filter when only some are requested. */
const AMONG = 5_000
/** Largest number of messages of one conversation, and of one request. */
const MESSAGES = 500
const PAGE = 100
/** Milliseconds a platform has for one page. Slack may make an app wait for a minute. */
const DEADLINE = 120_000
/** Pauses before another attempt after a failure. */
const AGAIN = [5_000, 30_000, 120_000]
/** Changes remembered while reading. People do not make more. */
const CHANGES = 10_000
/** Largest difference between the platform's clock and ours. A message that is read twice is recorded once. */
const SKEW = 60_000

export interface CatchUpOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly stopping: AbortSignal
  readonly conversations: Pick<Conversations, 'receive' | 'onChange'>
  readonly platforms: ReadonlyMap<string, Platform>
  readonly shedding: Pick<Shedding, 'now' | 'onCalm' | 'onShed'>
  /** A message was read and recorded. */
  wasRead(platform: string): void
}

/** A conversation without recorded messages, and the time since which its messages are missed. */
interface Fresh {
  readonly conversation: Conversation
  readonly since: Date
}

export type Some = (conversation: Omit<Conversation, 'id'>) => boolean

export function createCatchUp(options: CatchUpOptions): MissedMessages {
  const { store, clock, log, stopping, conversations, platforms, shedding, wasRead } = options
  let readers = 0
  /** Messages that changed during catch-up, by channel and message. */
  const changes = new Map<string, MessageChange>()
  const keyOf = (conversation: Conversation, message: string) => `${channelOf(conversation)}\n${message}`

  // A message can change while history is read: the page may not contain the change.
  conversations.onChange((conversation, message, to) => {
    if (readers > 0 && changes.size < CHANGES) changes.set(keyOf(conversation, message), to)
  })

  async function takeIn(platform: Platform, message: IncomingMessage): Promise<void> {
    const conversation = sanitizeConversation(message.conversation)
    const key = keyOf(conversation, message.id)
    if (changes.get(key) === 'deleted') return
    if (await conversations.receive(platform, message, 'missed')) wasRead(platform.name)
    // It can have changed while it was being recorded, before the change could find it.
    const change = changes.get(key)
    const now = new Date(clock.now())
    if (change === 'deleted') await store.remove(conversation, message.id, now)
    else if (change) await store.edit(conversation, message.id, change, now)
  }

  async function page(
    platform: Platform,
    conversation: Conversation,
    range: { readonly after?: string; readonly before?: string; readonly limit: number },
  ): Promise<readonly IncomingMessage[]> {
    const told = await answered(platform, signal => platform.history?.(conversation, range, signal))
    if (Array.isArray(told)) return told
    throw new KikimimiError('STAGE_NONSENSE', `${platform.name} returned nonsense for its history: expected a list of messages.`)
  }

  function answered<T>(platform: Platform, ask: (signal: AbortSignal) => Promise<T> | undefined): Promise<T | undefined> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `${platform.name} gave no answer within ${DEADLINE} ms`)
    return withTimeout({ clock, ms: DEADLINE, late, signal: stopping }, async signal => ask(signal))
  }

  /**
   * @param most the largest number of messages
   * @returns the number of messages, and the last one if there are more
   */
  async function readFrom(
    platform: Platform,
    conversation: Conversation,
    last: string,
    most: number,
  ): Promise<{ readonly count: number; readonly more?: string }> {
    let after = last
    let count = 0
    while (count < most) {
      const told = await page(platform, conversation, { after, limit: PAGE })
      for (const message of told.slice(0, most - count)) await takeIn(platform, message)
      count += told.length
      const newest = told.at(-1)
      // A page that is longer than requested is the whole history.
      if (!newest || (told.length !== PAGE && count <= most)) return { count }
      after = newest.id
    }
    return { count, more: after }
  }

  async function readOn(platform: Platform, conversation: Conversation, last: string): Promise<number> {
    const { count, more } = await readFrom(platform, conversation, last, MESSAGES)
    if (more === undefined) return count
    log.warn('too many missed messages: only the beginning and the end were read', { conversation: conversation.id, read: count })
    // A recent mention waits for an answer.
    for (const message of await page(platform, conversation, { limit: PAGE })) await takeIn(platform, message)
    return count
  }

  /**
   * A conversation without recorded messages has no last message, only the time since which the platform was not connected.
   */
  async function readNew(platform: Platform, conversation: Conversation, since: Date): Promise<number> {
    const missed: IncomingMessage[] = []
    for (let before: string | undefined; ; ) {
      const told = await page(platform, conversation, { ...(before !== undefined && { before }), limit: PAGE })
      const recent = told.filter(({ at }) => at.getTime() >= since.getTime() - SKEW)
      missed.unshift(...recent)
      before = told[0]?.id
      if (told.length !== PAGE || recent.length < told.length || missed.length >= MESSAGES) break
    }
    for (const message of missed) await takeIn(platform, message)
    return missed.length
  }

  /** The channels without recorded messages, and those that had none when their reading began and did not end. */
  async function neverHeard(platform: Platform, marks: readonly Heard[], latest: Date, only?: Some): Promise<readonly Fresh[]> {
    const known = new Set(marks.map(({ conversation }) => conversation.id))
    const open = (await answered(platform, signal => platform.channels?.(signal))) ?? []
    const begun = await store.readingSince(platform.name)
    const channels = open.filter(conversation => only?.(conversation) ?? true).map(sanitizeConversation)
    const unread = channels.filter(({ id }) => begun.has(id))
    const fresh = channels.filter(({ id }) => !known.has(id) && !begun.has(id)).slice(0, CONVERSATIONS - marks.length)
    await store.beginReadingSince(
      platform.name,
      fresh.map(({ id }) => ({ conversation: id, at: latest })),
    )
    return [...unread, ...fresh].map(conversation => ({ conversation, since: begun.get(conversation.id) ?? latest }))
  }

  /** Nothing after a failure: the channel may be deleted or closed to the bot. */
  async function attempt<T>(platform: Platform, where: string | undefined, run: () => Promise<T>): Promise<T | undefined> {
    try {
      return await run()
    } catch (error) {
      stopping.throwIfAborted()
      log.warn(`could not read missed messages: ${reason(error)}`, { platform: platform.name, conversation: where })
      return undefined
    }
  }

  /** Returns the marks that failed. After a crash, the next start reads from the same marks. */
  async function readHeard(platform: Platform, marks: readonly Heard[]): Promise<readonly Heard[]> {
    const failed: Heard[] = []
    let count = 0
    await store.beginReading(marks)
    for (const mark of marks) {
      const { conversation, last } = mark
      const isWhole = later.reading(conversation.id)
      const read = await attempt(platform, conversation.id, () => readOn(platform, conversation, last))
      if (read === undefined) failed.push(mark)
      else if (isWhole()) await store.endReading(conversation)
      count += read ?? 0
    }
    if (count > 0) log.info('read missed messages', { platform: platform.name, messages: count })
    return failed
  }

  /** Returns the conversations that failed. */
  async function readNeverHeard(platform: Platform, fresh: readonly Fresh[]): Promise<readonly Fresh[]> {
    const failed: Fresh[] = []
    for (const one of fresh) if (!(await readFresh(platform, one))) failed.push(one)
    return failed
  }

  /** False: it failed. The next start reads from the same time. */
  async function readFresh(platform: Platform, { conversation, since }: Fresh): Promise<boolean> {
    const isWhole = later.reading(conversation.id)
    if ((await attempt(platform, conversation.id, () => readNew(platform, conversation, since))) === undefined) return false
    if (isWhole()) await store.endReadingSince(conversation)
    return true
  }

  /** All messages since they were shed, however many there are. What is read is not read again after a restart. */
  async function readShed(platform: Platform, { conversation, last }: Heard): Promise<boolean> {
    const isWhole = later.reading(conversation.id)
    const read = async () => {
      let count = 0
      for (let from: string | undefined = last; from !== undefined; ) {
        const { count: some, more } = await readFrom(platform, conversation, from, MESSAGES)
        count += some
        from = more
        if (more !== undefined) await store.beginReading([{ conversation, last: more, receivedAt: new Date(clock.now()) }])
      }
      return count
    }
    if ((await reading(() => attempt(platform, conversation.id, read))) === undefined) return false
    if (isWhole()) await store.endReading(conversation)
    return true
  }

  const later = createReadLater({
    ...{ store, clock, log, stopping, platforms },
    isShedding: () => shedding.now !== undefined,
    readMark: readShed,
    readSince: (platform, conversation, since) => reading(() => readFresh(platform, { conversation, since })),
  })
  shedding.onShed(later.note)
  shedding.onCalm(later.begin)

  /** @param read reads what is left, and returns whether that was all */
  async function readAgain(read: () => Promise<boolean>): Promise<void> {
    for (const wait of AGAIN) {
      await sleep(clock, wait, stopping)
      if (await reading(read)) return
    }
  }

  /** Changes of messages are remembered while it runs. */
  async function reading<T>(run: () => Promise<T>): Promise<T> {
    readers++
    try {
      return await run()
    } finally {
      readers--
      if (readers === 0) changes.clear()
    }
  }

  return {
    receive: takeIn,

    async trackPosition(platform, only) {
      if (!platform.history) return async () => {}
      const heard = await store.heard(platform.name, only ? AMONG : CONVERSATIONS)
      const marks = only ? heard.filter(({ conversation }) => only(conversation)).slice(0, CONVERSATIONS) : heard
      // A bot without recorded messages has missed nothing.
      const [latest] = marks
      if (!latest) return async () => later.begin()
      let left: readonly Heard[] = marks
      let fresh: readonly Fresh[] | undefined
      const read = async () => {
        left = await readHeard(platform, left)
        fresh ??= await attempt(platform, undefined, () => neverHeard(platform, marks, latest.receivedAt, only))
        fresh &&= await readNeverHeard(platform, fresh)
        return left.length === 0 && fresh?.length === 0
      }
      return async () => {
        const isWhole = await reading(read)
        // Shed before a restart.
        later.begin()
        if (isWhole) return
        // No wait. What fails again is read with the next connection.
        readAgain(read).catch((error: unknown) => {
          if (!stopping.aborted) log.warn(`could not read missed messages: ${reason(error)}`, { platform: platform.name })
        })
      }
    },
  }
}
