/**
 * Cheap signs that a talk may need somebody: heat, a misunderstanding, a question that nobody answers, a discussion
 * that has lost its way. They decide whether the model is asked, never what it says, so they are wide rather than exact.
 */
import type { Message } from 'kikimimi'
import { ASKS, ASTRAY, FRICTION, HEAT, LAUGHS, MIXED_UP, QUESTION, SHOUTS, type Words } from './words.ts'

export interface Sign {
  readonly kind: 'heat' | 'misunderstanding' | 'unease' | 'question' | 'astray'
  /** More is more pressing. */
  readonly strength: number
}

/** So many of the last messages count together. */
const WINDOW = 6

/** Two people rub each other up within a few messages. */
const EXCHANGE = 4

const HEATED = 3
/** Not a quarrel yet. */
const UNEASY = 2
const MISTAKEN = 2

/**
 * The most pressing sign in a talk, or nothing.
 *
 * @param news the ids of what was said since the last look: only that can give a sign
 */
export function signIn(talk: readonly Message[], news: ReadonlySet<string>): Sign | undefined {
  const people = talk.filter(({ own }) => !own)
  const fresh = people.filter(({ id }) => news.has(id))
  const last = people.slice(-WINDOW)

  /** What the last messages give together, if something new is among them. */
  const strengthOf = (points: (text: string) => number) =>
    fresh.some(({ text }) => points(said(text)) > 0) ? last.reduce((sum, { text }) => sum + points(said(text)), 0) : 0

  // It takes two.
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

/** How much two people rub each other up. Among three or more, little words tell nothing. */
function frictionOf(exchange: readonly Message[]): number {
  if (new Set(exchange.map(({ author }) => author.id)).size !== 2) return 0
  return exchange.reduce((points, { text }) => points + Math.min(2, sum(FRICTION, said(text))), 0)
}

/** How much a text heats a talk. */
function heatOf(words: string): number {
  const heat = sum(HEAT, words)
  const loud = (heat > 0 && SHOUTS.test(words) ? 1 : 0) + (isAllCapitals(words) ? 2 : 0)
  return Math.max(0, heat + loud + (LAUGHS.test(words) ? LAUGHS.points : 0))
}

/** Whoever spoke last asks for advice, or had asked a question and goes on alone. */
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

/** People who are upset say so early. */
const LENGTH = 1_000

/** What somebody says: without code, without what is quoted, without addresses; in one width, with one apostrophe. */
function said(text: string): string {
  return text
    .slice(0, LENGTH)
    .normalize('NFKC')
    .replace(/```[\s\S]*?(?:```|$(?![\s\S]))|`[^`\n]+`|^[ \t]*>.*$|https?:\/\/\S+/gm, ' ')
    .replaceAll('’', "'")
    .trim()
}
