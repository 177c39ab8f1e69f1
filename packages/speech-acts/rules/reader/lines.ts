/** The lines of a conversation, prepared for questions: what each line is about by itself, and by what stands before it. */
import { isQuestion, type Source, sentencesIn, withoutMentions } from '../said.ts'
import { contentWords } from '../words.ts'
import { isNounAlone, kindOf, LINE, withoutAnswers, withoutAsking } from './kinds.ts'
import { inAnyLanguage, type Kind } from './language.ts'
import { type Topic, topicsIn } from './topic.ts'

export interface Line {
  readonly source: Source
  /** Of its text and its speaker. */
  readonly topics: readonly Topic[]
  /** Its sentences that are no questions, as one text. */
  readonly statement: string
  /** Its question and what that asks for. Without a kind: a yes or a no, or what a noun alone asks for. */
  readonly asks?: { readonly kind?: Kind | undefined; readonly text: string; readonly bare: boolean }
  /** Has hardly a word of its own besides times, places and numbers. */
  readonly brief: boolean
}

/** A line that tells what another one is about, and how surely, 0…1. */
export interface Context {
  readonly line: Line
  readonly share: number
}

/** How surely a line is about the question that it answers, about the lines before it, and about the line of the same speaker before it. */
const [ANSWERS, FOLLOWS, GOES_ON] = [0.9, [0.8, 0.7, 0.6], 0.7] as const

/** Lines before a line that tell what the conversation is about, and how surely the line is about that. */
const [REACH, BACKGROUND] = [8, 0.4] as const

const TO_REMEMBER = inAnyLanguage('toRemember')
const WANTED = inAnyLanguage('wanted')
const PRONOUN = inAnyLanguage('pronoun')
const REFERS = inAnyLanguage('refers')
const SETTLES = inAnyLanguage('settles')
const CORRECTS = inAnyLanguage('corrects')
const PAST = inAnyLanguage('past')
const DENIES = inAnyLanguage('denies')
const DECLINES = inAnyLanguage('declines')

export function prepared(source: Source): Line {
  const text = withoutMentions(source.text.slice(0, LINE).normalize('NFKC')).replace(TO_REMEMBER, '')
  const sentences = sentencesIn(text).flatMap(clausesOf)
  const question = sentences.findLast(isQuestion)
  const kind = question === undefined ? undefined : kindOf(question)
  const isWanted = kind === undefined && WANTED.test(text)
  const asks = isWanted
    ? { kind: 'person' as const, text, bare: false }
    : question === undefined
      ? undefined
      : { kind, text: question, bare: isNounAlone(question) }
  return {
    source,
    topics: topicsIn(`${text}\n${source.name ?? ''}`),
    statement: sentences.filter(sentence => !isQuestion(sentence)).join(' '),
    ...(asks && { asks }),
    // A question with a noun begins another matter: "and the tickets?".
    brief: asks
      ? topicsIn(withoutAsking(withoutAnswers(asks.text))).every(({ weight }) => weight < 1)
      : contentWords(withoutAnswers(text)).size <= 1,
  }
}

/** "It is on the 14th, who's going?" states and asks. */
function clausesOf(sentence: string): readonly string[] {
  const comma = isQuestion(sentence) ? Math.max(sentence.lastIndexOf(', '), sentence.lastIndexOf('、')) : -1
  const [told, rest] = [sentence.slice(0, comma), sentence.slice(comma + 1).trim()]
  return comma > 0 && !isQuestion(told) && kindOf(told) === undefined && isQuestion(rest) && contentWords(told).size > 1
    ? [told, rest]
    : [sentence]
}

/** The question that a line answers: of another speaker, one line before it, or two if the line between them is of the same speaker or has no answer. */
export function questionBefore(lines: readonly Line[], at: number): number | undefined {
  const { name } = lines[at]?.source ?? {}
  const isBetween = ({ brief, source, statement }: Line) =>
    (brief && source.name === name) || [DENIES, DECLINES, PAST].some(pattern => pattern.test(statement))
  for (const before of [at - 1, at - 2]) {
    const line = lines[before]
    if (!line) return undefined
    if (line.asks && line.source.name !== name) return before
    if (!isBetween(line)) return undefined
  }
  return undefined
}

/**
 * What the line is about, itself first.
 *
 * @param kind of the question that it may answer. What has no form of its own is not about lines before it that it does not answer, and a yes
 * or a no is about nothing before its own question.
 */
export function contextsOf(lines: readonly Line[], at: number, kind: Kind | undefined): readonly Context[] {
  const line = lines[at]
  if (!line) return []
  const own = { line, share: 1 }
  // A line without a word of its own is about the same as the line before it.
  const before = (from: number, shares: readonly number[], answers = false) => {
    const found: Context[] = []
    let step = 0
    for (let one = lines[from]; one && step < shares.length && found.length < REACH; one = lines[from - found.length]) {
      found.push({ line: one, share: shares[step] ?? 0 })
      if (!answers || found.length === 1 || contentWords(withoutAnswers(one.source.text)).size > 0) step++
    }
    return found
  }
  if (line.source.answers) return [own, { line: prepared(line.source.answers), share: ANSWERS }]
  const question = questionBefore(lines, at)
  if (question !== undefined) {
    const { brief, asks } = lines[question] ?? {}
    return [
      own,
      ...before(
        question,
        kind !== undefined && (brief || REFERS.test(asks?.text ?? '') || PRONOUN.test(line.statement))
          ? [ANSWERS, ...FOLLOWS]
          : [ANSWERS],
        true,
      ),
    ]
  }
  if (kind === undefined || kind === 'thing') return [own]
  if (line.brief || [REFERS, SETTLES, CORRECTS].some(pattern => pattern.test(line.statement)))
    return [own, ...before(at - 1, FOLLOWS)]
  return lines[at - 1]?.source.name === line.source.name ? [own, ...before(at - 1, [GOES_ON])] : [own]
}

/** The lines before a line, which tell what a conversation is about. */
export function backgroundOf(lines: readonly Line[], at: number): readonly Context[] {
  return lines.slice(Math.max(0, at - REACH), at).map(line => ({ line, share: BACKGROUND }))
}
