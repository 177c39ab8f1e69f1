/** Orders in words: to set, list, move and cancel reminders, and to watch for words. */

import { type OrderText, orderText } from '@kikimimi/orders'
import type { Now } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { type Change, changeIn } from './changes.ts'
import { type Request, readRequest } from './request.ts'

export type Order =
  | ({ readonly kind: 'set' } & Request)
  | { readonly kind: 'watch'; readonly words: string; readonly content: string }
  /** Whether the person takes no reminders from others. */
  | { readonly kind: 'refuse'; readonly refuses: boolean }
  | Change

/** A longer text is no order. */
const LONGEST = 500

/**
 * @param names names of the bot
 * @param people who can be named in the text, without the bot
 */
export function readOrder(given: string, names: readonly string[], people: readonly Person[], now: Now): Order | undefined {
  if (given.length > LONGEST) return undefined
  const said = orderText(given, names)
  const plain = said.polite.text.replace(/[\s.!?。！？~〜]+$/u, '')
  for (const { refuses, accepts } of LANGUAGES) {
    if (refuses.test(plain)) return { kind: 'refuse', refuses: true }
    if (accepts.test(plain)) return { kind: 'refuse', refuses: false }
  }
  const change = changeIn(said)
  if (change?.kind === 'list') return change
  const request = watchIn(said.polite) ?? requestIn(said, people, now)
  // "Remind me again in ten minutes"
  const isAgain = change?.kind === 'move' && request?.kind === 'set' && request.wanted.every(({ content }) => content === '')
  // "Remind me to cancel …" is a request.
  return isAgain ? change : (request ?? change)
}

function requestIn(said: OrderText, people: readonly Person[], now: Now): Order | undefined {
  const request = readRequest(said, people, now)
  return request && { kind: 'set', ...request }
}

function watchIn(said: OrderText): Order | undefined {
  const plain = said.original.replace(/[\s.!?。！？~〜]+$/u, '')
  for (const { watches } of LANGUAGES) {
    const { words, content } = watches.exec(plain)?.groups ?? {}
    if (words && content) return { kind: 'watch', words: unquoted(words), content: unquoted(content) }
  }
  return undefined
}

const unquoted = (text: string) => text.trim().replace(/^[「『"“'‘](.*)[」』"”'’]$/u, '$1')
