/**
 * Reads a request for a time before an event that the text names: "remind me half an hour before the 6pm rehearsal to load the van", "the
 * report is due on the 31st, remind me two days before at 10am".
 */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay, type Said } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { cleaned, type Found, phrases } from './content.ts'
import type { Reader } from './reader.ts'
import { type Named, named } from './whom.ts'

export function relativeIn(reader: Reader, said: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  const { relative } = reader.language.request
  const match = relative?.exec(said.text)
  const shift = match && shiftOf(reader, match.groups ?? {})
  if (!match || !shift) return undefined
  const [request] = [reader.before, reader.unsureBefore].flatMap(pattern => [...said.text.matchAll(pattern)])
  if (!request || request.index >= match.index) return undefined
  const [from = 0] = request.indices?.groups?.whom ?? []
  const whom = named(reader, request.groups?.whom && said.text.slice(from), request.groups?.whom, people)
  if (!whom) return undefined
  const end = whom.length ? from + whom.length : request.index + request[0].length
  const [context, between] = [said.slice(0, request.index), said.slice(end, match.index)]
  return around(reader, { context, between, after: said.slice(match.index + match[0].length), shift, ...whom })
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

interface Parts extends Named {
  readonly context: OrderText
  readonly between: OrderText
  readonly after: OrderText
  readonly shift: Said
}

function around(reader: Reader, { context, between, after, shift, ...whom }: Parts): (Found & Named) | undefined {
  const { event } = reader.language.request
  const named = event?.exec(after.text)?.[0]
  const own = named === undefined ? reader.phrase(after.text, 0) : undefined
  const behind = after.slice(own?.end ?? named?.length ?? 0)
  const places = [named === undefined ? undefined : after.slice(0, named.length), between, context]
  const place = places.find(one => one && phrases(reader, one.text).length > 0)
  const [base, ...others] = place ? phrases(reader, place.text) : []
  if (!base || !place) return undefined
  const content =
    cleaned(reader, behind) !== '' ? behind : cleaned(reader, between) !== '' ? between : withoutLead(reader, context, base)
  const { hour, minute, sure, before, part, ...days } = base.said
  const isTimed = own !== undefined || shift.part !== undefined
  const said: Said = { ...(isTimed ? days : base.said), ...own?.said, ...shift }
  const isDayOnly = said.shift?.days !== undefined && !isTimed && hour !== undefined
  // "In 15 minutes" is no event, and an hour before a day is none.
  const isEvent = said.shift?.ms === undefined ? isOfDay(base.said) && base.said.after === undefined : hour !== undefined
  const isSure =
    isEvent &&
    !isDayOnly &&
    others.length === 0 &&
    !base.isOpen &&
    base.all.length === 1 &&
    phrases(reader, behind.text).length === 0
  return { parts: [{ said: [said], content }], isSure, ...whom }
}

/** "On 14/03 at 19:20 the taxi to the airport" */
function withoutLead(reader: Reader, context: OrderText, base: { readonly from: number; readonly end: number }): OrderText {
  const rest = context.slice(base.end)
  return base.from === 0 && cleaned(reader, rest) !== '' ? rest : context
}
