/** Reads a request for reminders: whom, when and what. */
import { type OrderText, orderText } from '@kikimimi/orders'
import { HOUR, MINUTE, type Now, type Phrase, type Resolved, resolve, type Said, SHORTEST, tidy } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { cleaned, contentIn, type Found, phrases, without } from './content.ts'
import { limited, limitedBefore } from './limits.ts'
import { READERS, type Reader } from './reader.ts'
import { several, split } from './several.ts'
import { type Named, named, withoutTarget } from './whom.ts'

/** One reminder that a request asks for. */
export interface Wanted {
  /** When. Absent: the text names no time. */
  readonly when?: Resolved
  /** What to say, as the person wrote it; empty when the text does not say it. */
  readonly content: string
  /** What the words say about the time. */
  readonly said?: Said
}

export interface Request {
  readonly wanted: readonly Wanted[]
  /** The request explains the whole text. Otherwise the bot asks first. */
  readonly isSure: boolean
  /** One of them is meant: "at 5 or 6". */
  readonly isEither?: boolean
  /** The words for the recipient do not name exactly one person whom the bot knows. */
  readonly isUnknown?: boolean
  /** Whom it is for. Absent: the person who asks, or everybody. */
  readonly target?: Person
}

/** @param people who can be named in the text, without the bot */
export function readRequest(said: OrderText, people: readonly Person[], now: Now): Request | undefined {
  for (const reader of READERS) {
    const read = countedIn(reader, said.polite, people) ?? requestIn(reader, said.polite, people)
    if (!read) continue
    const found = { ...read, ...limited(reader, read) }
    const { parts, target, isUnknown } = found
    const wanted = parts.flatMap(({ said: times, content }): readonly Wanted[] => {
      const words = cleaned(reader, content)
      return times.length === 0
        ? [{ content: words }]
        : times.map(one => ({ content: words, when: resolve(one, now), said: one }))
    })
    const isClear = wanted.every(
      ({ when, said: one, content }) =>
        !when ||
        !('at' in when) ||
        (!when.isOpen &&
          !(when.repeat && one?.times === undefined && reader.language.count.unsure.test(orderText(content, []).text))),
    )
    const corrects = reader.language.corrects.test(said.text)
    const isEither = parts.length === 1 && parts[0]?.isOpen
    return {
      ...{ wanted, isSure: found.isSure && isClear && !corrects },
      ...(isEither && { isEither }),
      ...(isUnknown && { isUnknown }),
      ...(target && { target }),
    }
  }
  return undefined
}

/** A time at the start of a text and the rest of it, such as "tomorrow 9 call Bob". */
export function readNote(given: string, now: Now): Wanted | undefined {
  if (tidy(given) === undefined) return undefined
  const said = orderText(given, [])
  for (const reader of READERS) {
    const found = contentIn(reader, said)
    const [part] = found?.parts ?? []
    if (part?.said[0]) return { content: cleaned(reader, part.content), when: resolve(part.said[0], now) }
  }
  return undefined
}

// ---------------------------------------------------------------- the request

/** Repeats of an hour or less that are counted are single reminders, at most this many. */
const MOST_COUNTED = 24

/** "Every hour, 3 times in total": a request that repeats, and how often. */
function countedIn(reader: Reader, said: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  const { count, numberOf } = reader.language
  const match = count.sure.exec(said.text)
  const words = match?.groups?.n
  if (!match || words === undefined) return undefined
  const found = requestIn(reader, without(said, match.index, match.index + match[0].length), people)
  if (!found?.parts.every(({ said: all }) => all.length > 0 && all.every(one => one.repeat ?? one.weekdays))) return undefined
  const parts = found.parts.map(part => ({ ...part, said: part.said.flatMap(one => counted(one, numberOf(words))) }))
  return { ...found, parts }
}

function counted(said: Said, times: number): readonly Said[] {
  const { unit, n = 1 } = said.repeat ?? {}
  const ms = unit === 'minute' ? n * MINUTE : unit === 'hour' ? n * HOUR : undefined
  if (ms === undefined || ms < SHORTEST || times < 1 || times > MOST_COUNTED || Object.keys(said).length > 1)
    return [{ ...said, times }]
  return Array.from({ length: times }, (_, index) => ({ after: { ms: (index + 1) * ms } }))
}

function requestIn(reader: Reader, said: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  for (const [pattern, isClear] of [
    [reader.before, true],
    [reader.unsureBefore, false],
  ] as const) {
    for (const match of said.text.matchAll(pattern)) {
      const [from = 0] = match.indices?.groups?.whom ?? []
      const whom = named(reader, match.groups?.whom && said.text.slice(from), match.groups?.whom, people)
      const after = said.slice(whom?.length ? from + whom.length : match.index + match[0].length)
      const rest = reader.language.length?.test(match[0]) ? orderText(`in ${after.original}`, []) : after
      const isBack = reader.language.refersBack.test(`${match[0].trim()} ${rest.text}`.trim())
      const found = whom && around(reader, said.slice(0, match.index), rest, { isClear, isBack })
      if (found) return { ...found, ...whom }
    }
  }
  for (const [pattern, isClear] of [
    [reader.after, true],
    [reader.unsureAfter, false],
  ] as const) {
    const match = pattern.exec(said.text)
    if (!match) continue
    const { rest, whom } = withoutTarget(reader, said.slice(0, match.index), match[0], people)
    const found = whom && behind(reader, rest, said.slice(match.index + match[0].length), isClear)
    if (found) return { ...found, ...whom }
  }
  return undefined
}

/** "On friday at five remind me to …": what stands before the request, and after it. */
function around(
  reader: Reader,
  before: OrderText,
  after: OrderText,
  { isClear, isBack }: { readonly isClear: boolean; readonly isBack: boolean },
): Found | undefined {
  const { phrase, noise, language } = reader
  const lead = before.slice(noise.exec(before.text)?.[0].length ?? 0)
  const limits = reader.limits(lead.text, 0)
  if (limits && /^[\s,、]*$/u.test(lead.text.slice(limits.end))) {
    const found = around(reader, before.slice(before.text.length), after, { isClear, isBack })
    return found && limitedBefore(found, limits.said)
  }
  const first = phrase(lead.text, 0)
  const rest = first ? lead.slice(first.end) : lead
  if (noise.exec(rest.text)?.[0] !== rest.text) {
    // "At nine I have to greet the client, remind me then"
    if (!isClear || !isBack) return undefined
    const found = contentIn(reader, before)
    return found?.parts[0]?.said.length ? { ...found, isSure: found.isSure && (after.text !== '' || !first) } : undefined
  }
  if (first) {
    if (!isClear && !isExact(first)) return undefined
    const times = phrases(reader, after.text)
    const [own = after, ...more] = split(reader, after, true)
    if (more.length > 0) return several(reader, [{ said: own, first }, ...more.map(one => ({ said: one }))])
    const isOther = times.some(({ isLoose }) => isLoose)
    return { parts: [{ said: first.all, content: after, isOpen: first.isOpen }], isSure: !first.isOpen && !isOther }
  }
  const all = split(reader, after)
  const found =
    all.length > 1
      ? several(
          reader,
          all.map(said => ({ said })),
        )
      : contentIn(reader, after)
  const [part] = found?.parts ?? []
  if (!isClear && (!part?.said[0] || !isExactly(part.said[0]) || !found?.isSure)) return undefined
  if (part && part.said.length === 0 && language.asksInstead.test(part.content.text)) return undefined
  return found
}

/** A request at the end of a text: 「明日9時に朝会をリマインドして」. */
function behind(reader: Reader, before: OrderText, tail: OrderText, isClear: boolean): Found | undefined {
  const found = contentIn(reader, before)
  const [part] = found?.parts ?? []
  if (!found || !part) return undefined
  const [said] = part.said
  const hasTail = tail.polite.text.replace(/^[\s、,。]+/u, '') !== ''
  if (!isClear && (!said || !isExactly(said) || !found.isSure || reader.language.question.test(part.content.text)))
    return undefined
  if (!isClear && part.content.text === '' && !hasTail) return { parts: [{ ...part }], isSure: false }
  if (!hasTail) return found
  // 「5分後に教えて、カップ麺」
  if (cleaned(reader, part.content) !== '') return { ...found, isSure: false }
  return {
    parts: [{ ...part, content: tail }],
    isSure: found.isSure && phrases(reader, tail.text).length === 0 && !/\d/.test(tail.text),
  }
}

/** Whether words that rarely ask for a reminder have a time of the clock. */
const isExactly = ({ hour, after, repeat, part, weekdays, sameTime }: Said) =>
  [hour, after, repeat, weekdays, part, sameTime].some(one => one !== undefined)
const isExact = ({ said }: Phrase) => isExactly(said)
