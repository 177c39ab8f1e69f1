import type { Fact } from '@kikimimi/facts'
import { expect, test } from 'vitest'
import type { CardLine } from './card.ts'
import { chooseFacts, foldByRules } from './fold.ts'
import { type Given, refusalOf } from './judge.ts'

function fact(id: number, content: string, more: { pinned?: boolean; kind?: Fact['kind'] } = {}): Fact {
  const source = { channel: 'test/team/general', message: `m${id}`, author: 'alice' }
  return {
    ...{ id, content, kind: 'durable', people: ['alice'], keywords: [], confidence: 0.9, single: false, pinned: false },
    ...{
      at: new Date(id),
      validFrom: new Date(id),
      shareable: false,
      channel: source.channel,
      visibility: 'public',
      strength: 0,
      sources: [source],
    },
    ...more,
  }
}

function given(contents: readonly string[], more: Partial<Given> = {}): Given {
  return { facts: contents.map((content, at) => fact(at + 1, content)), before: [], names: ['Alice'], ...more }
}

function line(text: string, ...facts: number[]): CardLine {
  return { text, facts }
}

const ENGLISH = given(['Alice lives in Osaka', 'Alice likes green tea', 'Alice likes plum jam', 'Alice does not eat 3 meals'])
const REST = [line('likes green tea and plum jam', 2, 3), line('does not eat 3 meals', 4)]
const JAPANESE = given(['アリスは大阪に住んでいます', 'アリスは緑茶が好きです', 'アリスは犬が苦手です'], { names: ['アリス'] })

test.each<[string, Given, readonly CardLine[]]>([
  ['the words of the facts', ENGLISH, [line('lives in Osaka', 1), ...REST]],
  ['other endings', ENGLISH, [line('Living in Osaka.', 1), ...REST]],
  ['one fact of four less', ENGLISH, REST],
  ['Japanese', JAPANESE, [line('大阪に住んでいる、緑茶が好き', 1, 2), line('犬が苦手', 3)]],
])('a card with %s may replace the one before', (_what, of, lines) => {
  expect(refusalOf(lines, of)).toBeUndefined()
})

test.each<[string, Given, readonly CardLine[]]>([
  ['empty', ENGLISH, []],
  ['empty', ENGLISH, [...REST, line('lives in Osaka')]],
  ['empty', ENGLISH, [...REST, line(' ', 1)]],
  ['long', ENGLISH, [line(`lives in Osaka ${'and '.repeat(60)}`, 1), ...REST]],
  ['long', ENGLISH, Array.from({ length: 50 }, () => line('lives in Osaka', 1))],
  ['unknown', ENGLISH, [line('lives in Osaka', 1, 9), ...REST]],
  ['invented', ENGLISH, [line('lives in Kyoto, Osaka', 1), ...REST]],
  ['invented', ENGLISH, [line('does not live in Osaka', 1), ...REST]],
  ['invented', ENGLISH, [line('likes green tea and plum jam', 2, 3), line('does not eat 4 meals', 4)]],
  ['invented', JAPANESE, [line('大阪に住んでいない', 1), line('緑茶が好き', 2), line('犬が苦手', 3)]],
  ['invented', JAPANESE, [line('大阪に住んでいる', 1), line('紅茶が好き', 2), line('犬が苦手', 3)]],
  ['untold', ENGLISH, [line('Alice', 1), ...REST]],
  ['untold', ENGLISH, [line('lives in Osaka', 1, 2, 3, 4)]],
  ['lost', ENGLISH, [line('likes green tea and plum jam', 2, 3)]],
  ['lost', given(['Alice sings'], { before: ENGLISH.facts }), [line('Alice sings', 1)]],
  ['pinned', given(['Alice sings'], { before: [fact(7, 'Alice naps', { pinned: true })] }), [line('sings', 1)]],
])('a card is refused as %s', (reason, of, lines) => {
  expect(refusalOf(lines, of)).toBe(reason)
})

test('a card keeps three quarters of the facts of the card before, and takes the most important of the others', () => {
  const facts = Array.from({ length: 60 }, (_, at) =>
    fact(at + 1, `fact ${at + 1}`, { pinned: at === 9, kind: at < 30 ? 'durable' : 'event' }),
  )
  const before = new Set([31, 32, 33, 34])
  const chosen = chooseFacts(facts, before).map(({ id }) => id)
  expect(chosen.slice(0, 4)).toEqual([34, 33, 32, 10])
  expect(chosen.slice(4)).toEqual(Array.from({ length: 20 }, (_, at) => 30 - at))
})

test('the rules make a line of each fact, until the card is full', () => {
  const long = 'word '.repeat(60).trim()
  const lines = foldByRules([fact(1, long), fact(2, long), fact(3, 'Alice\nsings'), fact(4, long), fact(5, long)])
  expect(lines.map(({ facts }) => facts)).toEqual([[1], [2], [3]])
  expect(lines.map(({ text }) => text.length)).toEqual([200, 200, 11])
})
