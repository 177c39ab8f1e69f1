/** How much the memory trusts what a person asks it to keep. */
import { HEARSAY, type NewFact, namesOneOf, ownPassages } from '@kikimimi/facts'
import type { Message } from 'kikimimi'

/** Mentions and emoji of a platform, which the content of an order does not have. */
const MARKUP = /<[@#:a][^<>\s]*>/g

/**
 * Own words of a person are certain and pinned, unless they are about another person: by a mention, or by the name of a person who
 * has written there. Lines in the name of others are no own words.
 */
export function weightOf(
  content: string,
  { author, mentions, text }: Message,
  around: readonly Message[],
): Pick<NewFact, 'confidence' | 'pinned'> {
  const others = [...around.filter(({ own }) => !own).map(one => one.author), ...mentions]
  const names = others.flatMap(({ id, name, bot }) => (id === author.id || bot ? [] : name))
  const own = ownPassages(text, names).map(passage => passage.replace(MARKUP, ' '))
  const lines = content
    .replace(MARKUP, ' ')
    .split('\n')
    .filter(line => !/^\s*[>＞]/u.test(line))
  const forged = lines.some(line => !own.some(passage => passage.includes(line.trim())))
  return forged || namesOneOf(content, names) ? { confidence: HEARSAY } : { confidence: 1, pinned: true }
}
