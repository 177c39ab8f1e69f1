/** What a question asks for, and what a line states. */
import { contentWords, cut, isGrammar, isUnspaced } from '../words.ts'
import { byKind, inAnyLanguage, type Kind } from './language.ts'

const ASKS = byKind('asks')
const STATES = byKind('states')
const POLITE = new RegExp(inAnyLanguage('around').source, 'giu')
const BARE = inAnyLanguage('bare')
const DATES = ['clock', 'day', 'time'] as const

/** What a question asks for. Undefined: for a yes or a no. */
export function kindOf(question: string): Kind | undefined {
  const text = withoutPolite(question)
  return [...ASKS].find(([, pattern]) => pattern.test(text))?.[0]
}

/** Whether a question is a noun alone, which asks for anything: "and the price?". */
export function isNounAlone(question: string): boolean {
  return kindOf(question) === undefined && BARE.test(withoutPolite(question))
}

/** A question without "do you remember" and the like. */
export function withoutPolite(question: string): string {
  return question.slice(0, LINE).normalize('NFKC').replace(POLITE, ' ').trim()
}

/** What a question is about, without the words by which it asks. */
export function withoutAsking(question: string): string {
  const kind = kindOf(question)
  return kind === undefined ? withoutPolite(question) : without(withoutPolite(question), [kind], ASKING)
}

/** Characters of a line that are read. */
export const LINE = 1_000

/** Whether a statement has an answer of a kind. Names of people in the conversation count as persons. */
export function states(kind: Kind, statement: string, people: readonly string[] = []): boolean {
  const text = statement.slice(0, LINE)
  switch (kind) {
    case 'time':
      return DATES.some(one => STATES.get(one)?.test(text))
    case 'place':
      return has('place', without(text, [...DATES, 'duration', 'money', 'count']))
    case 'count':
      return has('count', without(text, ['clock', 'day', 'money', 'duration']))
    case 'person':
      return (
        has('person', text) ||
        people.some(name => text.includes(name)) ||
        hasProperNoun(without(text, DATES).replace(NAMED_PLACE, ' '))
      )
    case 'name':
      return has('name', text) || hasProperNoun(without(text, DATES))
    default:
      return has(kind, text)
  }
}

/** Whether two kinds are answered by the same sort of words. */
export function isAlike(one: Kind | undefined, other: Kind | undefined): boolean {
  const sort = (kind: Kind | undefined) => (kind === 'clock' || kind === 'day' ? 'time' : kind)
  return sort(one) === sort(other)
}

/** A text without its times, places and numbers. */
export function withoutAnswers(text: string): string {
  return without(without(text.slice(0, LINE), [...DATES, 'duration', 'money', 'count']), ['place'])
}

function has(kind: Kind, text: string): boolean {
  return STATES.get(kind)?.test(text) ?? false
}

function without(text: string, kinds: readonly Kind[], patterns = STATING): string {
  return kinds.reduce((rest, kind) => rest.replace(patterns.get(kind) ?? /(?!)/, ' · '), text)
}

const everywhere = (patterns: ReadonlyMap<Kind, RegExp>) =>
  new Map([...patterns].map(([kind, { source }]) => [kind, new RegExp(source, 'giu')]))
const ASKING = everywhere(ASKS)
const STATING = everywhere(STATES)

/** A word with a capital letter inside a sentence, or at its beginning before a verb. */
const PROPER = /(?<=[\p{L},] )\p{Lu}\p{Ll}+/u

/** A name that is no person: "from Berlin". */
const NAMED_PLACE = /\b(?:in|from|at|near|on) \p{Lu}\p{Ll}+/gu

/** Names in a question: words with a capital letter inside the sentence, and words before さん. */
export function namesIn(question: string): readonly string[] {
  const text = without(withoutPolite(question), DATES)
  const proper = text.match(new RegExp(PROPER.source, 'gu')) ?? []
  const polite = text.match(/[\p{sc=Han}\p{sc=Katakana}ー]{2,6}(?=さん)/gu) ?? []
  return [...proper, ...polite].filter(name => !isGrammar(name))
}

function hasProperNoun(text: string): boolean {
  const [first = ''] = /^\p{Lu}\p{Ll}+/u.exec(text) ?? []
  return PROPER.test(text) || (first !== '' && !isGrammar(first) && !isUnspaced(first))
}

/** A text without the words of a topic. */
export function withoutWords(text: string, topic: string): string {
  const words = cut(topic).filter(word => contentWords(word).size > 0 && !/^[\p{sc=Hiragana}]+$/u.test(word))
  return words.reduce((rest, word) => rest.replaceAll(word, ' · '), text)
}
