/** How much of a topic lines have. */
import { contentWords, cut } from '../words.ts'
import type { Context, Line } from './lines.ts'
import { DATE, isSame, type Topic } from './topic.ts'

/**
 * The share of topics that lines have, 0…1. A date alone is none, if the question has another topic. A question without a topic is covered
 * by any line that may answer.
 */
export function coverage(topics: readonly Topic[], contexts: readonly Context[]): number {
  const whole = topics.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 1
  const shares = topics.map(topic => ({
    topic,
    share: Math.max(0, ...contexts.map(({ line, share }) => (has(line, topic) ? share : 0))),
  }))
  const others = shares.filter(({ topic }) => topic.weight !== DATE)
  if (others.length > 0 && others.every(({ share }) => share === 0)) return 0
  return shares.reduce((sum, { topic, share }) => sum + topic.weight * share, 0) / whole
}

/** The same share, in which a word that few lines of the conversation have counts more. */
export function rareCoverage(topics: readonly Topic[], lines: readonly Line[], here: readonly Context[]): number {
  const weighted = topics.map(topic => {
    const found = lines.filter(line => has(line, topic)).length
    const rarity = topic.weight === DATE ? 1 : Math.log(1 + (lines.length + 1) / (found + 1))
    return { topic, weight: topic.weight * rarity }
  })
  const sum = (all: typeof weighted) => all.reduce((whole, { weight }) => whole + weight, 0)
  const whole = sum(weighted)
  return whole === 0 ? 1 : sum(weighted.filter(({ topic }) => here.some(({ line }) => has(line, topic)))) / whole
}

/** The share of the pieces of a topic that a text has: pairs of signs, or the first letters of words. */
export function lettersOf(topic: string, text: string): number {
  const pieces = piecesOf(topic)
  const there = new Set(piecesOf(text))
  return pieces.length === 0 ? 0 : pieces.filter(piece => there.has(piece)).length / pieces.length
}

const LETTERS = 4

function piecesOf(text: string): readonly string[] {
  return cut(text.normalize('NFKC').toLowerCase()).flatMap(word => {
    if (contentWords(word).size === 0) return []
    if (/^[\p{sc=Latin}\p{N}]/u.test(word)) return [word.slice(0, LETTERS)]
    const signs = [...word].filter(sign => /[\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}]/u.test(sign))
    return signs.map((sign, at) => `${sign}${signs[at + 1] ?? ''}`)
  })
}

function has({ topics }: Line, topic: Topic): boolean {
  return topics.some(one => isSame(topic, one))
}
