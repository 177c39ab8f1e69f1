/** Recognises a question about what happened. The whole message must ask it. */
import { type OrderText, orderText, plainWords } from '@kikimimi/orders'
import { LANGUAGES, type Language } from './language.ts'
import { SPAN, type Span, type SpanRule } from './span.ts'

export interface Asked {
  /** The time that the question is about. Absent: since the person last spoke. */
  readonly span?: Span
}

/** Maximum length of such a question. A longer text says more. */
const LONGEST = 120

/** @param names names of the bot */
export function readAsked(text: string, names: readonly string[]): Asked | undefined {
  if (text.length > LONGEST) return undefined
  const said = orderText(text, names)
  for (const reader of READERS) {
    for (const text of [said.polite.text, said.text]) {
      const { rest, span } = reader.find(text)
      if (isAsked(reader, rest)) return span ? { span } : {}
    }
    const found = inClauses(reader, said)
    if (found) return found
  }
  return undefined
}

function isAsked({ asks }: Reader, rest: string): boolean {
  const words = plainWords(rest)
  return asks.test(words) || asks.test(words.replaceAll(' ', ''))
}

/** A time in words that says nothing else, such as `yesterday`. */
export function readSpan(text: string): Span | undefined {
  const said = orderText(text.slice(0, LONGEST), []).text
  return READERS.map(({ find }) => find(said)).find(({ rest }) => plainWords(rest) === SPAN)?.span
}

/**
 * A clause that asks, if the others give a reason at most, as in "recap the last 2 hours pls, was in class", or the time: "I was away
 * yesterday, what happened that day?"
 */
function inClauses(reader: Reader, said: OrderText): Asked | undefined {
  const { request, thatTime, find } = reader
  const clauses = said.text
    .split(/(?<=[,.])(?!\d)\s*|(?<=[!?;、。！？])\s*|(?<=ので|けど|[たるいだす]から)/u)
    .filter(clause => /\p{L}/u.test(clause))
  if (clauses.length < 2) return undefined
  const read = clauses.map(clause => {
    const { text } = orderText(clause, []).polite
    const found = find(thatTime ? text.replace(thatTime, ' ') : text)
    const asks =
      (/[?？]\s*$/u.test(clause) || [text, clause.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '')].some(one => request.test(one))) &&
      isAsked(reader, found.rest)
    return { ...found, asks, refers: thatTime?.test(text) ?? false, isOpen: /[?？]/u.test(clause) }
  })
  const asked = read.findLast(({ asks, span }) => asks && span) ?? read.find(({ asks }) => asks)
  if (!asked) return undefined
  const others = read.filter(one => one !== asked)
  if (others.some(({ asks, isOpen, rest, span }) => !asks && (isOpen || (/\d/.test(rest) && !(asked.span && span)))))
    return undefined
  const times = asked.span ? [asked.span] : others.flatMap(({ span }) => span ?? [])
  const [span, ...more] = times
  if (more.length > 0 || (asked.refers && !span)) return { span: { kind: 'unclear' } }
  return span ? { span } : {}
}

interface Found {
  /** The text with `SPAN` in place of the time. */
  readonly rest: string
  readonly span?: Span
}

type Reader = Pick<Language, 'asks' | 'request' | 'thatTime'> & { find(text: string): Found }

const READERS: readonly Reader[] = LANGUAGES.map(language => ({
  asks: language.asks,
  request: language.request,
  ...(language.thatTime && { thatTime: language.thatTime }),
  find: finder(language),
}))

function finder({ spans, isUnspaced = false }: Language): (text: string) => Found {
  const [begin, end] = isUnspaced ? ['', ''] : ['(?<![\\p{L}\\d])', '(?![\\p{L}\\d])']
  const rules = spans.map(([source, span]): readonly [RegExp, SpanRule[1]] => [
    new RegExp(`${begin}(?:${source})${end}`, 'u'),
    span,
  ])
  return given => {
    const text = isUnspaced ? given.replaceAll(' ', '') : given
    let [longest, found]: [string, Found] = ['', { rest: text }]
    for (const [pattern, spanOf] of rules) {
      const match = pattern.exec(text)
      if (!match || match[0].length <= longest.length) continue
      const span = spanOf(...match.slice(1))
      if (!span) continue
      const gap = isUnspaced ? SPAN : ` ${SPAN} `
      longest = match[0]
      found = { span, rest: `${text.slice(0, match.index)}${gap}${text.slice(match.index + match[0].length)}` }
    }
    return found
  }
}
