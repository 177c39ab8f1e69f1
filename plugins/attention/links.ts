/** Who talks to whom: what a message says itself, and what its place in the conversation suggests. */

import { addressees } from '@kikimimi/judge-rules/partners'
import type { Message } from 'kikimimi'

export interface Link {
  /** Ids of the people that the message addresses. */
  readonly to: ReadonlySet<string>
  /** The id of the person who spoke directly before, if the message addresses nobody. */
  readonly after?: string
}

/** A message after a longer pause is no answer to the one before it. */
const ANSWER_WITHIN_MS = 2 * 60_000
/** A person continues the own message before within this time. */
const CONTINUES_WITHIN_MS = 60_000

/** The links of a conversation, oldest first. */
export function linksIn(history: readonly Message[]): readonly Link[] {
  const links: Link[] = []
  for (const [index, message] of history.entries()) {
    const previous = history[index - 1]
    const pauseMs = previous ? message.at.getTime() - previous.at.getTime() : Number.POSITIVE_INFINITY
    const to = addressees(message, history.slice(0, index).reverse())
    const own = previous?.author.id === message.author.id
    if (to.size > 0 || !previous) links.push({ to })
    else if (own) links.push((pauseMs <= CONTINUES_WITHIN_MS && links[index - 1]) || { to })
    else links.push(pauseMs <= ANSWER_WITHIN_MS ? { to, after: previous.author.id } : { to })
  }
  return links
}
