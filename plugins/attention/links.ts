/** Who talks to whom: what a message says itself, and what its place in the conversation suggests. */

import { lineBefore } from '@kikimimi/addressing/acts'
import { endsTalk } from '@kikimimi/addressing/closing'
import { addressees, addressesAll } from '@kikimimi/addressing/partners'
import { endsWithQuestion } from '@kikimimi/addressing/question'
import type { Message } from 'kikimimi'

/** What is known of a message, the same for every reader. */
export interface Line {
  readonly message: Message
  /** Ids of the people that the message addresses. */
  readonly to: ReadonlySet<string>
  /** The same, or those of the author's message directly before, which this one continues. */
  readonly partners: ReadonlySet<string>
  /** The id of the person who spoke directly before, if the message addresses nobody. */
  readonly after?: string
  readonly toAll: boolean
  readonly closing: boolean
  readonly question: boolean
}

/** A message after a longer pause is not an answer to the one before it. */
export const ANSWER_WITHIN_MS = 2 * 60_000
/** A person continues the own message before within this time. */
const CONTINUES_WITHIN_MS = 60_000

/** The number of messages before one among which it is understood: the working memory of a bot. */
export const WINDOW = 50

/** The lines of a conversation, oldest first. */
export function linesOf(history: readonly Message[]): readonly Line[] {
  const lines: Line[] = []
  for (const [index, message] of history.entries()) {
    const before = history.slice(Math.max(0, index - WINDOW), index).reverse()
    const to = addressees(message, before)
    const { text } = message
    lines.push({
      message,
      to,
      ...linkOf(message, to, lines[index - 1]),
      toAll: addressesAll(text),
      closing: endsTalk(text, { before: lineBefore(message, before) }),
      question: endsWithQuestion(text),
    })
  }
  return lines
}

function linkOf(message: Message, to: ReadonlySet<string>, previous: Line | undefined): Pick<Line, 'partners' | 'after'> {
  if (to.size > 0 || !previous) return { partners: to }
  const pauseMs = message.at.getTime() - previous.message.at.getTime()
  if (previous.message.author.id !== message.author.id) {
    return pauseMs <= ANSWER_WITHIN_MS ? { partners: to, after: previous.message.author.id } : { partners: to }
  }
  if (pauseMs > CONTINUES_WITHIN_MS) return { partners: to }
  return { partners: previous.partners, ...(previous.after !== undefined && { after: previous.after }) }
}
