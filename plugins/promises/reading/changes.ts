/** Reads orders about reminders that are there: to list, cancel and move them. */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay, type Said, TIME_READERS } from '@kikimimi/times'
import { BY_LOCALE, type Language } from '../language.ts'

/** How an order names reminders. */
export type Which =
  | { readonly by: 'last'; readonly hints?: readonly string[] }
  | { readonly by: 'numbers'; readonly numbers: readonly number[]; readonly watches: readonly number[] }
  /** By words of what they say. */
  | {
      readonly by: 'words'
      /** One entry for each reminder that is named: "the flowers and the pizza". */
      readonly names: readonly (readonly string[])[]
      /** Words of other clauses, for an order without names: "I paid the rent, no need to remind me". */
      readonly hints?: readonly string[]
      /** When they are due. */
      readonly at?: Said
      /** Further times, of an order that cancels several: 「16時のと18時のを消して」. */
      readonly also?: readonly Said[]
      /** All of them, or all that the words do not name. */
      readonly all?: 'all' | 'others'
    }

/**
 * The new time of a reminder: a time, or how much later. `isUnsure`: the words can mean earlier, or something else. `inWeek`: a weekday is that
 * of the week of the reminder.
 */
export type NewTime =
  | { readonly said: Said; readonly isUnsure?: boolean; readonly inWeek?: boolean }
  | { readonly laterMs: number; readonly isUnsure?: boolean }

interface Naming {
  /** No words ask for it. The bot asks whether it is meant. */
  readonly isGuess?: true
  /** The text says "reminder". */
  readonly isNamed: boolean
  /** It says "the one about …": of reminders, if there are any. */
  readonly isOne: boolean
}

export type OneChange =
  | (Naming & { readonly kind: 'cancel'; readonly which: Which })
  | (Naming & { readonly kind: 'move'; readonly which: Which; readonly to?: NewTime })

export type Change = { readonly kind: 'list' } | OneChange

/** A longer text says more than an order to list, move or cancel. */
export const SHORT = 200

/** @param said without the name of the bot */
export function changeIn(said: OrderText): Change | undefined {
  const { text } = said.polite
  if (text === '' || text.length > SHORT) return undefined
  for (const [locale, language] of BY_LOCALE) {
    const found = inLanguage(text, locale, language)
    if (found) return found
  }
  return undefined
}

function inLanguage(text: string, locale: string, { changes }: Language): Change | undefined {
  const naming = { isNamed: changes.reminder.test(text), isOne: changes.one.test(text) }
  if (isNever(text, changes)) return undefined
  const [cancels, moves] = [changes.cancels.test(text), changes.moves.test(text)]
  if (!cancels && !moves) return changes.lists.test(text) ? { kind: 'list' } : undefined
  const whole = text.replace(changes.corrects, ' ').replace(changes.bareHour, '$&at ')
  const { object, told, isStated } = clausesOf(whole, locale, changes, cancels ? changes.cancels : changes.moves)
  const named = (given: string) => withoutVerb(given, cancels ? changes.cancels : changes.moves)
  const hints = tokensOf(timesOf(told.join(', '), locale).rest, changes).filter(token => token.length > 1)
  const which = (given: string, at?: Said) => withHints(whichOf(given, changes, at), hints)
  const news = told.map(one => timesOf(one, locale)).find(({ times: [time] }) => time && isOfDay(time))
  // "The insurance call is on tuesday, please change it"
  const ofNews = (one: Which): Which => {
    const words = news && one.by === 'last' ? tokensOf(news.rest, changes) : []
    return words.length > 0 ? { by: 'words', names: [words] } : one
  }
  const { rest, times } = timesOf(named(object), locale)
  if (cancels) {
    const cancelled = which(rest, times[0])
    // What follows the verb is another order.
    const listed = timesOf(object.slice(0, changes.cancels.exec(object)?.index ?? 0), locale).times.slice(1)
    const also = cancelled.by === 'words' && !cancelled.all && listed.length > 0 && { also: listed }
    return meant({ kind: 'cancel', ...naming, which: { ...cancelled, ...also } }, text, changes)
  }
  const shift = shiftOf(object, locale, changes)
  if (shift) {
    const { rest: names, ...to } = shift
    return meant({ kind: 'move', ...naming, which: which(named(names)), to }, text, changes)
  }
  const [last] = (times.length > 0 ? times : timesOf(whole, locale).times).slice(-1)
  // "Game night is on saturday now, change the reminder, same time"
  const day = news?.times.find(isOfDay)
  const to = last && day && !isOfDay(last) ? { ...day, ...last } : last
  // 「木曜に変更になったから、12日の15時で」 names no old time.
  const at = times.length > 1 && !isStated ? times[0] : undefined
  const given = which(rest, at)
  const meantOne = ofNews(given)
  const isOne = naming.isOne || meantOne !== given
  const inWeek = changes.swaps?.test(text) === true && { inWeek: true }
  return meant({ kind: 'move', ...naming, isOne, which: meantOne, ...(to && { to: { said: to, ...inWeek } }) }, text, changes)
}

/** Whether the text only looks like an order. What it tells before the order does not count. */
function isNever(text: string, { never, tells, clauses }: Language['changes']): boolean {
  const [first = '', ...more] = text.split(clauses)
  return never.test(
    more.length > 0 && tells.test(first) ? text.slice(first.length).replace(/^[\s,.;!、。]+(?:so|because|since)?\s*/u, '') : text,
  )
}

const withHints = (which: Which, hints: readonly string[]): Which =>
  hints.length === 0 || which.by === 'numbers' || (which.by === 'words' && (which.names.length > 0 || which.all || which.at))
    ? which
    : { ...which, hints }

/**
 * The clause with the verb and those that name something, and what the others tell: "Turn off the standup reminder, I am switching teams",
 * 「ゴミの件、引っ越すからもう止めて」.
 */
function clausesOf(
  text: string,
  locale: string,
  changes: Language['changes'],
  verb: RegExp,
): { readonly object: string; readonly told: readonly string[]; readonly isStated?: boolean } {
  const { clauses, tells, others, topic } = changes
  const all = text.split(clauses).filter(one => one.trim() !== '')
  const main = all.find(one => verb.test(one) && !tells.test(one)) ?? all.find(one => verb.test(one)) ?? all.at(-1)
  const isBare = tokensOf(timesOf(withoutVerb(main ?? '', verb), locale).rest.replace(changes.verbs, ' '), changes).length === 0
  // 「牛乳と電池はもう買ったからなしで」
  const told = isBare ? all.find(one => one !== main && tells.test(one) && !others.test(one)) : undefined
  const names = changes.reminder.test(text) ? undefined : topic?.exec(told ?? '')?.groups?.names
  if (names !== undefined) return { object: `${names}, ${main}`, told: [] }
  // "Drop the first two, keep only the dinner one"
  if (others.test(text) && isBare && timesOf(main ?? '', locale).times.length === 0) return { object: text, told: [] }
  const isTold = (one: string) =>
    one !== main && tells.test(one) && !changes.reminder.test(one) && timesOf(one, locale).rest.trim() !== ''
  // 「洗車は取り消し、買い出しだけ残して」
  const isKept = (one: string) => one !== main && others.test(one)
  return {
    object: all.filter(one => !isTold(one) && !isKept(one)).join(', '),
    told: all.filter(isTold),
    isStated: main !== undefined && all.length > 1 && tells.test(main),
  }
}

/** Words of a reminder and another time, without a verb: "the essay on thursday, 6pm". */
export function mentionIn(said: OrderText): OneChange | undefined {
  const { text } = said.polite
  if (text === '' || text.length > SHORT || /[?？]/u.test(said.text)) return undefined
  for (const [locale, { changes, question, asksInstead }] of BY_LOCALE) {
    if (question.test(text) || asksInstead.test(text) || changes.never.test(text)) return undefined
    const { rest, times } = timesOf(text, locale)
    const to = times.at(-1)
    // What begins with a time is a note.
    if (!to || TIME_READERS.get(locale)?.phrase(text, 0)) continue
    const which = whichOf(rest, changes)
    if (which.by !== 'words' || which.names.length === 0 || which.all) continue
    const names = [which.names.flat()]
    const [at] = times
    const isSwap = times.length === 2 && changes.swaps?.test(text) === true
    return {
      kind: 'move',
      ...(!isSwap && { isGuess: true }),
      isNamed: false,
      isOne: false,
      which: { by: 'words', names, ...(isSwap && at && { at }) },
      to: { said: to, ...(isSwap ? { inWeek: true } : { isUnsure: true }) },
    }
  }
  return undefined
}

const withoutVerb = (text: string, pattern: RegExp) => {
  const verb = pattern.exec(text)?.groups?.verb
  return verb === undefined ? text : text.replace(new RegExp(`\\b${verb}\\b`, 'u'), ' ')
}

/** "Cancel it" names one; "cancel the reminder" names the only one; "stop it" and 「やめて」 are for something else. */
function meant(order: OneChange, text: string, { it, last }: Language['changes']): Change | undefined {
  if (order.isNamed || order.isOne)
    return order.which.by === 'last' && (order.which.hints || !last.test(text))
      ? { ...order, which: { ...order.which, by: 'words', names: [] } }
      : order
  if (order.kind === 'move' && !order.to && order.which.by !== 'words') return undefined
  return order.which.by !== 'last' || order.which.hints || it.test(text) ? order : undefined
}

/** The times in a text, and the text without them. */
function timesOf(text: string, locale: string): { readonly rest: string; readonly times: readonly Said[] } {
  const reader = TIME_READERS.get(locale)
  // "That one" is no hour.
  const names = new RegExp(`^(?:${BY_LOCALE.get(locale)?.changes.one.source ?? '(?!)'})`, 'u')
  const times: Said[] = []
  let rest = ''
  for (let at = 0; at < text.length; ) {
    const isWord = reader?.isUnspaced || at === 0 || /[\s,]/u.test(text[at - 1] ?? '')
    // A number alone names a reminder.
    const found =
      isWord && !names.test(text.slice(at)) && !/^\d+\s*(?:$|[,、と番])/u.test(text.slice(at))
        ? reader?.phrase(text, at)
        : undefined
    if (found) times.push(found.said)
    rest += found ? ' ' : text[at]
    at = found?.end ?? at + 1
  }
  return { rest, times }
}

/** "Push it back by 30 minutes", 「10分前倒しして」. */
function shiftOf(
  text: string,
  locale: string,
  { by, earlier, later }: Language['changes'],
): { readonly rest: string; readonly laterMs: number; readonly isUnsure?: boolean } | undefined {
  const match = by.exec(text)
  const { amount } = match?.groups ?? {}
  if (!match || !amount) return undefined
  const found = TIME_READERS.get(locale)?.phrase(locale === 'en' ? `in ${amount}` : `${amount}後`, 0)
  const { ms = 0, days = 0 } = found?.said.after ?? {}
  const all = ms + days * 24 * 3_600_000
  if (all <= 0) return undefined
  const [isEarlier, isLater] = [earlier.test(text), later.test(text)]
  const rest = text.replace(match[0], ' ')
  return { rest, laterMs: isEarlier && !isLater ? -all : all, ...(isEarlier === isLater && { isUnsure: true }) }
}

/** Which reminders the words name, when verbs and times are left out. */
export function whichOf(given: string, changes: Language['changes'], at?: Said): Which {
  const watches = [...given.matchAll(/(?<![\p{L}\d])w(\d{1,9})(?!\d)/giu)].map(([, number]) => Number(number))
  const numbers = [...given.matchAll(changes.number)].map(match => Number(match[1] ?? match[2]))
  if (watches.length + numbers.length > 0) return { by: 'numbers', numbers, watches }
  const [named = '', kept] = given.split(changes.others)
  const all = kept !== undefined ? 'others' : changes.all.test(given) ? 'all' : undefined
  const namesIn = (text: string) =>
    text
      .replace(changes.verbs, ' ')
      .split(changes.and)
      .map(part => tokensOf(part, changes))
      .filter(tokens => tokens.length > 0)
  const ofKept = kept === undefined ? [] : namesIn(kept)
  const names = ofKept.length > 0 ? ofKept : namesIn(named)
  if (names.length === 0 && !at && !all) return { by: 'last' }
  return { by: 'words', names, ...(at && { at }), ...(all && { all }) }
}

/** The words that can be those of a reminder. */
function tokensOf(text: string, { word, stops }: Language['changes']): readonly string[] {
  return [...text.matchAll(word)].map(([token]) => token).filter(token => !stops.test(token))
}
