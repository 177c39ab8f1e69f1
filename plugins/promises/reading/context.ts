/** Reads a request behind a clause that tells something: "my shift starts at 11 tonight, remind me at 10 to pack". */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay, type Said } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { cleaned, type Found, phrases } from './content.ts'
import { besideEvent } from './event.ts'
import type { Reader } from './reader.ts'
import { type Named, named } from './whom.ts'

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
    const beside = own.parts.map(({ said }) => said.map(one => besideEvent(one, time.said)))
    return beside.flat().every(({ isSure }) => isSure)
      ? { ...own, parts: own.parts.map((part, index) => ({ ...part, said: beside[index]?.map(({ said }) => said) ?? [] })) }
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

// ---------------------------------------------------------------- a time before an event

/** A request whose words for the time before an event follow it: "remind me two days before at 10am". */
export function relativeIn(reader: Reader, said: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  const { relative, event } = reader.language.request
  const match = relative?.exec(said.text)
  const shift = match && shiftOf(reader, match.groups ?? {})
  const [request] = match ? [reader.before, reader.unsureBefore].flatMap(pattern => [...said.text.matchAll(pattern)]) : []
  if (!match || !shift || !request || request.index >= match.index) return undefined
  const [from = 0] = request.indices?.groups?.whom ?? []
  const whom = named(reader, request.groups?.whom && said.text.slice(from), request.groups?.whom, people)
  if (!whom) return undefined
  const start = whom.length ? from + whom.length : request.index + request[0].length
  const [context, between, after] = [
    said.slice(0, request.index),
    said.slice(start, match.index),
    said.slice(match.index + match[0].length),
  ]
  const length = event?.exec(after.text)?.[0].length
  const own = length === undefined ? reader.phrase(after.text, 0) : undefined
  const behind = after.slice(own?.end ?? length ?? 0)
  const place = [after.slice(0, length ?? 0), between, context].find(one => phrases(reader, one.text).length > 0)
  const [base, ...others] = place ? phrases(reader, place.text) : []
  if (!base) return undefined
  // "On 14/03 at 19:20 the taxi to the airport"
  const told = base.from === 0 && cleaned(reader, context.slice(base.end)) !== '' ? context.slice(base.end) : context
  const content = [behind, between].find(one => cleaned(reader, one) !== '') ?? told
  const { said: time, isSure } = besideEvent({ ...own?.said, ...shift }, base.said)
  const isClear = others.length === 0 && !base.isOpen && base.all.length === 1 && phrases(reader, behind.text).length === 0
  return { parts: [{ said: [time], content }], isSure: isSure && isClear, ...whom }
}

/** "Half an hour before", "the evening before". */
function shiftOf(reader: Reader, { amount, day, part }: Record<string, string | undefined>): Said | undefined {
  if (day !== undefined) {
    const found = part === undefined ? undefined : reader.phrase(`tomorrow ${part}`, 0)?.said.part
    return { shift: { days: -1 }, ...(found && { part: found }) }
  }
  const { ms, days } = reader.phrase(`in ${amount}`, 0)?.said.after ?? {}
  if (days !== undefined) return { shift: { days: -days } }
  return ms === undefined ? undefined : { shift: { ms: -ms } }
}
