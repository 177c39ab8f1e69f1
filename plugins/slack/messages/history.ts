/** Reads the history of Slack. */
import type { webApi } from '@slack/bolt'
import type { Clock, Conversation, IncomingMessage } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { type Incoming, isTimestamp, type Told } from './incoming.ts'
import { endOfThread, type Part } from './thread-end.ts'

export interface HistoryOptions {
  readonly clock: Clock
  readonly calls: Calls
  readonly incoming: Incoming
  /** Aborted when the bot receives no more messages. */
  readonly closing: AbortSignal
}

/** Messages per request. Slack advises at most 200. */
const PAGE = 200
/** Maximum number of requests. Older messages stay unread; in a thread, newer ones. */
const PAGES = 10
/** Without a start time, threads that have been quiet for this long are not read. */
const RECENT_MS = 24 * 60 * 60_000

interface Range {
  readonly oldest?: string
  readonly latest?: string
}

/** How much is read, and how patiently: somebody may be waiting for it. */
interface Reading {
  readonly range: Range
  readonly enough: number
  readonly signal: AbortSignal
  readonly tries?: number
}

type Page = webApi.ConversationsHistoryResponse | webApi.ConversationsRepliesResponse

export type History = Required<Pick<Platform, 'history' | 'message' | 'pins'>>

/** Slack's words for a message that does not exist, or no longer. */
const GONE: ReadonlySet<string | undefined> = new Set(['thread_not_found', 'message_not_found'])

export function createHistory({ clock, calls, incoming, closing }: HistoryOptions): History {
  const channelPage = (asked: webApi.ConversationsHistoryArguments, how: { signal: AbortSignal; tries?: number }) =>
    calls.call<Page>('conversations.history', client => client.conversations.history(asked), how)
  const threadPage = (asked: webApi.ConversationsRepliesArguments, how: { signal: AbortSignal; tries?: number }) =>
    calls.call<Page>('conversations.replies', client => client.conversations.replies(asked), how)

  /**
   * Slack lists a channel from its end, so that a part may suffice, and a thread from its beginning:
   * https://docs.slack.dev/reference/methods/conversations.replies
   */
  async function all(channel: string, thread: string | undefined, { range, enough, ...how }: Reading): Promise<Told[]> {
    const found: Told[] = []
    let cursor: string | undefined
    for (let page = 0; page < PAGES; page++) {
      const asked = { channel, limit: PAGE, ...range, ...(cursor !== undefined && { cursor }) }
      try {
        const told = await (thread === undefined ? channelPage(asked, how) : threadPage({ ...asked, ts: thread }, how))
        found.push(...(told.messages ?? []))
        cursor = told.response_metadata?.next_cursor || undefined
      } catch (error) {
        // Somebody waits: a part is better than nothing.
        if (how.tries === 1 && found.length > 0) return found
        throw error
      }
      if (cursor === undefined || (thread === undefined && found.length >= enough)) return found
    }
    return found
  }

  /** Reads the threads of these messages, because Slack lists them separately. Each is a request, so only recent ones. */
  async function withReplies(channel: string, told: readonly Told[], { range, signal }: Reading): Promise<readonly Told[]> {
    const found = [...told]
    const since = range.oldest === undefined ? (clock.now() - RECENT_MS) / 1_000 : 0
    for (const { ts, latest_reply = '0' } of told) {
      if (ts === undefined || Number(latest_reply) <= since) continue
      found.push(...(await all(channel, ts, { range, enough: Number.POSITIVE_INFINITY, signal })))
    }
    return found
  }

  async function read({ channel, thread }: Conversation, reading: Reading): Promise<readonly Told[]> {
    const { oldest, latest } = reading.range
    if (thread !== undefined && latest !== undefined && oldest === undefined) {
      const { enough, signal } = reading
      const page = (part: Part) => threadPage({ channel, ts: thread, latest, ...part }, { signal, tries: 1 })
      return endOfThread(page, { thread, latest, enough })
    }
    const told = await all(channel, thread, reading)
    return thread === undefined && reading.range.latest === undefined ? withReplies(channel, told, reading) : told
  }

  /** The message as Slack lists it: the first one of a thread and the others of it in the thread, any other in the channel. */
  async function one({ channel, thread }: Conversation, ts: string, signal: AbortSignal): Promise<Told | undefined> {
    const how = { signal, tries: 1 }
    const exactly = { channel, inclusive: true, limit: 1 }
    // A thread begins each page with its first message.
    const { messages = [] } =
      ts === thread
        ? await threadPage({ ...exactly, ts }, how)
        : thread !== undefined && Number(ts) > Number(thread)
          ? await threadPage({ ...exactly, ts: thread, oldest: ts, latest: ts, limit: 2 }, how)
          : await channelPage({ ...exactly, latest: ts }, how)
    const told: readonly Told[] = messages
    return told.find(message => message.ts === ts)
  }

  async function history(
    conversation: Conversation,
    { after, before, limit }: Parameters<History['history']>[1],
    signal: AbortSignal,
  ): Promise<readonly IncomingMessage[]> {
    // Not an error: the bot stops.
    if (closing.aborted) return []
    const [oldest, latest] = [timestampOf(after), timestampOf(before)]
    const range = { ...(oldest !== undefined && { oldest }), ...(latest !== undefined && { latest }) }
    const enough = oldest === undefined ? limit : Number.POSITIVE_INFINITY
    let told: readonly Told[]
    try {
      // What was missed is read in the background. What was said before is read for an answer.
      told = await read(conversation, { range, enough, signal, ...(latest !== undefined && { tries: 1 }) })
    } catch (error) {
      // The whole thread was deleted.
      if (GONE.has(refusalOf(error))) return []
      throw error
    }
    const inTime = new Map<string, Told>()
    for (const one of told) {
      if (one.ts !== undefined && one.ts !== oldest && isWithin(one.ts, range)) inTime.set(one.ts, one)
    }
    const messages: IncomingMessage[] = []
    for (const one of inTime.values()) {
      const message = await incoming.message(one, conversation.channel)
      if (message) messages.push(message)
    }
    messages.sort((one, other) => Number(one.id) - Number(other.id))
    // A cut would make the next run start after the last message and lose messages of threads that began earlier.
    return oldest === undefined ? messages.slice(-limit) : messages
  }

  return {
    history,

    /** Slack lists all pins of a channel at once, the latest first. */
    async pins({ channel }, signal) {
      const { items = [] } = await calls.call('pins.list', client => client.pins.list({ channel }), { signal })
      const told = items.flatMap(({ message }): Told[] => (message ? [message] : []))
      const found = await Promise.all(told.map(message => incoming.message(message, channel)))
      return found.filter(message => message !== undefined)
    },

    async message(conversation, id, signal) {
      // Slack does not list commands.
      if (!isTimestamp(id)) return undefined
      try {
        const told = await one(conversation, id, signal)
        return told && (await incoming.message(told, conversation.channel))
      } catch (error) {
        if (GONE.has(refusalOf(error))) return undefined
        throw error
      }
    },
  }
}

/** The first message of a thread is in every page. */
function isWithin(ts: string, { oldest = '0', latest = 'Infinity' }: Range): boolean {
  return Number(ts) > Number(oldest) && Number(ts) < Number(latest)
}

/** The time in an id. Ids of commands begin with it too. */
function timestampOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : /^\d+\.\d+/.exec(id)?.[0]
}
