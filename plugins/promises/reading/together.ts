/** Reads two requests of one text, each with words that ask: "remind me at 6 to lock up, and remind bob at 7 to open". */
import type { OrderText } from '@kikimimi/orders'
import { isOfDay } from '@kikimimi/times'
import { cleaned, type Found, phrases } from './content.ts'
import type { Reader } from './reader.ts'
import type { Named } from './whom.ts'

type Read = (said: OrderText) => (Found & Named) | undefined

/** Places of a text at which it is divided. */
const MOST = 4

/** @param read reads one request */
export function together(reader: Reader, said: OrderText, read: Read): (Found & Named) | undefined {
  const { request, due } = reader.language
  if (!request.next) return undefined
  for (const { index, groups, 0: match } of [...said.text.matchAll(request.next)].slice(0, MOST)) {
    const one = read(said.slice(0, index))
    const right = said.slice(index + match.length)
    if (!one) continue
    const timeless = groups?.sure === undefined ? undefined : withTimesOf(reader, one, () => read(right))
    if (timeless) return timeless
    if (!one.isSure || !isWhole(reader, one)) continue
    const other = together(reader, right, read) ?? read(right)
    const isTimed = phrases(reader, right.text).some(({ isLoose, from }) => isLoose && !due.test(right.text.slice(0, from)))
    if (!isTimed || other?.isUnknown) continue
    // "And ping carol at 5" can be what the first one is about.
    if (!other || !isWhole(reader, other)) {
      const all = read(said)
      return all && { ...all, isSure: false }
    }
    const [day] = one.parts.at(-1)?.said ?? []
    const parts = [...ofOne(one), ...ofOne(other)].map((part, at) =>
      at < one.parts.length || !day || !isOfDay(day)
        ? part
        : { ...part, said: part.said.map(time => (isOfDay(time) || time.after ? time : { ...day, ...time })) },
    )
    return { parts, isSure: other.isSure && groups?.sure !== undefined }
  }
  return undefined
}

/** "Don't let me forget to order it, so ping me at 5". */
function withTimesOf(
  reader: Reader,
  one: Found & Named,
  readOther: () => (Found & Named) | undefined,
): (Found & Named) | undefined {
  const [part, ...more] = one.parts
  if (!part || more.length > 0 || part.said.length > 0 || one.isUnknown) return undefined
  if (cleaned(reader, part.content) === '' || reader.language.request.context?.not.test(part.content.text)) return undefined
  const other = readOther()
  if (!other || other.isUnknown) return undefined
  if (!other.parts.every(({ said, content, isOpen }) => said.length > 0 && !isOpen && cleaned(reader, content) === ''))
    return undefined
  const parts = other.parts.map(({ said }) => ({ said, content: part.content }))
  return { ...one, parts, isSure: one.isSure && !other.targets }
}

const isWhole = (reader: Reader, { parts, isUnknown }: Found & Named) =>
  !isUnknown && parts.every(({ said, content, isOpen }) => said.length > 0 && !isOpen && cleaned(reader, content) !== '')

const ofOne = ({ parts, targets = [undefined] }: Found & Named) => parts.map(part => ({ targets, ...part }))
