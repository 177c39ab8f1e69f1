import { expect, test } from 'vitest'
import { nameMatcher } from '../../base/text/names.ts'
import { createQuotes, quotesOf, runsOf } from './words.ts'

test('a run is eight letters without spaces, four words, or as much of both', () => {
  expect(runsOf('地下室の扉の裏')).toEqual([])
  expect(runsOf('地下室の扉の裏に')).toHaveLength(1)
  expect(runsOf('behind the door')).toEqual([])
  expect(runsOf('Behind the CELLAR, door')).toEqual(['behind the cellar door'])
  expect(runsOf('電車は Ueno から 10 時')).toHaveLength(3)
})

test('a run is the same at any place, with anything between its words', () => {
  const [run = ''] = runsOf('明日の会議は十時')
  expect(runsOf('ええと、明日の会議は、十時です')).toContain(run)
  expect(runsOf('he said: "the key lies: under the mat"!')).toEqual(expect.arrayContaining(runsOf('key lies under the')))
})

test('quotes are found anywhere in a text, all of them', () => {
  const quotes = createQuotes()
  const said = ['the key lies under the mat', 'the key lies under the tree', '鍵は玄関マットの下に置いてあります']
  for (const [seq, text] of said.entries()) for (const quote of quotesOf(text)) quotes.add(quote, seq)
  const found = (text: string) => quotes.in(text).map(({ seq }) => seq)
  for (const [seq, text] of said.entries()) expect(found(`> ${text}\nreally?`)).toEqual([seq])
  expect(found(`${said[0]}, ${said[2]}`)).toEqual([0, 2])
  expect(found('the key lies under the')).toEqual([])
  quotes.drop(said[0] ?? '')
  expect(found(`${said[0]}, ${said[1]}`)).toEqual([1])
})

test('each line of a text is a quotation of its own, if it is long enough', () => {
  expect(quotesOf('  first line of it\nno\nand the last one ')).toEqual([
    'first line of it\nno\nand the last one',
    'first line of it',
    'and the last one',
  ])
})

test('a name is a whole word, or any part of a text in a script without spaces', () => {
  const { test: holds, replace } = nameMatcher(['May', 'Ann', 'Ann Lee', '花子', 'Ö', 'a.b'])
  expect(replace('May I ask Ann Lee, or Ann? In may, Mayor Anna')).toBe('[…] I ask […], or […]? In may, Mayor Anna')
  expect(replace('山田花子さんとMayさん')).toBe('山田[…]さんと[…]さん')
  expect([holds('a.b'), holds('axb'), holds('Ö'), holds('Maya')]).toEqual([true, false, false, false])
  expect(nameMatcher([]).test('')).toBe(false)
})
