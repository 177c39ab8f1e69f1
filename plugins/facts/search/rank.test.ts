import { seededRandom } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { marksOf, wantedBy } from '../text/answers.ts'
import { tokenId, tokensOf } from '../text/tokens.ts'
import { idf } from './bm25.ts'
import type { Candidate, Question } from './candidate.ts'
import { rankClassic } from './classic.ts'
import { ASKS, decay, type Ranked, type RankSettings, rankHybrid, rerank } from './rank.ts'

const DAY = 86_400_000
const NOW = new Date('2026-01-05T10:00:00Z')
const SETTINGS: RankSettings = { halfLifeMs: 30 * DAY, floor: 0.7 }

let count = 0

function candidate(text: string, { days = 0, ...more }: Partial<Candidate> & { days?: number } = {}): Candidate {
  const tokens = Int32Array.from(tokensOf(text).map(tokenId))
  const words = tokensOf(text).filter(({ kind }) => kind === 'word').length
  const at = new Date(NOW.getTime() - days * DAY)
  return { id: ++count, kind: 'fact', at, tokens, words, lasting: false, confidence: 1, people: [], ...more }
}

function question(text: string, about: string[] = []): Question {
  const tokens = new Map(tokensOf(text).map(token => [tokenId(token), 1]))
  return { tokens, meanWords: 3, byVector: false, trust: 1, about: new Set(about), wants: new Set(), now: NOW }
}

function message(text: string, line: number): Candidate {
  const asks = text.endsWith('?')
  return candidate(text, { kind: 'message', confidence: asks ? ASKS : 1, said: { sitting: 1, line, asks } })
}

const withMarks = (text: string) => Int32Array.from([...tokensOf(text).map(tokenId), ...marksOf(text)])

const idsOf = (ranked: readonly Ranked[]) => ranked.map(({ candidate }) => candidate.id)

const score = (one: Candidate, asked: Question, settings = SETTINGS) => rankHybrid([one], asked, settings)[0]?.score ?? 0

test('the value halves with each half-life, and a future date counts as new', () => {
  expect(decay(NOW, NOW, DAY)).toBe(1)
  expect(decay(new Date(NOW.getTime() - 3 * DAY), NOW, DAY)).toBeCloseTo(0.125)
  expect(decay(new Date(NOW.getTime() + DAY), NOW, DAY)).toBe(1)
})

test('a rare word has more weight', () => {
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
  test('age takes 30 % at most, and nothing from lasting facts', () => {
    const fresh = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { days: 30 }), question('green tea'))).toBeCloseTo(fresh * 0.85)
    expect(score(candidate('green tea', { days: 9_000 }), question('green tea'))).toBeCloseTo(fresh * 0.7)
    expect(score(candidate('green tea', { days: 9_000, lasting: true }), question('green tea'))).toBeCloseTo(fresh)
  })

  test('confidence 0 halves the score', () => {
    const sure = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { confidence: 0 }), question('green tea'))).toBeCloseTo(sure / 2)
  })

  test('a fact about a named person gets a factor of 1.4', () => {
    const ofNobody = score(candidate('green tea'), question('green tea'))
    expect(score(candidate('green tea', { people: ['bob'] }), question('green tea', ['bob']))).toBeCloseTo(ofNobody * 1.4)
    expect(score(candidate('green tea', { people: ['bob'] }), question('green tea', ['eve']))).toBeCloseTo(ofNobody)
  })

  test('a match by vector alone can win', () => {
    const near = candidate('physician', { similarity: 0.9 })
    const ranked = rankHybrid([candidate('the doctor show on tv at nine'), near], question('doctor'), SETTINGS)
    expect(ranked.map(one => one.candidate.id)).toContain(near.id)
    expect(rankHybrid([near], { ...question('doctor'), byVector: true }, SETTINGS)[0]?.evidence).toBeCloseTo(0.45)
  })

  test('a match by words alone counts as much with vectors as without', () => {
    const found = [candidate('the doctor comes at nine', { similarity: 0 })]
    const evidence = [true, false].map(byVector => rankHybrid(found, { ...question('doctor'), byVector }, SETTINGS)[0]?.evidence)
    expect(evidence[0]).toBe(evidence[1])
  })

  test('a question finds its answer, which comes first', () => {
    const asked = message('where do we meet for the picnic?', 0)
    const answer = message('by the old oak', 1)
    const other = { ...message('nobody knows', 0), said: { sitting: 2, line: 0, asks: false } }
    expect(idsOf(rankHybrid([other, answer, asked], question('where is the picnic'), SETTINGS))).toEqual([answer.id, asked.id])
  })

  test('a line two lines away gets less than the next one, and a reply as much', () => {
    const lines = [message('the picnic', 0), message('aha', 1), message('oh', 2), message('well', 3)]
    const away = { ...message('sure', 40), said: { sitting: 2, line: 0, asks: false, answers: lines[0]?.id ?? 0 } }
    const ranked = rankHybrid([...lines, away], question('picnic'), SETTINGS)
    const surroundings = (one: Candidate | undefined) => ranked.find(({ candidate }) => candidate === one)?.parts.surroundings
    expect([...lines, away].map(surroundings)).toEqual([1, 1, expect.closeTo(0.81), 0, 1])
  })

  test('words of several lines together are worth more than the same words in one of them', () => {
    const together = [message('about the picnic', 0), message('take an umbrella', 1)]
    const alone = { ...message('the picnic was long', 0), said: { sitting: 2, line: 0, asks: false } }
    const ranked = rankHybrid([...together, alone], question('picnic umbrella'), SETTINGS)
    expect(idsOf(ranked).at(-1)).toBe(alone.id)
  })

  test('a text with a time comes first, if the question asks for one', () => {
    const timed = { ...candidate('the ferry leaves at nine'), tokens: withMarks('the ferry leaves at 9:30') }
    const other = { ...candidate('the ferry leaves soon'), tokens: withMarks('the ferry leaves soon') }
    const first = (text: string) => idsOf(rankHybrid([timed, other], { ...question(text), wants: wantedBy(text) }, SETTINGS))[0]
    expect(first('when does the ferry leave?')).toBe(timed.id)
    expect(rankHybrid([timed, other], question('does the ferry leave?'), SETTINGS).map(({ parts }) => parts.answer)).toEqual([
      1, 1,
    ])
  })

  test('all words of the question in one sitting are worth more than one of them', () => {
    const together = [message('about the picnic', 0), message('take an umbrella', 9), message('fine', 5)]
    const alone = { ...message('the picnic was long', 0), said: { sitting: 2, line: 0, asks: false } }
    const ranked = rankHybrid([...together, alone], question('picnic umbrella'), SETTINGS)
    const sitting = (one: Candidate | undefined) => ranked.find(({ candidate }) => candidate === one)?.parts.sitting
    expect(sitting(together[2])).toBe(0.5)
    expect(sitting(alone)).toBeCloseTo(0.25)
  })

  test('a fact finds its message, and a message its fact', () => {
    const said = message('it is on Saturday', 0)
    const fact = candidate('the picnic is on Saturday', { sources: [said.id] })
    const byFact = rankHybrid([fact, said], question('picnic'), SETTINGS)
    expect(byFact.map(({ candidate, parts }) => [candidate.id, parts.sources])).toEqual([
      [fact.id, 0],
      [said.id, 0.5],
    ])
    const told = message('Saturday it is', 0)
    const other = candidate('the picnic has a date', { sources: [told.id] })
    const byMessage = rankHybrid([other, told], question('saturday'), SETTINGS)
    expect(byMessage.find(({ candidate }) => candidate === other)?.parts).toMatchObject({ bm25: 0, sources: 0.5, sitting: 0.5 })
  })

  test('no common feature means no match', () => {
    expect(rankHybrid([candidate('green tea')], question('rust'), SETTINGS)).toEqual([])
  })
})

describe('the terms of a score', () => {
  const WORDS = ['green', 'tea', 'rust', 'cat', 'Momo', '電車', '猫の名前', 'リリース会議', 'oak', 'picnic']

  /** 60 facts and messages with random words, ages, people, vectors and neighbours. */
  function some(random: () => number): Candidate[] {
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
    const made: Candidate[] = []
    for (let n = 0; n < 60; n++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(WORDS)).join(' ')
      const before = made.length > 0 ? pick(made)?.id : undefined
      const isMessage = random() < 0.5
      made.push(
        candidate(text, {
          days: random() * 400 - 10,
          kind: isMessage ? 'message' : 'fact',
          lasting: random() < 0.3,
          confidence: isMessage ? 1 : random(),
          people: random() < 0.4 ? [pick(['alice', 'bob']) ?? ''] : [],
          ...(random() < 0.7 && { similarity: random() * 2 - 1 }),
          ...(isMessage && {
            said: {
              sitting: Math.floor(n / 9),
              line: n % 9,
              asks: random() < 0.3,
              ...(before !== undefined && random() < 0.3 && { answers: before }),
            },
          }),
          ...(!isMessage && before !== undefined && random() < 0.5 && { sources: [before] }),
        }),
      )
    }
    return made
  }

  const again = ({ parts }: Ranked) => {
    const { bm25, pairs, jaccard, vector, surroundings, question, sitting, sources, rerank } = parts
    const sum = bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank
    return sum * parts.time * parts.confidence * parts.person
  }

  test('multiply to the score, to the last bit', () => {
    const random = seededRandom(17)
    const seen = new Set<string>()
    for (let round = 0; round < 200; round++) {
      const candidates = some(random)
      const asked = {
        ...question(`${WORDS[round % WORDS.length]} 電車 picnic`, ['bob']),
        byVector: true,
        meanWords: 1 + random() * 5,
      }
      const settings = { ...SETTINGS, floor: random() }
      const ranked = rankHybrid(candidates, asked, settings)
      const scores = ranked.map(() => random())
      for (const one of [...ranked, ...rerank(ranked, scores), ...rankClassic(candidates, asked, settings)]) {
        expect(again(one)).toBe(one.score)
        for (const [part, value] of Object.entries(one.parts)) if (value > 0 && value !== 1) seen.add(part)
      }
    }
    expect([...seen].sort()).toEqual([
      'bm25',
      'confidence',
      'jaccard',
      'pairs',
      'person',
      'question',
      'rerank',
      'sitting',
      'sources',
      'surroundings',
      'time',
      'vector',
    ])
  })

  test('the best of a leg has its full weight', () => {
    const ranked = rankHybrid([candidate('green tea', { similarity: 0.4 }), candidate('tea')], question('green tea'), SETTINGS)
    expect(ranked[0]?.parts).toMatchObject({ bm25: 1, vector: 1, pairs: 0, time: 1, confidence: 1, person: 1 })
  })
})
