/** The latest messages of a long thread, with few requests. */
import type { webApi } from '@slack/bolt'
import type { Told } from './incoming.ts'

/** Messages of a request: the most that Slack gives. */
const PAGE = 999
/** Largest number of requests: a person waits for the answer. */
const REQUESTS = 3

/** Which part of a thread a request asks for. */
export interface Part {
  /** Only messages after this time. */
  readonly oldest?: string
  /** Continues the request before. */
  readonly cursor?: string
  readonly limit: number
}

/** A part of a thread that Slack has given, times in seconds. */
interface Read {
  /** The period that was asked for, and the time of its last message that was given. */
  readonly from: number
  readonly until: number
  /** Replies in it. */
  readonly count: number
  /** For the rest of the period; nothing when it was given whole. */
  readonly cursor?: string | undefined
}

/**
 * Reads the messages of a thread before a time, at least the latest `enough` of them when that takes at most three requests. Slack lists a
 * thread from its beginning, so the start of a very long one is followed by periods before its end, whose length is guessed from the number
 * of replies. https://docs.slack.dev/reference/methods/conversations.replies
 *
 * @param page asks Slack for a part; when it rejects, what was read before is returned
 */
export async function endOfThread(
  page: (part: Part) => Promise<webApi.ConversationsRepliesResponse>,
  { thread, latest, enough }: { readonly thread: string; readonly latest: string; readonly enough: number },
): Promise<readonly Told[]> {
  const found: Told[] = []
  const parts: Read[] = []
  let next: Omit<Part, 'limit'> | undefined = {}
  while (next && parts.length < REQUESTS) {
    let answer: webApi.ConversationsRepliesResponse
    try {
      answer = await page({ ...next, limit: PAGE })
    } catch (error) {
      if (found.length === 0) throw error
      return found
    }
    const given: readonly Told[] = answer.messages ?? []
    found.push(...given)
    const replies = given.filter(({ ts }) => ts !== thread)
    const from = Number(next.oldest ?? thread)
    parts.push({
      from,
      until: Number(replies.at(-1)?.ts ?? from),
      count: replies.length,
      cursor: answer.response_metadata?.next_cursor || undefined,
    })
    next = following(parts, { ...next, enough, latest: Number(latest), root: found.find(({ ts }) => ts === thread) })
  }
  return found
}

/** What to ask for after these parts. Nothing: the end is read. */
function following(
  parts: readonly Read[],
  asked: { readonly oldest?: string; readonly latest: number; readonly enough: number; readonly root: Told | undefined },
): Omit<Part, 'limit'> | undefined {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last || (!last.cursor && (parts.length === 1 || last.count >= asked.enough))) return undefined
  const end = Math.min(asked.latest, Number(asked.root?.latest_reply ?? asked.latest))
  // Between too few replies and more than a request gives.
  const aim = Math.sqrt(asked.enough * PAGE)
  const unread = (asked.root?.reply_count ?? 0) - first.count
  const perSecond = ({ count, from, until }: Read) => Math.max(count, 1) / Math.max(until - from, 1)
  if (last.cursor) {
    const expected = last === first ? unread : (end - last.until) * perSecond(last)
    const left = (REQUESTS - parts.length) * PAGE
    if (expected <= left) return { ...(asked.oldest !== undefined && { oldest: asked.oldest }), cursor: last.cursor }
    const length = last === first ? ((end - first.until) * aim) / unread : aim / perSecond(last)
    return { oldest: (end - length).toFixed(6) }
  }
  // Too few: either the end is as quiet as this, or the thread went on as it began and then fell silent.
  const quiet = end - (aim * (end - last.from)) / Math.max(last.count, 1)
  const burst = first.until + (unread - last.count - aim) / perSecond(first)
  const guesses = [quiet, burst].filter(from => from > first.until && from < last.from)
  return { oldest: (guesses.length > 0 ? Math.max(...guesses) : (first.until + last.from) / 2).toFixed(6) }
}
