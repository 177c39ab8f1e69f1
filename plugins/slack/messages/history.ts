/** Reads the history of Slack. */
import type { webApi } from '@slack/bolt'
import type { Clock, Conversation, IncomingMessage, Platform } from 'kikimimi'
import type { Names } from '../directory/names.ts'
import type { Self } from '../web-api/account.ts'
import { type Calls, refusalOf } from '../web-api/calls.ts'
import { type Told, toIncoming } from './incoming.ts'

export interface HistoryOptions {
  readonly clock: Clock
  readonly calls: Calls
  readonly names: Names
  readonly self: () => Self
  /** Aborted when the bot receives no more messages. */
  readonly closing: () => AbortSignal
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

type Page = webApi.ConversationsHistoryResponse | webApi.ConversationsRepliesResponse

export function createHistory({ clock, calls, names, self, closing }: HistoryOptions): Platform['history'] & {} {
  /**
   * Slack lists a channel from its end, so that a part may suffice, and a thread from its beginning:
   * https://docs.slack.dev/reference/methods/conversations.replies
   */
  async function all(
    channel: string,
    thread: string | undefined,
    range: Range,
    enough: number,
    signal: AbortSignal,
  ): Promise<Told[]> {
    const found: Told[] = []
    let cursor: string | undefined
    for (let page = 0; page < PAGES; page++) {
      const asked = { channel, limit: PAGE, ...range, ...(cursor !== undefined && { cursor }) }
      const told: Page =
        thread === undefined
          ? await calls.call('conversations.history', client => client.conversations.history(asked), { signal })
          : await calls.call('conversations.replies', client => client.conversations.replies({ ...asked, ts: thread }), {
              signal,
            })
      found.push(...(told.messages ?? []))
      cursor = told.response_metadata?.next_cursor || undefined
      if (cursor === undefined || (thread === undefined && found.length >= enough)) return found
    }
    return found
  }

  /** Reads the threads of these messages, because Slack lists them separately. Each is a request, so only recent ones. */
  async function withReplies(
    channel: string,
    told: readonly Told[],
    range: Range,
    signal: AbortSignal,
  ): Promise<readonly Told[]> {
    const found = [...told]
    const since = range.oldest === undefined ? (clock.now() - RECENT_MS) / 1_000 : 0
    for (const { ts, latest_reply = '0' } of told) {
      if (ts === undefined || Number(latest_reply) <= since) continue
      found.push(...(await all(channel, ts, range, Number.POSITIVE_INFINITY, signal)))
    }
    return found
  }

  async function read(conversation: Conversation, range: Range, enough: number, signal: AbortSignal): Promise<readonly Told[]> {
    const { channel, thread } = conversation
    const told = await all(channel, thread, range, enough, signal)
    return thread === undefined && range.latest === undefined ? withReplies(channel, told, range, signal) : told
  }

  return async (conversation, { after, before, limit }, signal) => {
    // Not an error: the bot stops.
    if (closing().aborted) return []
    const [oldest, latest] = [timestampOf(after), timestampOf(before)]
    const range = { ...(oldest !== undefined && { oldest }), ...(latest !== undefined && { latest }) }
    let told: readonly Told[]
    try {
      told = await read(conversation, range, oldest === undefined ? limit : Number.POSITIVE_INFINITY, signal)
    } catch (error) {
      // The whole thread was deleted.
      if (refusalOf(error) === 'thread_not_found') return []
      throw error
    }
    const inTime = new Map<string, Told>()
    for (const one of told) {
      if (one.ts !== undefined && one.ts !== oldest && isWithin(one.ts, range)) inTime.set(one.ts, one)
    }
    const messages: IncomingMessage[] = []
    for (const one of inTime.values()) {
      const message = await toIncoming(one, { channel: conversation.channel, names, self: self() })
      if (message) messages.push(message)
    }
    messages.sort((one, other) => Number(one.id) - Number(other.id))
    // A cut would make the next run start after the last message and lose messages of threads that began earlier.
    return oldest === undefined ? messages.slice(-limit) : messages
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
