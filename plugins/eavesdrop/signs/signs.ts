/**
 * Cheap signs of trouble in a conversation: heat, a misunderstanding, a question without an answer, a discussion without
 * progress. They decide whether the model is asked, not its answer, so recall counts more than precision.
 */
import type { Message } from 'kikimimi'
import { ASKS, ASTRAY, FRICTION, HEAT, LAUGHS, MIXED_UP, QUESTION, SHOUTS, type Words } from './words.ts'

export interface Sign {
  readonly kind: 'heat' | 'misunderstanding' | 'unease' | 'question' | 'astray'
  /** Higher is more urgent. */
  readonly strength: number
}

/** Number of last messages that are examined together. */
const WINDOW = 6

/** Number of last messages in which friction between two people is measured. */
const EXCHANGE = 4

const HEATED = 3
/** Strength of friction that is no quarrel yet. */
const UNEASY = 2
const MISTAKEN = 2

/**
 * The most urgent sign in a conversation, or undefined.
 *
 * @param news ids of messages since the last turn: only these can give a sign
 */
export function signIn(talk: readonly Message[], news: ReadonlySet<string>): Sign | undefined {
  const people = talk.filter(({ own }) => !own)
  const fresh = people.filter(({ id }) => news.has(id))
  const last = people.slice(-WINDOW)

  /** The sum over the last messages, if one of them is new. */
  const strengthOf = (points: (text: string) => number) =>
    fresh.some(({ text }) => points(said(text)) > 0) ? last.reduce((sum, { text }) => sum + points(said(text)), 0) : 0

  // A quarrel needs two people.
  if (new Set(last.map(({ author }) => author.id)).size > 1) {
    const heat = strengthOf(heatOf) + frictionOf(people.slice(-EXCHANGE))
    if (heat >= HEATED) return { kind: 'heat', strength: 10 + heat }
    if (strengthOf(words => sum(MIXED_UP, words)) >= MISTAKEN) return { kind: 'misunderstanding', strength: 3 }
    if (heat >= UNEASY) return { kind: 'unease', strength: 2 }
    if (strengthOf(words => sum([ASTRAY], words)) > 0) return { kind: 'astray', strength: 2 }
  }
  return isUnanswered(people, fresh) ? { kind: 'question', strength: 1 } : undefined
}

function sum(lists: readonly Words[], words: string): number {
  return lists.reduce((points, list) => points + (list.test(words) ? list.points : 0), 0)
}

/** Friction between two people. Among three or more, function words show nothing. */
function frictionOf(exchange: readonly Message[]): number {
  if (new Set(exchange.map(({ author }) => author.id)).size !== 2) return 0
  return exchange.reduce((points, { text }) => points + Math.min(2, sum(FRICTION, said(text))), 0)
}

/** How much a text heats a conversation. */
function heatOf(words: string): number {
  const heat = sum(HEAT, words)
  const loud = (heat > 0 && SHOUTS.test(words) ? 1 : 0) + (isAllCapitals(words) ? 2 : 0)
  return Math.max(0, heat + loud + (LAUGHS.test(words) ? LAUGHS.points : 0))
}

/** The last author asks for advice, or had asked a question and continues alone. */
function isUnanswered(people: readonly Message[], fresh: readonly Message[]): boolean {
  const asker = people.at(-1)?.author.id
  const since = people.findLastIndex(({ author }) => author.id !== asker) + 1
  const alone = people.slice(since).filter(({ mentions }) => mentions.length === 0)
  return (
    fresh.some(message => alone.includes(message) && ASKS.test(said(message.text))) ||
    alone.slice(0, -1).some(({ text }) => QUESTION.test(said(text)))
  )
}

function isAllCapitals(text: string): boolean {
  const words = text.split(/\P{L}+/u).filter(word => word !== '')
  const letters = words.join('')
  return words.length > 1 && letters.length >= 8 && /^\p{Lu}+$/u.test(letters)
}

/** Upset people say so early in a message. */
const LENGTH = 1_000

/** The spoken text: without code, quotes and addresses; in one width, with one apostrophe. */
function said(text: string): string {
  return text
    .slice(0, LENGTH)
    .normalize('NFKC')
    .replace(/```[\s\S]*?(?:```|$(?![\s\S]))|`[^`\n]+`|^[ \t]*>.*$|https?:\/\/\S+/gm, ' ')
    .replaceAll('’', "'")
    .trim()
}
