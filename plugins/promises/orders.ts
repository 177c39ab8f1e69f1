/** Orders in words: to set, list, move and cancel reminders, and to watch for words. */

import type { Now } from '@kikimimi/times'
import { foldWidth } from '@kikimimi/times'
import { LANGUAGES } from './language.ts'
import { type Request, readRequest } from './request.ts'

/** How an order names a reminder. */
export type Which =
  | { readonly by: 'last' }
  | { readonly by: 'all' }
  | { readonly by: 'number'; readonly number: number; readonly isWatch: boolean }
  | { readonly by: 'words'; readonly words: string }

export type Order =
  | ({ readonly kind: 'set' } & Request)
  | { readonly kind: 'watch'; readonly words: string; readonly content: string }
  | { readonly kind: 'list' }
  /** `isSure`: the text says "reminder". Otherwise it is an order only if there is such a reminder. */
  | { readonly kind: 'cancel'; readonly which: Which; readonly isSure: boolean }
  | { readonly kind: 'move'; readonly which: Which; readonly when: string; readonly isSure: boolean }

/** A longer text is no order. */
const LONGEST = 500

/** A longer text says more than an order to list, move or cancel. */
const SHORT = 200

/** Signs of a text about reminders. */
const SAYS_REMINDER = /remind(?:er|ing)|リマイン|알림/iu

/** Words that name one of several things, such as reminders. */
const NAMES_ONE = /\bone\b|の件|のやつ|通知/iu

/** Words that cancel something, and never tell the bot to stop or to forget. */
const CANCELS = /^(?:please )?cancel\b|取り?消|キャンセル|취소/iu

/** @param given without the name of the bot */
export function readOrder(given: string, now: Now): Order | undefined {
  if (given.length > LONGEST) return undefined
  const text = foldWidth(given).replace(/\s+/gu, ' ').trim()
  const plain = text.replace(/[\s.!?。！？~〜]+$/u, '')
  return watchIn(plain) ?? (plain.length <= SHORT ? listed(plain) : undefined) ?? requested(text, now) ?? movedIn(plain)
}

function watchIn(plain: string): Order | undefined {
  for (const { watches } of LANGUAGES) {
    const { words, content } = watches.exec(plain)?.groups ?? {}
    if (words && content) return { kind: 'watch', words: unquoted(words), content: unquoted(content) }
  }
  return undefined
}

function listed(plain: string): Order | undefined {
  if (plain !== '' && LANGUAGES.some(({ lists }) => lists.test(plain))) return { kind: 'list' }
  if (LANGUAGES.some(({ cancelsAll }) => cancelsAll.test(plain)))
    return { kind: 'cancel', which: { by: 'all' }, isSure: SAYS_REMINDER.test(plain) }
  for (const { cancels } of LANGUAGES) {
    const found = cancels.exec(plain)?.groups
    if (!found) continue
    const which = whichOf(found.which)
    const isSure = SAYS_REMINDER.test(plain)
    // "Forget that" and やめて are for something else.
    const isMeant =
      which.by === 'last' ? CANCELS.test(plain) && found.which !== '' : NAMES_ONE.test(plain) || which.by === 'number'
    if (isSure || isMeant) return { kind: 'cancel', which, isSure }
  }
  return undefined
}

function requested(text: string, now: Now): Order | undefined {
  const request = readRequest(text, now)
  return request && { kind: 'set', ...request }
}

function movedIn(plain: string): Order | undefined {
  if (plain.length > SHORT) return undefined
  for (const { moves } of LANGUAGES) {
    const { which, when } = moves.exec(plain)?.groups ?? {}
    if (!when) continue
    const order = { kind: 'move', which: whichOf(which), when, isSure: SAYS_REMINDER.test(plain) } as const
    if (order.isSure || order.which.by !== 'words' || NAMES_ONE.test(plain)) return order
  }
  return undefined
}

export function whichOf(given = ''): Which {
  const text = given.trim()
  if (LANGUAGES.some(({ it }) => it.test(text))) return { by: 'last' }
  const watch = /^(?:(?:the )?reminder )?w(\d{1,9})$/i.exec(text)?.[1]
  if (watch !== undefined) return { by: 'number', number: Number(watch), isWatch: true }
  for (const { number } of LANGUAGES) {
    const digits = number.exec(text)?.[1]
    if (digits !== undefined) return { by: 'number', number: Number(digits), isWatch: false }
  }
  for (const { about } of LANGUAGES) {
    const { words, named } = about.exec(text)?.groups ?? {}
    const found = words ?? named
    if (found !== undefined) return { by: 'words', words: found }
  }
  return { by: 'words', words: text }
}

const unquoted = (text: string) => text.trim().replace(/^[「『"“'‘](.*)[」』"”'’]$/u, '$1')
