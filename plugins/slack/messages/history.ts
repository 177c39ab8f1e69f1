/** What was said in Slack, read later. */
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
  /** Aborted when nothing more is taken in. */
  readonly closing: () => AbortSignal
}

/** Messages of one request: more than 200 are against Slack's advice. */
const PAGE = 200
/** Requests for one answer. What is older stays unread; in a thread, what is newer. */
const PAGES = 10
/** Where nobody says from when on, a thread that has been quiet for so long is left alone. */
const RECENT_MS = 24 * 60 * 60_000

interface Range {
  readonly oldest?: string
  readonly latest?: string
}

type Page = webApi.ConversationsHistoryResponse | webApi.ConversationsRepliesResponse

export function createHistory({ clock, calls, names, self, closing }: HistoryOptions): Platform['history'] & {} {
  /**
   * Slack tells a channel from its end, so that a part may be enough, and a thread from its beginning on:
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

  /** The threads below what was said: their messages are told nowhere else. Each is a request, so only of late. */
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
    // Nothing goes wrong when the bot stops: there is just nothing more to read.
    if (closing().aborted) return []
    const [oldest, latest] = [timestampOf(after), timestampOf(before)]
    const range = { ...(oldest !== undefined && { oldest }), ...(latest !== undefined && { latest }) }
    let told: readonly Told[]
    try {
      told = await read(conversation, range, oldest === undefined ? limit : Number.POSITIVE_INFINITY, signal)
    } catch (error) {
      // The thread was deleted as a whole.
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
    // Cut, it would begin again after its last message, behind threads that begin earlier: their messages would be lost.
    return oldest === undefined ? messages.slice(-limit) : messages
  }
}

/** The thread's first message is in every page of it. */
function isWithin(ts: string, { oldest = '0', latest = 'Infinity' }: Range): boolean {
  return Number(ts) > Number(oldest) && Number(ts) < Number(latest)
}

/** The time in an id: what is no message of Slack's, such as a command, begins with it too. */
function timestampOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : /^\d+\.\d+/.exec(id)?.[0]
}
