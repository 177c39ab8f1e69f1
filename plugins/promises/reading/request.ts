/** Reads a request for reminders: whom, when and what. */
import { type OrderText, orderText } from '@kikimimi/orders'
import { HOUR, isOfDay, MINUTE, type Now, type Phrase, type Resolved, resolve, type Said, SHORTEST, tidy } from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { requestBehind } from './behind.ts'
import { cleaned, contentIn, corrected, type Found, isExactly, phrases, withOwnContent, without } from './content.ts'
import { behindClause, isClauseEnd, relativeIn } from './context.ts'
import { limited, limitedBefore } from './limits.ts'
import { READERS, type Reader } from './reader.ts'
import { several, split } from './several.ts'
import { together } from './together.ts'
import { type Named, named, namedBefore } from './whom.ts'

/** One reminder that a request asks for. */
export interface Wanted {
  /** When. Absent: the text names no time. */
  readonly when?: Resolved
  /** What to say, as the person wrote it; empty when the text does not say it. */
  readonly content: string
  /** What the words say about the time. */
  readonly said?: Said
  /** The people of this one, where the text asks for others too. Absent: those of the request. */
  readonly targets?: Named['targets']
}

export interface Request {
  readonly wanted: readonly Wanted[]
  /** The request explains the whole text. Otherwise the bot asks first. */
  readonly isSure: boolean
  /** One of them is meant: "at 5 or 6". */
  readonly isEither?: boolean
  /** The words for the recipient do not name people whom the bot knows. */
  readonly isUnknown?: boolean
  /** See {@link Found}. */
  readonly isLoose?: boolean
  /** See {@link Named}. */
  readonly targets?: Named['targets']
}

/** @param people who can be named in the text, without the bot */
export function readRequest(given: OrderText, people: readonly Person[], now: Now): Request | undefined {
  for (const reader of READERS) {
    const said = corrected(reader, given)
    const one = (text: OrderText): (Found & Named) | undefined =>
      countedIn(reader, text, people) ?? requestIn(reader, text, people) ?? announced(reader, text)
    const read = together(reader, said, one) ?? one(said)
    if (!read) continue
    const found = { ...read, ...limited(reader, read) }
    const { parts, targets, isUnknown } = found
    const wanted = parts.flatMap(({ said: times, content: given, targets: own }): readonly Wanted[] => {
      const content = cleaned(reader, given)
      const whom = own && { targets: own }
      return times.length === 0
        ? [{ content, ...whom }]
        : times.map(one => ({ content, when: resolve(one, now), said: one, ...whom }))
    })
    const isClear = wanted.every(
      ({ when, said: one, content }) => !when || !('at' in when) || (!when.isOpen && !isCounted(reader, when, one, content)),
    )
    const corrects = reader.language.corrects.test(said.text)
    const { unread, untimed } = reader.language.request
    const isRead = !wanted.some(
      ({ content, said: one }) => unread?.test(content) || (one && !isOfClock(one) && untimed?.test(content)),
    )
    const isEither = parts.length === 1 && parts[0]?.isOpen
    return {
      ...{ wanted, isSure: found.isSure && isClear && isRead && !corrects },
      ...(isEither && { isEither }),
      ...(isUnknown && { isUnknown }),
      ...(found.isLoose && { isLoose: true }),
      ...(targets && { targets }),
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

/** A longer text tells something. */
const LONGEST_NOTE = 120
const LONGEST_SURE_NOTE = 40
/** Behind a longer content, a time belongs to the content. */
const LONGEST_BEFORE_TIME = 60

/** A time of the clock and a few words, without a request: "tomorrow 8:30 - bring the charger". It is sure if nothing else can be meant. */
export function noteIn(given: OrderText, now: Now): Request | undefined {
  const text = given.polite
  if (text.text.length > LONGEST_NOTE) return undefined
  for (const reader of READERS) {
    if (reader.language.letter?.test(text.text) === false) continue
    const said = withTime(reader, text)
    const list = listed(reader, said)
    const read = list?.parts.every(isTimed) ? list : contentIn(reader, said)
    const found = read && limited(reader, read)
    if (!found?.parts.every(isTimed)) continue
    const isLed = found.parts.length > 1 || reader.phrase(said.text, 0) !== undefined
    const isNote = ({ content }: Found['parts'][number]) =>
      cleaned(reader, content) !== '' &&
      !reader.language.talks.test(content.polite.text) &&
      (isLed || (found.isSure && content.text.length <= LONGEST_BEFORE_TIME))
    if (!found.parts.every(isNote)) continue
    const wanted = found.parts.flatMap(({ said: times, content }) =>
      times.map(one => ({ content: cleaned(reader, content), when: resolve(one, now), said: one })),
    )
    if (!wanted.every(({ when }) => 'at' in when)) continue
    const isClear = wanted.every(
      ({ when, said: one, content }) =>
        !('isOpen' in when) &&
        (isOfDay(one) || isOneHalf(one)) &&
        !isCounted(reader, when, one, content) &&
        content.length <= LONGEST_SURE_NOTE &&
        reader.language.note?.test(content) === true,
    )
    const isAll = found.parts.every(({ content }) => phrases(reader, content.text).length === 0)
    return { wanted, isSure: found.isSure && isLed && isClear && isAll }
  }
  return undefined
}

/** Whether the content can say how often something that repeats is told. */
const isCounted = ({ language }: Reader, when: Resolved, said: Said | undefined, content: string) =>
  'repeat' in when && said?.times === undefined && language.count.unsure.test(orderText(content, []).text)

/** Whether a time is in one half of the day only. */
const isOneHalf = ({ sure, part, hour, after }: Said) => sure || part !== undefined || after !== undefined || hour === 12

/** A note can begin with a form of time that no sentence has: "20 min laundry", "15.30 call". */
function withTime({ language }: Reader, said: OrderText): OrderText {
  const { original } = said
  const dotted = original.replace(/^(\d{1,2})\.([0-5]\d)(?=\s)/u, '$1:$2')
  if (dotted !== original) return orderText(dotted, [])
  return language.amount?.test(said.text) ? orderText(`in ${original}`, []) : said
}

/** "Tomorrow: 9am standup, 11:30 call the vet", "1) 16:00 feed the cat 2) 18:30 choir". */
function listed(reader: Reader, said: OrderText): Found | undefined {
  const { text } = said
  const starts = [...text.matchAll(/(?:^|[,;:、。]\s?|\s)(?:\d\)\s?|[-*・]\s)?/gu)]
    .map(({ index, 0: { length }, 0: sign }) => ({ from: index, at: index + length, isItem: sign.trim() !== '' }))
    .filter(({ at, isItem, from }) => (isItem || from === 0) && reader.phrase(text, at))
  const [first, ...more] = starts
  if (!first || more.length === 0) return undefined
  const lead = text.slice(0, first.from)
  const day = reader.phrase(text, first.at)
  // "For tomorrow: 9am standup, …"
  const isDay = day !== undefined && /^[\s:：、,]*$/u.test(text.slice(day.end, more[0]?.at))
  const parts = (isDay ? more : starts).map(({ at }, index, all) => said.slice(at, all[index + 1]?.from ?? text.length))
  if (parts.length < 2 || lead.length > LONGEST_BEFORE_TIME) return undefined
  return several(
    reader,
    parts.map(part => ({ said: part })),
    isDay ? day.said : undefined,
  )
}

/** "Two things: friday 10am dentist, friday 3pm parent teacher meeting". */
function announced(reader: Reader, said: OrderText): Found | undefined {
  const match = reader.language.request.announces?.exec(said.text)
  const found = match && listed(reader, said.slice(match[0].length))
  const isTold = ({ content, said: times }: Found['parts'][number]) =>
    cleaned(reader, content) !== '' && times.every(isOfClock) && !reader.language.talks.test(content.polite.text)
  return found?.parts.every(isTold) ? found : undefined
}

/** Whether all times of a part name an hour, and are meant. */
const isTimed = ({ said, isOpen }: Found['parts'][number]) => !isOpen && said.length > 0 && said.every(isOfClock)

/** Whether a time names an hour, or a part of a day that it names. */
const isOfClock = (said: Said) =>
  said.hour !== undefined || said.after?.ms !== undefined || (said.part !== undefined && isOfDay(said))

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

function requestIn(reader: Reader, given: OrderText, people: readonly Person[]): (Found & Named) | undefined {
  const said = timer(reader, given.polite)
  const relative = relativeIn(reader, said, people)
  if (relative) return relative
  for (const [pattern, isClear] of [
    [reader.before, true],
    [reader.unsureBefore, false],
  ] as const) {
    for (const match of said.text.matchAll(pattern)) {
      const [from = 0] = match.indices?.groups?.whom ?? []
      const whom =
        namedBefore(reader, said.text.slice(0, match.index), match.groups?.whom, people, isClear) ??
        named(reader, match.groups?.whom && said.text.slice(from), match.groups?.whom, people)
      // "Let carol know": the name stands in the request.
      const isInside = /\p{L}/u.test(match[0].slice(from - match.index + (match.groups?.whom?.length ?? 0)))
      const after = said.slice(whom?.length !== undefined && !isInside ? from + whom.length : match.index + match[0].length)
      const rest = reader.language.length?.test(match[0]) ? orderText(`in ${after.original}`, []) : after
      const isBack = reader.language.refersBack.test(`${match[0].trim()} ${rest.text}`.trim())
      const before = said.slice(0, match.index)
      const isClause = isClauseEnd(reader, said.text.slice(0, match.index + match[0].length), match.index)
      const found = whom && around(reader, before, rest, { isClear, isBack, isClause })
      // "Call mom at 6" is a note.
      const isNote = !isClear && (whom?.isUnknown || whom?.targets) && found?.parts.every(({ content }) => content.text === '')
      if (found && !isNote) return { ...withOwnContent(reader, found, match[0]), ...whom }
    }
  }
  return requestBehind(reader, given, people)
}

/** "Set a 45 minute timer for the laundry" has its length in the middle of the words that ask. */
function timer({ language }: Reader, said: OrderText): OrderText {
  const match = language.timer?.exec(said.text)
  return match?.groups?.amount ? orderText(`timer ${match.groups.amount} ${said.slice(match[0].length).original}`, []) : said
}

/** "On friday at five remind me to …": what stands before the request, and after it. */
function around(
  reader: Reader,
  before: OrderText,
  after: OrderText,
  { isClear, isBack, isClause }: { readonly isClear: boolean; readonly isBack: boolean; readonly isClause: boolean },
): Found | undefined {
  const { phrase, noise, language } = reader
  const lead = before.slice(noise.exec(before.text)?.[0].length ?? 0)
  const limits = reader.limits(lead.text, 0)
  if (limits && /^[\s,、]*$/u.test(lead.text.slice(limits.end))) {
    const found = around(reader, before.slice(before.text.length), after, { isClear, isBack, isClause })
    return found && limitedBefore(found, limits.said)
  }
  const first = phrase(lead.text, 0)
  const rest = first ? lead.slice(first.end) : lead
  if (noise.exec(rest.text)?.[0] !== rest.text) {
    const own = isBack ? undefined : contentIn(reader, after)
    const told = own && isClear && isClause ? behindClause(reader, lead, own) : undefined
    if (told) return told
    // "I am so tired. Wake me at 8"
    const isSentence = /[.!?…]\s*$/u.test(before.text)
    if (own?.parts.every(({ said }) => said.some(isExactly))) return isSentence ? own : { ...own, isSure: false, isLoose: true }
    // "At nine I have to greet the client, remind me then"
    if (!isClear) return undefined
    const found = contentIn(reader, before)
    if (!found?.parts[0]?.said.length) return undefined
    return isBack ? found : { ...found, isSure: false, isLoose: true }
  }
  if (first) {
    if (!isClear && !isExact(first)) return undefined
    const times = phrases(reader, after.text)
    const [own = after, ...more] = split(reader, after, true)
    if (more.length > 0) return several(reader, [{ said: own, first }, ...more.map(one => ({ said: one }))])
    const isOther = times.some(({ isLoose, from }) => isLoose && !language.due.test(after.text.slice(0, from)))
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
  if (!isClear && (!part?.said[0] || !isExactly(part.said[0]))) return undefined
  if (!isClear && !found?.isSure && (!phrase(after.text, 0) || language.asksInstead.test(part?.content.text ?? '')))
    return undefined
  if (part && part.said.length === 0 && language.asksInstead.test(part.content.text)) return undefined
  return found
}

const isExact = ({ said }: Phrase) => isExactly(said)
