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
  for (const { asks, request, find } of READERS) {
    for (const text of [said.polite.text, said.text, ...clausesOf(said, request)]) {
      const { rest, span } = find(text)
      const words = plainWords(rest)
      if (asks.test(words) || asks.test(words.replaceAll(' ', ''))) return span ? { span } : {}
    }
  }
  return undefined
}

/** A time in words that says nothing else, such as `yesterday`. */
export function readSpan(text: string): Span | undefined {
  const said = orderText(text.slice(0, LONGEST), []).text
  return READERS.map(({ find }) => find(said)).find(({ rest }) => plainWords(rest) === SPAN)?.span
}

/** Each clause that asks, if the others give a reason at most, as in "recap the last 2 hours pls, was in class". */
function clausesOf(said: OrderText, request: RegExp): readonly string[] {
  const clauses = said.text.split(/[,.!?;。、！？]\s*|(?<=ので|けど|[たるいだす]から)/u).filter(clause => clause.trim() !== '')
  if (clauses.length < 2) return []
  return clauses
    .filter((clause, index) => request.test(clause) && clauses.every((other, at) => at === index || !/[\d?？]/u.test(other)))
    .map(clause => orderText(clause, []).polite.text)
}

interface Found {
  /** The text with `SPAN` in place of the time. */
  readonly rest: string
  readonly span?: Span
}

const READERS = LANGUAGES.map(language => ({ asks: language.asks, request: language.request, find: finder(language) }))

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
