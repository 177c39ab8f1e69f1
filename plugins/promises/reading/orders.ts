/** Orders in words: to set, list, move and cancel reminders, and to watch for words. */

import { type OrderText, orderText } from '@kikimimi/orders'
import type { Now } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { type Change, changeIn, type OneChange, SHORT } from './changes.ts'
import { noteIn, type Request, readRequest } from './request.ts'

export interface SetOrder extends Request {
  readonly kind: 'set'
  /** The text does not ask for anything: it is a time and a few words. The bot asks. */
  readonly isGuess?: true
}

export type Order =
  | SetOrder
  | { readonly kind: 'watch'; readonly words: string; readonly content: string }
  /** Whether the person takes no reminders from others. */
  | { readonly kind: 'refuse'; readonly refuses: boolean }
  /** Two orders of one text: a change, and a request or another change. Without them: the text must be said in parts. */
  | { readonly kind: 'both'; readonly change?: OneChange; readonly set?: SetOrder }
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
  const both = bothIn(said, people, now)
  if (both) return both
  const change = changeIn(said)
  if (change?.kind === 'list') return change
  const request = watchIn(said.polite) ?? requestIn(said, people, now)
  // "Remind me again in ten minutes"
  const isAgain = change?.kind === 'move' && request?.kind === 'set' && request.wanted.every(({ content }) => content === '')
  // "Remind me to cancel …" is a request.
  const isLoose = request?.kind === 'set' && request.isLoose
  return change && (isAgain || isLoose) ? change : (request ?? change)
}

/** A text that is no order, as what a person notes for a time. */
export function readNoteOrder(given: string, names: readonly string[], now: Now): SetOrder | undefined {
  const request = noteIn(orderText(given, names), now)
  return request && { kind: 'set', ...request, isGuess: true }
}

/** Places of a text at which two orders can be divided. */
const MOST_PLACES = 3

/** "Cancel the three o'clock, tomorrow at 8 remind me to call Bob". */
function bothIn(given: OrderText, people: readonly Person[], now: Now): Order | undefined {
  const said = given.polite
  for (const { changes } of LANGUAGES) {
    if (said.text.length > SHORT || !(changes.cancels.test(said.text) || changes.moves.test(said.text))) continue
    const places = [...said.text.matchAll(changes.divides)].slice(0, MOST_PLACES)
    for (const { 0: between, index } of places) {
      const [one, other] = [said.slice(0, index), said.slice(index + between.length)]
      // "Game night got moved to saturday, can you change my reminder?"
      if (changes.tells.test(one.text)) continue
      const change = changeIn(one)
      // Two that cancel are one order.
      const next = change?.kind === 'cancel' && changes.cancels.test(other.text) ? undefined : changeIn(other)
      // "Remind me to cancel the gym and move the car" is one request.
      const first = change ? undefined : next && 'isNamed' in next && next.isNamed ? requestIn(one, people, now) : undefined
      const set = first ?? (change && requestIn(other, people, now))
      const changed = change ?? next
      if (!changed || changed.kind === 'list') continue
      if (set && isComplete(set)) return { kind: 'both', change: changed, set }
      if (set || (change && next && isOther(change, next))) return { kind: 'both' }
    }
  }
  return undefined
}

const isComplete = ({ isSure, isUnknown, wanted }: SetOrder) =>
  isSure && !isUnknown && wanted.every(({ when, content }) => when && 'at' in when && content !== '')

/** Whether two changes are two orders. "Cancel the gym reminder, and cancel the one about tea" names two reminders. */
const isOther = (one: Change, other: Change) =>
  other.kind === 'move' ? one.kind !== 'list' : one.kind === 'move' && other.kind === 'cancel' && (other.isNamed || other.isOne)

function requestIn(said: OrderText, people: readonly Person[], now: Now): SetOrder | undefined {
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
