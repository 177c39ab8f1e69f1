/** What a judge prompt shows of a conversation, as counts. */
import type { Message, Turn } from 'kikimimi'

/** Words of the bot within this time before the message belong to the talk. */
const TALK_MS = 60 * 60_000

export interface Shown {
  /** Lines besides the one that triggered the turn. */
  readonly lines: number
  /** False: the message answers another one, which is missing. */
  readonly hasTarget: boolean
  /** False: the bot spoke within the last hour, and its words are missing. */
  readonly hasOwn: boolean
}

/** @param length the number of messages of working memory that the model reads */
export function shownOf({ history, message, surroundings, lastReplyAt }: Turn, length: number): Shown {
  const { root, quoted = [], earlier = [] } = surroundings ?? {}
  const shown: readonly Message[] = [
    ...(typeof root === 'object' ? [root] : []),
    ...[...quoted, ...earlier, ...history.slice(-length)],
  ]
  const ids = new Set(shown.map(({ id }) => id))
  const { replyTo } = message
  const spokeLately = lastReplyAt !== undefined && message.at.getTime() - lastReplyAt.getTime() <= TALK_MS
  return {
    lines: ids.size - (ids.has(message.id) ? 1 : 0),
    hasTarget: replyTo === undefined || ids.has(replyTo),
    hasOwn: !spokeLately || shown.some(({ own }) => own),
  }
}
