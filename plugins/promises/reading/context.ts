/** Reads a request behind a clause that tells something: "my shift starts at 11 tonight, remind me at 10 to pack". */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay, type Said } from '@kikimimi/times'
import { cleaned, type Found, phrases } from './content.ts'
import type { Reader } from './reader.ts'

/** Whether a clause ends before the request: at a pause, or before "so". `text`: up to the end of the words that ask. */
export function isClauseEnd({ language }: Reader, text: string, from: number): boolean {
  // "So @kiki remind him": a call can stand between the pause and the words that ask.
  const before = text.slice(0, from).replace(CALL, '').trimEnd()
  if (/[.!?,;:…–—]$/u.test(before)) return true
  const starts = language.request.clauseStart ?? /(?!)/g
  const isStart = ({ index, 0: { length } }: RegExpMatchArray) => (index ?? 0) <= from && (index ?? 0) + length > from
  return (
    [...text.matchAll(starts)].some(isStart) ||
    [...`${before} `.matchAll(starts)].some(({ index, 0: { length } }) => index + length > before.length)
  )
}

/** A call at the end of a text. */
const CALL = /(?<=\s)@\S+\s*$/u

/**
 * The request with its own words, or with the ones of the clause before it. Undefined: the clause can change what the request means.
 *
 * @param own what the request says itself
 */
export function behindClause(reader: Reader, before: OrderText, own: Found): Found | undefined {
  const { context, clauseStart } = reader.language.request
  const starts = [...before.text.matchAll(clauseStart ?? /(?!)/g)].map(({ index, 0: { length } }) => index + length)
  const last = before.slice(starts.filter(at => at < before.text.length - 1).at(-1) ?? 0)
  if (!context || [before, last].some(({ text }) => context.not.test(text)) || own.parts.some(({ said }) => said.length === 0))
    return undefined
  const times = phrases(reader, before.text)
  const [time] = times
  const isBare = own.parts.every(({ content }) => cleaned(reader, content) === '')
  if (!isBare) {
    if (!own.isSure || own.parts.some(({ content }) => isEmpty(reader, content))) return undefined
    if (!time) return own
    const parts = own.parts.map(part => ({ ...part, said: part.said.map(said => besideEvent(said, time.said)) }))
    return parts.every(({ said }) => said.every(one => one !== undefined))
      ? { ...own, parts: parts.map(part => ({ ...part, said: part.said.flatMap(one => one ?? []) })) }
      : undefined
  }
  const told = before.slice(0, before.text.replace(CALL, '').length)
  const lead = context.lead.exec(told.text)?.[0]
  const isClear = lead !== undefined || (times.length === 1 && isOfDay(time?.said ?? {}))
  const said = own.parts.map(part => ({ ...part, content: lead === undefined ? told : told.slice(lead.length) }))
  return { parts: said, isSure: isClear && own.parts.every(({ isOpen, said: all }) => !isOpen && all.every(isDated)) }
}

/** "Remind me at 9 instead" says nothing. */
const isEmpty = ({ language }: Reader, { text }: OrderText) =>
  (text.match(language.changes.word) ?? []).every(word => language.changes.stops.test(word))

const isDated = (said: Said) => isOfDay(said) || said.after !== undefined

/** The time of a request, beside that of an event. Undefined: its day is not clear. */
function besideEvent(said: Said, event: Said): Said | undefined {
  if (isDated(said) || said.repeat || said.weekdays) return said
  if (isOfDay(event) && event.days !== 0) return undefined
  return said.part || said.sure || !event.part ? said : { ...said, part: event.part, ...(event.days === 0 && { days: 0 }) }
}
