/** Reads a request for a reminder: its time and its content. */
import {
  type Now,
  type Phrase,
  type Resolved,
  resolve,
  type Said,
  saidIn,
  TIME_READERS,
  type TimeReader,
  tidy,
} from '@kikimimi/times'
import { BY_LOCALE, type Language } from './language.ts'

export interface Request {
  /** When. Absent: the text names no time. */
  readonly when?: Resolved
  /** What to say, as the person wrote it; empty when the text does not say it. */
  readonly content: string
}

interface Reader extends TimeReader {
  readonly language: Language
  readonly sureBefore: RegExp
  readonly unsureBefore: RegExp
  readonly sureAfter: RegExp
  readonly unsureAfter: RegExp
  readonly polite: RegExp
  readonly contentStart: RegExp
  readonly contentEnd: RegExp
}

const NEVER = '(?!)'

const READERS: readonly Reader[] = [...BY_LOCALE].flatMap(([locale, language]) => {
  const { before, after } = language.request
  const times = TIME_READERS.get(locale)
  if (!times) return []
  return {
    ...times,
    language,
    sureBefore: new RegExp(before.sure, 'iuy'),
    unsureBefore: new RegExp(before.unsure ?? NEVER, 'iuy'),
    sureAfter: new RegExp(after.sure, 'iu'),
    unsureAfter: new RegExp(after.unsure ?? NEVER, 'iu'),
    polite: new RegExp(language.polite, 'iu'),
    contentStart: new RegExp(language.contentStart, 'iuy'),
    contentEnd: new RegExp(language.contentEnd, 'iu'),
  }
})

/** @param given without the name of the bot */
export function readRequest(given: string, now: Now): Request | undefined {
  const text = tidy(given)
  if (text === undefined) return undefined
  for (const reader of READERS) {
    const found = requestIn(reader, text)
    if (found?.said && (found.isUnsure || reader.language.goesOn.test(found.content)))
      return { content: text, when: { problem: 'unsure' } }
    if (found && !found.said && reader.language.asksInstead?.test(found.content)) return undefined
    if (found) return { content: found.content, ...(found.said && { when: resolve(found.said, now) }) }
  }
  return undefined
}

/** The time in a text that says nothing else, such as "friday at 10". */
export function readTime(given: string, now: Now): Resolved | undefined {
  const said = saidIn(given)
  return said && resolve(said, now)
}

/** A time at the start of a text and the rest of it, such as "tomorrow 9 call Bob". */
export function readNote(given: string, now: Now): Request | undefined {
  const text = tidy(given)
  if (text === undefined) return undefined
  for (const reader of READERS) {
    const found = split(reader, text)
    if (found?.said) return { content: found.content, when: resolve(found.said, now) }
  }
  return undefined
}

interface Found {
  readonly said?: Said
  /** The text names more about the time, which was not read. */
  readonly isUnsure?: boolean
  readonly content: string
}

function requestIn(reader: Reader, text: string): Found | undefined {
  const { phrase, sureBefore, unsureBefore, sureAfter, unsureAfter } = reader
  const sure = matchAt(sureBefore, text, 0)
  if (sure !== undefined) return split(reader, text.slice(sure)) ?? { content: clean(reader, text.slice(sure)) }
  const unsure = matchAt(unsureBefore, text, 0)
  if (unsure !== undefined) return atStart(reader, text.slice(unsure), true)
  // "On Friday at five remind us to …"
  const first = phrase(text, 0)
  if (first) {
    const at = first.end + (/^[\s,、]*/u.exec(text.slice(first.end))?.[0].length ?? 0)
    const isExact = [first.said.hour, first.said.after, first.said.repeat].some(one => one !== undefined)
    const end = matchAt(sureBefore, text, at) ?? (isExact ? matchAt(unsureBefore, text, at) : undefined)
    if (end !== undefined && end > at) return { said: first.said, content: clean(reader, text.slice(end)) }
  }
  const after = sureAfter.exec(text)
  if (after) return split(reader, text.slice(0, after.index)) ?? { content: clean(reader, text.slice(0, after.index)) }
  const told = unsureAfter.exec(text)
  if (!told) return undefined
  const [rest, tail] = [text.slice(0, told.index), text.slice(told.index + told[0].length)]
  const found = atStart(reader, rest, true)
  if (found?.content === '') return { ...found, content: clean(reader, tail) }
  return found && { ...found, isUnsure: reader.language.timeSigns.test(tail) }
}

/** The time stands at the start of a text, or at its end. */
function split(reader: Reader, text: string): Found | undefined {
  return atStart(reader, text) ?? atEnd(reader, text)
}

/** Questions are no content: "tell me what happens at 5". */
const QUESTION = /か$|何|誰|どこ|いつ|[?？]/u

/** @param strict for words that rarely ask for a reminder: the time is exact, and the content is no question */
function atStart(reader: Reader, text: string, strict = false): Found | undefined {
  const found = reader.phrase(text, 0)
  if (!found) return undefined
  const { said, end } = found
  const content = clean(reader, text.slice(end))
  const isExact = said.hour !== undefined || said.after !== undefined || said.repeat !== undefined
  if (strict && (!isExact || text.startsWith('の', end) || QUESTION.test(content))) return undefined
  return { said, content }
}

function atEnd(reader: Reader, text: string): Found | undefined {
  const { phrase, polite, isUnspaced } = reader
  const trimmed = text.slice(0, polite.exec(text)?.index ?? text.length)
  for (let at = 0; at < trimmed.length; at++) {
    if (!isUnspaced && at > 0 && !/[\s,]/u.test(trimmed[at - 1] ?? '')) continue
    const found = phrase(trimmed, at)
    if (!found || !isEnd(trimmed, found)) continue
    // "Remind us that the rent is due on Friday": the time belongs to the words.
    const before = trimmed.slice(0, at)
    return /^\s?that\s|\b(?:is|are|was|were|be|due)\s$/iu.test(before)
      ? undefined
      : { said: found.said, content: clean(reader, before) }
  }
  return undefined
}

const isEnd = (text: string, { end }: Phrase) => /^(?:に(?:は)?|までに)?[\s、,]*$/u.test(text.slice(end))

function clean({ contentStart, contentEnd, polite }: Reader, text: string): string {
  const start = matchAt(contentStart, text, 0) ?? 0
  const rest = text.slice(start)
  const words = rest.slice(0, polite.exec(rest)?.index ?? rest.length)
  const end = contentEnd.exec(words)?.index ?? words.length
  return words
    .slice(0, end)
    .replace(/^[「『"“](.*)[」』"”]$/u, '$1')
    .trim()
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
