import { expect, test } from 'vitest'
import { agreementOf, Trust } from './agreement.ts'

const ids = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

test('vectors agree with words by 0 if they find these by chance, and by 1 if they find nothing else', () => {
  expect(agreementOf(ids(0, 100), ids(75, 100), 400)).toBe(0)
  expect(agreementOf(ids(0, 100), ids(0, 100), 400)).toBe(1)
})

test('among few texts, or without words, nothing can be said', () => {
  expect(agreementOf(ids(0, 100), ids(0, 100), 110)).toBeUndefined()
  expect(agreementOf(ids(0, 100), [], 400)).toBeUndefined()
})

test('a new model is trusted, until its searches show that it agrees with words by chance only', () => {
  const trust = new Trust()
  expect(trust.value).toBe(1)
  for (let search = 0; search < 20; search++) trust.see(search % 2 === 0 ? 0.04 : -0.04)
  expect(trust.value).toBe(0)
  for (let search = 0; search < 100; search++) trust.see(0.2)
  expect(trust.value).toBe(1)
})
