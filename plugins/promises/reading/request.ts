/** Reads a request for reminders: whom, when and what. */
import { LEFT_OUT, type OrderText, orderText } from '@kikimimi/orders'
import {
  isOfDay,
  type Now,
  type Phrase,
  type Resolved,
  resolve,
  type Said,
  TIME_READERS,
  type TimeReader,
  tidy,
} from '@kikimimi/times'
import type { Person } from 'kikimimi'
import { BY_LOCALE, type Language } from '../language.ts'

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
  /** The text names somebody whom the bot does not know. */
  readonly isUnknown?: boolean
  /** Whom it is for. Absent: the person who asks, or everybody. */
  readonly target?: Person
}

/** What was read of a text, before it is known which instants are meant. */
interface Found {
  readonly parts: readonly { readonly said: readonly Said[]; readonly content: OrderText }[]
  readonly isSure: boolean
}

interface Reader extends TimeReader {
  readonly language: Language
  readonly before: RegExp
  readonly unsureBefore: RegExp
  readonly after: RegExp
  readonly unsureAfter: RegExp
  readonly connective: RegExp
  readonly owner: RegExp
  readonly adverbial: RegExp
  readonly contentStart: RegExp
  readonly contentEnd: RegExp
  readonly noise: RegExp
}

const READERS: readonly Reader[] = [...BY_LOCALE].flatMap(([locale, language]) => {
  const { before, after, ...words } = language.request
  const times = TIME_READERS.get(locale)
  if (!times) return []
  return {
    ...times,
    language,
    before: new RegExp(before.sure, 'dgu'),
    unsureBefore: new RegExp(before.unsure, 'dgu'),
    after: new RegExp(after.sure, 'u'),
    unsureAfter: new RegExp(after.unsure, 'u'),
    connective: new RegExp(words.connective, 'uy'),
    owner: new RegExp(words.owner, 'u'),
    adverbial: new RegExp(words.adverbial, 'uy'),
    contentStart: new RegExp(`^(?:${words.contentStart})`, 'u'),
    contentEnd: new RegExp(`(?:${words.contentEnd})$`, 'u'),
    noise: new RegExp(`^(?:${words.noise})`, 'u'),
  }
})

/** @param people who can be named in the text, without the bot */
export function readRequest(said: OrderText, people: readonly Person[], now: Now): Request | undefined {
  for (const reader of READERS) {
    const found = requestIn(reader, said.polite, people)
    if (!found) continue
    const { parts, target, isUnknown } = found
    const wanted = parts.flatMap(({ said: times, content }): readonly Wanted[] => {
      const words = cleaned(reader, content)
      return times.length === 0
        ? [{ content: words }]
        : times.map(one => ({ content: words, when: resolve(one, now), said: one }))
    })
    const isClear = wanted.every(({ when }) => !when || !('at' in when) || !when.isOpen)
    const corrects = reader.language.corrects.test(said.text)
    return { wanted, isSure: found.isSure && isClear && !corrects, ...(isUnknown && { isUnknown }), ...(target && { target }) }
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

interface Named {
  readonly target?: Person
  /** The text names somebody whom the bot does not know. */
  readonly isUnknown?: boolean
  /** Characters of the name. */
  readonly length?: number
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
    const { rest, whom } = withoutTarget(reader, said.slice(0, match.index), people)
    const found = whom && behind(reader, rest, said.slice(match.index + match[0].length), isClear)
    if (found) return { ...found, ...whom }
  }
  return undefined
}

/** Whom the words after "remind" name. Undefined: nobody, so that it is no request. */
function named(
  { language }: Reader,
  text: string | undefined,
  given: string | undefined,
  people: readonly Person[],
): Named | undefined {
  for (const { id, name } of people) {
    const folded = orderText(name, []).text
    const length =
      folded === '' ? undefined : new RegExp(`^@?${RegExp.escape(folded)}(?![\\p{L}\\p{N}_'])`, 'u').exec(text ?? '')?.[0].length
    if (length !== undefined) return { target: { id, name: name.trim() }, length }
  }
  const name = given?.trim().replace(/^@/, '') ?? ''
  if (name === '' || language.everyone.test(name)) return {}
  return language.stopsName.test(name) ? undefined : { isUnknown: true }
}

/** 「山田さんに…」: whom the reminder is for, at the beginning or after the time. */
function withoutTarget(
  reader: Reader,
  said: OrderText,
  people: readonly Person[],
): { readonly rest: OrderText; readonly whom: Named } {
  for (const { id, name } of people) {
    const folded = orderText(name, []).text
    const at = folded === '' ? -1 : said.text.indexOf(folded)
    if (at < 0) continue
    const match = new RegExp(`^@?${RegExp.escape(folded)}(?:${reader.language.request.toPerson})[、,\\s]*`, 'u').exec(
      said.text.slice(said.text[at - 1] === '@' ? at - 1 : at),
    )
    const isFirst = /^[\s@]*$/u.test(said.text.slice(0, at))
    if (match && isFirst)
      return {
        rest: said.slice(at + match[0].length - (said.text[at - 1] === '@' ? 1 : 0)),
        whom: { target: { id, name: name.trim() } },
      }
  }
  return { rest: said, whom: {} }
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
    return { parts: [{ said: first.all, content: after }], isSure: !first.isOpen && !isOther }
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
    parts: [{ said: part.said, content: tail }],
    isSure: found.isSure && phrases(reader, tail.text).length === 0 && !/\d/.test(tail.text),
  }
}

/** Whether words that rarely ask for a reminder have a time of the clock. */
const isExactly = ({ hour, after, repeat, part, weekdays, sameTime }: Said) =>
  [hour, after, repeat, weekdays, part, sameTime].some(one => one !== undefined)
const isExact = ({ said }: Phrase) => isExactly(said)

// ---------------------------------------------------------------- several requests

/** "To call mum at 4 and to buy bread at 6": the requests that an "and" divides. */
function split(reader: Reader, said: OrderText, isTimed = false): readonly OrderText[] {
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

function several(reader: Reader, all: readonly { readonly said: OrderText; readonly first?: Phrase }[]): Found | undefined {
  const parts: Found['parts'][number][] = []
  let isSure = true
  for (const { said, first } of all) {
    const found: Found | undefined = first
      ? { parts: [{ said: first.all, content: said }], isSure: true }
      : contentIn(reader, said)
    const [part] = found?.parts ?? []
    if (!found || !part || part.said.length === 0) return undefined
    isSure &&= found.isSure
    // "Tomorrow at 4 … and at 6 …": the day holds for both.
    const day = parts[0]?.said[0]
    const times = part.said.map(one => (day && isOfDay(day) && !isOfDay(one) ? { ...day, ...one } : one))
    parts.push({ said: times, content: part.content })
  }
  return { parts, isSure }
}

// ---------------------------------------------------------------- time and content

interface Place extends Phrase {
  readonly from: number
  /** The text says when. Otherwise the time belongs to a word of the content: "the 3pm meeting", 「金曜の会議」. */
  readonly isLoose: boolean
}

/** All phrases of times in a text, the longest at each place. */
function phrases(reader: Reader, text: string): readonly Place[] {
  const { phrase, isUnspaced, owner, adverbial } = reader
  const found: Place[] = []
  for (let at = 0; at < text.length; at++) {
    if (!isUnspaced && at > 0 && !/[\s,(]/u.test(text[at - 1] ?? '')) continue
    const one = phrase(text, at)
    // 「昼寝」 and 「3月末」 have no time of their own in them.
    const isInWord =
      isUnspaced && one && (/\d/.test(text[at - 1] ?? '') || (isPart(one.said) && /^\p{sc=Han}/u.test(text.slice(one.end))))
    if (!one || isInWord) continue
    const isEnd = /^[\s.,!?。、]*$/u.test(text.slice(one.end))
    const isLoose = isUnspaced
      ? isEnd || matches(adverbial, text, one.end) > one.end
      : !owner.test(text.slice(0, at)) &&
        text.slice(at, one.begin) !== 'the ' &&
        (isEnd || one.begin > at || matches(adverbial, text, one.end) > one.end)
    found.push({ ...one, from: at, isLoose })
    at = one.end - 1
  }
  return found
}

const isPart = (said: Said) => said.part !== undefined && Object.keys(said).length === 1

const matches = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function contentIn(reader: Reader, said: OrderText): Found | undefined {
  return reader.isUnspaced ? byParticles(reader, said) : byPlace(reader, said)
}

/** The time stands at the start of the words, or at their end. */
function byPlace(reader: Reader, said: OrderText): Found | undefined {
  const { connective, phrase, language } = reader
  const { text } = said
  const lead = phrase(text, 0)
  if (lead) {
    const start = matches(connective, text, lead.end)
    const content = said.slice(start)
    const others = phrases(reader, content.text)
    const last = others.findLast(({ isLoose, end }) => isLoose && /^[\s.,!?]*$/u.test(content.text.slice(end)))
    const hasTime = lead.said.hour !== undefined || lead.said.part !== undefined || lead.said.after?.ms !== undefined
    if (start === lead.end && content.text !== '') {
      // What follows no connective can be more of the time.
      const isPlain =
        others.length === 0 && !/^\W*\d|\sto\s|^\W*[-+~]\d/u.test(content.text) && /^[\s,]/u.test(text.slice(lead.end))
      return { parts: [{ said: lead.all, content }], isSure: !lead.isOpen && isPlain }
    }
    const ofLast = last?.said ?? {}
    const isOverlapping = Object.keys(ofLast).some(key => key in lead.said)
    const completes = last && lead.all.length === 1 && !isOverlapping && !language.clause.test(content.text.slice(0, last.from))
    const isWhole = hasTime && (isOfDay(lead.said) || !last || !isOfDay(ofLast))
    if (completes && !isWhole)
      return { parts: [{ said: [{ ...lead.said, ...ofLast }], content: content.slice(0, last.from) }], isSure: false }
    return { parts: [{ said: lead.all, content }], isSure: !lead.isOpen }
  }
  const start = matches(connective, text, 0)
  const all = phrases(reader, text)
  const last = all.at(-1)
  if (!last) return { parts: [{ said: [], content: said.slice(start) }], isSure: true }
  const isEnd = /^[\s.,!?]*$/u.test(text.slice(last.end))
  const before = text.slice(0, last.from)
  const isOther = all.some(one => one !== last && one.isLoose) || language.due.test(before)
  const content = isEnd ? said.slice(start, Math.max(start, last.from)) : said.slice(start)
  return {
    parts: [{ said: last.all, content }],
    isSure: isEnd && last.isLoose && !isOther && !last.isOpen && content.text !== '',
  }
}

/** Particles tell the time from the words: 「明日9時に」 says when, 「金曜の」 belongs to the content. */
function byParticles(reader: Reader, said: OrderText): Found | undefined {
  const { text } = said
  const all = phrases(reader, text)
  const loose = all.filter(({ isLoose }) => isLoose)
  const [first] = all
  if (!first) return { parts: [{ said: [], content: said }], isSure: true }
  const [, second] = loose
  if (second && loose.length === all.length && first.from === 0) {
    // 「10時に会議、12時にランチ」
    const parts = loose.map(({ all: times, end }, index) => {
      const start = matches(reader.adverbial, text, end)
      return { said: times, content: said.slice(start, Math.max(start, loose[index + 1]?.from ?? text.length)) }
    })
    const isDivided = loose.slice(1).every(({ from }) => /[、,と]\s*$/u.test(text.slice(0, from)))
    const isSure =
      isDivided &&
      loose.every(one => !one.isOpen && one.said.hour !== undefined) &&
      parts.every(({ content }) => cleaned(reader, content).length > 1)
    const day = first.said
    const of = (one: Said) => (isOfDay(day) && !isOfDay(one) ? { ...day, ...one } : one)
    if (isSure) return { parts: parts.map(part => ({ ...part, said: part.said.map(of) })), isSure }
  }
  const isBareOne = ({ end }: Place) => !/^(?:の|から|まで|より|だ|って|で)/u.test(text.slice(end))
  const chosen = loose.at(-1) ?? all.find(isBareOne) ?? first
  const others = all.filter(other => other !== chosen)
  const isBare = !chosen.isLoose && isBareOne(chosen)
  // 「15時のMTG、10分前に」, 「4/3の式の…、前日の正午に」
  const { shift, hour } = chosen.said
  const base = shift && hour === undefined && !isOfDay(chosen.said) ? others[0] : undefined
  const times = base ? [{ ...base.said, ...chosen.said }] : chosen.all
  const isDayElsewhere = !base && !isOfDay(chosen.said) && others.some(({ said: other }) => isOfDay(other))
  const isSure =
    loose.length === 1
      ? !isDayElsewhere || chosen.from === 0
      : loose.length === 0 && isBare && chosen.from === 0 && others.length === 0
  const end = chosen.isLoose ? matches(reader.adverbial, text, chosen.end) : chosen.end
  const rest = chosen.from === 0 ? said.slice(end) : said.slice(0, chosen.from)
  const tail = chosen.from === 0 ? '' : text.slice(end)
  const content =
    tail.trim() === ''
      ? rest
      : said.slice(end).text.length > 0 && rest.text.replace(reader.contentEnd, '') === ''
        ? said.slice(end)
        : joined(said, chosen.from, end)
  return { parts: [{ said: times, content }], isSure: isSure && !chosen.isOpen }
}

/** The words at both sides of the time, without a reason: 「20時の便に乗るから17時に…」. */
function joined(said: OrderText, from: number, end: number): OrderText {
  if (/(?:から|ので)[、,\s]*$/u.test(said.text.slice(0, from))) return said.slice(end)
  return orderText(`${said.slice(0, from).original}${said.slice(end).original}`, [])
}

/** The content as the person wrote it, without what joins it to the request and the time. */
function cleaned({ contentStart, contentEnd }: Reader, given: OrderText): string {
  const content = given.polite
  const start = contentStart.exec(content.text)?.[0].length ?? 0
  const rest = content.slice(start)
  const end = contentEnd.exec(rest.text)?.index ?? rest.text.length
  const words = rest.slice(0, end)
  const { original } = words
  return words.text === LEFT_OUT ? original.replace(/^[「『"“](.*)[」』"”]$/u, '$1').trim() : original.trim()
}
