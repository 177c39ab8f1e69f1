/** Whom a fact is about that a person asks to keep, and how much the memory trusts it. */
import { HEARSAY, type NewFact, namesOneOf, ownPassages } from '@kikimimi/facts'
import type { Message, Person } from 'kikimimi'
import { LANGUAGES } from './language.ts'

/** Mentions and emoji of a platform, which the content of an order does not have. */
const MARKUP = /<[@#:a][^<>\s]*>/g

/**
 * Own words of a person are certain and pinned, unless they are about another person: by a mention, or by the name of a person who
 * has written there. Then the fact is about that person, and about its author only if it says "I". Lines in the name of others are no own
 * words.
 *
 * @param me the id of the bot
 */
export function creditOf(
  content: string,
  { author, mentions, text }: Message,
  around: readonly Message[],
  me: string,
): Pick<NewFact, 'confidence' | 'people' | 'pinned'> {
  const known = [...around.filter(({ own }) => !own).map(one => one.author), ...mentions]
  const others = known.filter(({ id, bot }) => id !== author.id && id !== me && !bot)
  const mentioned = new Set(mentions.map(({ id }) => id))
  const meant = others.filter(other => mentioned.has(other.id) || isNamed(other, content))
  const own = ownPassages(
    text,
    others.map(({ name }) => name),
  ).map(passage => passage.replace(MARKUP, ' '))
  const lines = content
    .replace(MARKUP, ' ')
    .split('\n')
    .filter(line => !/^\s*[>＞]/u.test(line))
  const forged = lines.some(line => !own.some(passage => passage.includes(line.trim())))
  const isOwn = meant.length === 0 || LANGUAGES.some(({ self }) => self.test(content))
  return {
    people: [...new Set([...(isOwn ? [author] : []), ...meant].map(({ id }) => id))],
    ...(forged || meant.length > 0 ? { confidence: HEARSAY } : { confidence: 1, pinned: true }),
  }
}

/** A short name in lower case counts at the beginning, before a verb: "will is allergic", and not "will be late". */
function isNamed({ name }: Pick<Person, 'name'>, content: string): boolean {
  const [first = '', next = ''] = content.toLowerCase().split(/\s|(?='s )/)
  return namesOneOf(content, [name]) || (first === name.toLowerCase() && /^(?:'s|s|is|was|has|had|\w{2,}s)$/.test(next))
}
