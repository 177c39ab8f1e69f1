import type { Message } from '../../api/index.ts'
import type { Entry, TurnState } from './store.ts'

/**
 * The part of a conversation's state that belongs to the next turn. One turn answers one call, so the batch ends with the first
 * message that addresses the bot, and calls of other people that wait are not in the history yet. A message that its author asked not
 * to remember is only in the turn that answers it, with those of its author that were left out since the turn before.
 *
 * @param waiting the messages without a turn, oldest first
 * @param entries working memory, oldest first
 */
export function nextBatch(
  waiting: readonly Entry[],
  entries: readonly Entry[],
  processed: number,
): Pick<TurnState, 'batch' | 'lastSeq' | 'followedBy' | 'history'> {
  const call = waiting.findIndex(({ message }) => message.addressed)
  const end = call < 0 ? waiting.length : call + 1
  const trigger = waiting[end - 1]
  const isOfTurn = ({ message }: Entry) => trigger?.message.leftOut && message.author.id === trigger.message.author.id
  const batch = waiting.slice(0, end).filter(entry => !entry.message.leftOut || isOfTurn(entry))
  const isFollowedByCall = waiting.findIndex(({ message }, at) => at >= end && message.addressed) >= 0
  return {
    batch,
    // A message that an edit made a call can be older than what is processed.
    lastSeq: Math.max(trigger?.seq ?? 0, processed),
    ...(end < waiting.length && { followedBy: isFollowedByCall ? 'call' : 'talk' }),
    history: historyOf(entries, batch, waiting, end),
  }
}

/** @param end the number of waiting messages that the turn takes */
function historyOf(
  entries: readonly Entry[],
  batch: readonly Entry[],
  waiting: readonly Entry[],
  end: number,
): readonly Message[] {
  const author = waiting[end - 1]?.message.author.id
  const isLater = ({ message }: Entry) => message.addressed !== undefined && message.author.id !== author
  const later = new Set(waiting.slice(end).filter(isLater))
  const shown: Message[] = []
  for (const one of entries) {
    const isHidden = one.message.leftOut ? !batch.includes(one) : later.size > 0 && later.has(one)
    if (!isHidden) shown.push(one.message)
  }
  return inOrder(shown, message => message)
}

/**
 * In the order in which people said it: what was missed is recorded after newer messages. Other messages keep their order, because the
 * clock of the platform can be ahead of that of the bot, which its own messages have.
 */
export function inOrder<T>(recorded: readonly T[], messageOf: (one: T) => Message): readonly T[] {
  if (!recorded.some(one => messageOf(one).missed)) return recorded
  let latest = 0
  const timed = recorded.map(one => {
    const { at, missed } = messageOf(one)
    if (!missed) latest = Math.max(latest, at.getTime())
    return { one, time: missed ? at.getTime() : latest }
  })
  return timed.sort((one, other) => one.time - other.time).map(({ one }) => one)
}
