/** Reads the answer to what the bot has asked about an order. */
import { type OrderText, orderText, plainWords } from '@kikimimi/orders'
import { isOfDay, type Now, type Resolved, resolve, type Said, timesIn, toWall } from '@kikimimi/times'
import { LANGUAGES } from '../language.ts'
import type { OneChange } from './changes.ts'
import type { Order } from './orders.ts'
import type { Wanted } from './request.ts'

export type Answered = { readonly order: Order; readonly isAgreed: boolean } | 'declined'

/** A longer text says more than an answer. */
const LONGEST = 80

/** Whether a text can answer any order. It costs no statement. */
export function isAnswerLike(given: string, names: readonly string[]): boolean {
  if (given.length > LONGEST) return false
  const said = orderText(given, names)
  const words = plainWords(said.text)
  const isOne = LANGUAGES.some(({ yes, no, ordinal }) => yes.test(words) || no.test(words) || ordinal(words) !== undefined)
  return isOne || timesIn(withoutAnswer(said)) !== undefined
}

/** Without the words around the time: "no, friday". */
const withoutAnswer = ({ polite }: OrderText) =>
  LANGUAGES.reduce((rest, { beforeTime }) => rest.replace(beforeTime, ''), polite.text)

/** @param order what the bot has asked about. `isCall`: the text calls the bot. Undefined: the text is no answer. */
export function readAnswer(
  given: string,
  names: readonly string[],
  order: Order,
  now: Now,
  isCall: boolean,
): Answered | undefined {
  if (given.length > LONGEST) return undefined
  const said = orderText(given, names)
  const words = plainWords(said.text)
  if (words === '') return undefined
  // "Yes" does not say which of two times.
  if (LANGUAGES.some(({ yes }) => yes.test(words)))
    return isComplete(order) ? { order, isAgreed: !('isEither' in order) } : undefined
  if (LANGUAGES.some(({ no }) => no.test(words))) return 'declined'
  const number = LANGUAGES.flatMap(({ ordinal }) => ordinal(words) ?? [])[0]
  const asked = order.kind === 'both' ? order.change : order
  if (asked?.kind === 'cancel' || asked?.kind === 'move') {
    const change = changeAnswered(asked, number, timesIn(withoutAnswer(said))?.said)
    return change && { order: order.kind === 'both' ? { ...order, change } : change, isAgreed: true }
  }
  if (order.kind !== 'set') return undefined
  const { isEither, ...single } = order
  if (number !== undefined && order.wanted.length > 1 && order.wanted[number - 1])
    return { order: { ...single, wanted: order.wanted.slice(number - 1, number) }, isAgreed: true }
  // "No, friday", "make it 8", 「8時で」
  const times = timesIn(withoutAnswer(said))
  if (times && !times.isOpen) {
    const [first] = order.wanted
    if (!first) return undefined
    return { order: { ...single, wanted: times.all.map(one => timed(first, one, now)) }, isAgreed: true }
  }
  const lacksContent = order.wanted.every(({ when, content }) => when && 'at' in when && content === '')
  if (!isCall || !lacksContent) return undefined
  return { order: { ...order, wanted: order.wanted.map(one => ({ ...one, content: said.polite.original })) }, isAgreed: true }
}

function changeAnswered(order: OneChange, number: number | undefined, said: Said | undefined): OneChange | undefined {
  if (order.kind === 'move' && said) return { ...order, to: { said } }
  return number === undefined ? undefined : { ...order, which: { by: 'numbers', numbers: [number], watches: [] } }
}

const isComplete = (order: Order) =>
  order.kind !== 'set' || order.wanted.every(({ when, content }) => when && 'at' in when && content !== '')

/** The reminder at the time of the answer, on the days of the request if the answer has none. */
function timed({ when, said: before, content }: Wanted, said: Said, now: Now): Wanted {
  return { content, said, when: onDay(when, before, said, now) }
}

function onDay(when: Resolved | undefined, before: Said | undefined, said: Said, now: Now): Resolved {
  if (isOfDay(said) || !before || !isOfDay(before) || !when || !('at' in when)) return resolve(said, now)
  if (when.repeat) {
    const { hour, minute, sure, part, before: minutes, ...days } = before
    return resolve({ ...days, ...said }, now)
  }
  const wall = new Date(toWall(when.at, now.zone))
  return resolve({ ...said, year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, date: wall.getUTCDate() }, now)
}
