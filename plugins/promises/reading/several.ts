/** Divides a text that asks for several reminders: "to call mum at 4 and to buy bread at 6". */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay, type Phrase, type Said } from '@kikimimi/times'
import { contentIn, type Found, phrases } from './content.ts'
import { matches, type Reader } from './reader.ts'

/** "To call mum at 4 and to buy bread at 6": the requests that an "and" divides. */
export function split(reader: Reader, said: OrderText, isTimed = false): readonly OrderText[] {
  const { joins } = reader.language
  if (!joins) return [said]
  const { text } = said
  const times = phrases(reader, text)
  const parts: OrderText[] = []
  let from = 0
  for (const {
    index,
    0: { length },
  } of text.matchAll(joins)) {
    const next = index + length
    if (times.some(one => one.from < index && one.end > index)) continue
    const hasTime = (isTimed && from === 0) || times.some(one => one.from >= from && one.end <= index)
    const lead = times.find(one => one.from === next)
    const isRequest =
      text.startsWith('to ', next) || (lead !== undefined && matches(reader.connective, text, lead.end) > lead.end)
    if (!hasTime || !isRequest || !times.some(one => one.from >= next)) continue
    parts.push(said.slice(from, index))
    from = next
  }
  return [...parts, said.slice(from)]
}

export function several(
  reader: Reader,
  all: readonly { readonly said: OrderText; readonly first?: Phrase }[],
  /** The day of all of them. */
  onDay?: Said,
): Found | undefined {
  const parts: Found['parts'][number][] = []
  let isSure = true
  for (const { said, first } of all) {
    const found: Found | undefined = first
      ? { parts: [{ said: first.all, content: said }], isSure: !first.isOpen }
      : contentIn(reader, said)
    const [part] = found?.parts ?? []
    if (!found || !part || part.said.length === 0) return undefined
    isSure &&= found.isSure
    // "Tomorrow at 4 … and at 6 …": the day holds for both.
    const day = parts[0]?.said[0] ?? onDay
    const times = part.said.map(one => (day && isOfDay(day) && !isOfDay(one) ? { ...day, ...one } : one))
    parts.push({ said: times, content: part.content })
  }
  return { parts, isSure }
}
