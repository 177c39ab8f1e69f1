import { expect, test } from 'vitest'
import { nounPattern, tellingNames } from './telling-names.ts'

const telling = (...names: string[]) => tellingNames('U1', names, new Set(['bob']))

test('names that only one person has find texts about that person', () => {
  const names = ['alice', 'Ann Lee', 'Wisteria', '藤野', '花子', 'サクラ', '지민', 'ikd_42']
  expect(telling(...names)).toEqual(names)
  expect(telling(' alice ', 'alice')).toEqual(['alice'])
})

test('common words, letters, hiragana and names of others find texts about other things', () => {
  expect(telling('the', 'Will', 'MAY', 'です', 'はな', 'ひかり', 'x', 'Jo', '花', '会議', '', 'bob')).toEqual([])
})

test('a long id counts like a name', () => {
  expect(tellingNames('U0RESEDA', [], new Set())).toEqual(['U0RESEDA'])
  expect(tellingNames('1234', [], new Set())).toEqual([])
})

test('a name after an article is a noun', () => {
  const isNoun = (name: string, text: string) => new RegExp(nounPattern(name)).test(text)
  expect(isNoun('Rope', 'buy the rope, please')).toBe(true)
  expect(isNoun('c++ (fan)', 'a c++ (fan) of yours')).toBe(true)
  expect(isNoun('rope', 'theropes and the ropes')).toBe(false)
  expect(isNoun('alice', 'i told alice about the quokka')).toBe(false)
})
