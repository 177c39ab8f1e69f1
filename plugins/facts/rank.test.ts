import { describe, expect, test } from 'vitest'
import { type Candidate, decay, idf, type Question, type RankSettings, rankClassic, rankHybrid } from './rank.ts'
import { tokenId, tokensOf } from './tokens.ts'

const DAY = 86_400_000
const NOW = new Date('2026-01-05T10:00:00Z')
const SETTINGS: RankSettings = { halfLifeMs: 30 * DAY, floor: 0.7, vectorWeight: 1 }

let count = 0

function candidate(text: string, { days = 0, ...more }: Partial<Candidate> & { days?: number } = {}): Candidate {
  const tokens = Int32Array.from(tokensOf(text).map(tokenId))
  const words = tokensOf(text).filter(({ kind }) => kind === 'word').length
  const at = new Date(NOW.getTime() - days * DAY)
  return { id: ++count, kind: 'fact', at, tokens, words, lasting: false, confidence: 1, people: [], ...more }
}

function question(text: string, about: string[] = []): Question {
  const tokens = new Map(tokensOf(text).map(token => [tokenId(token), 1]))
  return { tokens, meanWords: 3, byVector: false, about: new Set(about), now: NOW }
}

const score = (one: Candidate, asked: Question, settings = SETTINGS) => rankHybrid([one], asked, settings)[0]?.score ?? 0

test('decay halves with each half life, and the future is new', () => {
  expect(decay(NOW, NOW, DAY)).toBe(1)
  expect(decay(new Date(NOW.getTime() - 3 * DAY), NOW, DAY)).toBeCloseTo(0.125)
  expect(decay(new Date(NOW.getTime() + DAY), NOW, DAY)).toBe(1)
})

test('a rare word tells more', () => {
  expect(idf(1_000, 1)).toBeGreaterThan(idf(1_000, 500))
  expect(idf(1_000, 1_000)).toBeGreaterThan(0)
})

describe('classic', () => {
  test('is Jaccard of keywords × 0.5^(age / halfLife), exactly', () => {
    const ranked = rankClassic(
      [candidate('rust async compiler', { days: 30 }), candidate('rust borrow checker tutorial'), candidate('cooking rice')],
      question('async rust'),
      SETTINGS,
    )
    expect(ranked.map(({ score }) => score)).toEqual([expect.closeTo((2 / 3) * 0.5, 9), expect.closeTo(1 / 5, 9)])
  })
})

describe('hybrid', () => {
  test('age takes 30 % at most, and nothing off what lasts', () => {
    const fresh = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { days: 30 }), question('green tea'))).toBeCloseTo(fresh * 0.85)
    expect(score(candidate('green tea', { days: 9_000 }), question('green tea'))).toBeCloseTo(fresh * 0.7)
    expect(score(candidate('green tea', { days: 9_000, lasting: true }), question('green tea'))).toBeCloseTo(fresh)
  })

  test('what nobody is sure of counts half', () => {
    const sure = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { confidence: 0 }), question('green tea'))).toBeCloseTo(sure / 2)
  })

  test('what is about somebody named counts 1.3', () => {
    const ofNobody = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { people: ['bob'] }), question('green tea', ['bob']))).toBeCloseTo(ofNobody * 1.3)
    expect(score(candidate('green tea', { people: ['bob'] }), question('green tea', ['eve']))).toBeCloseTo(ofNobody)
  })

  test('a hit of the vector alone can win', () => {
    const near = candidate('physician', { similarity: 0.9 })
    const ranked = rankHybrid([candidate('the doctor show on tv at nine'), near], question('doctor'), SETTINGS)
    expect(ranked.map(one => one.candidate.id)).toContain(near.id)
    expect(rankHybrid([near], { ...question('doctor'), byVector: true }, SETTINGS)[0]?.evidence).toBeCloseTo(0.45)
  })

  test('the answer is found by its question', () => {
    const asked = candidate('where do we meet for the picnic?', { kind: 'message' })
    const answer = candidate('by the old oak', { kind: 'message', previous: asked.id })
    const other = candidate('nobody knows', { kind: 'message' })
    const ranked = rankHybrid([other, answer, asked], question('where is the picnic'), SETTINGS)
    expect(ranked.map(one => one.candidate.id)).toEqual([asked.id, answer.id])
    const replied = { ...answer, answers: asked.id }
    const score = (list: Candidate[]) =>
      rankHybrid(list, question('picnic'), SETTINGS).find(one => one.candidate.id === answer.id)?.score
    expect(score([asked, replied])).toBeGreaterThan(score([asked, answer]) ?? 0)
  })

  test('nothing in common is nothing', () => {
    expect(rankHybrid([candidate('green tea')], question('rust'), SETTINGS)).toEqual([])
  })
})
