/** Recognises sensitive statements, orders and unsure statements, by their words. */
import { LANGUAGES } from './language.ts'

/** Health, money, secrets, private trouble: the bot remembers these, but does not mention them unasked. */
export function isSensitive(text: string): boolean {
  const plain = text.normalize('NFKC')
  return LANGUAGES.some(({ health, money, secret, privateLife }) =>
    [health, money, secret, privateLife].some(words => words.test(plain)),
  )
}

/** Whether a message gives orders to a model and its memory instead of a statement. */
export function givesOrders(text: string): boolean {
  const plain = text.normalize('NFKC')
  return LANGUAGES.some(({ orders }) => orders.test(plain))
}

/** Characters of a message that show whether it states something. */
const READ = 10_000

/** Whether a message asks, wishes, supposes or adds something, so that it does not end what was true before. */
export function isUnsure(text: string): boolean {
  const plain = text.slice(0, READ).normalize('NFKC')
  return LANGUAGES.some(({ unsure }) => unsure.test(plain))
}
