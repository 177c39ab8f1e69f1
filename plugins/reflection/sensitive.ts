/** What a considerate person keeps to themselves, and what they do not believe, told by its words. */
import { LANGUAGES } from './language.ts'

/** Health, money, secrets, private trouble: remembered, but not brought up unasked. */
export function isSensitive(text: string): boolean {
  const plain = text.normalize('NFKC')
  return LANGUAGES.some(({ health, money, secret, privateLife }) =>
    [health, money, secret, privateLife].some(words => words.test(plain)),
  )
}

/** Whether a message gives orders to a model and its memory, instead of telling something. */
export function givesOrders(text: string): boolean {
  const plain = text.normalize('NFKC')
  return LANGUAGES.some(({ orders }) => orders.test(plain))
}
