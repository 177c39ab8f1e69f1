/** What keeps a line from answering although it has the same words: another day, another person, the end in place of the beginning. */
import { localeOf } from '../language.ts'
import { namesIn } from './kinds.ts'
import { inAnyLanguage, type Kind, LANGUAGES } from './language.ts'
import type { Line } from './lines.ts'
import { DATE, topicsIn } from './topic.ts'

const ASKS_PRESENT = inAnyLanguage('asksPresent')
const ASKS_PAST = inAnyLanguage('asksPast')
const FUTURE = inAnyLanguage('future')
const PAST = inAnyLanguage('past')
const CORRECTS = inAnyLanguage('corrects')
const NEGATIVE = inAnyLanguage('negative')
const DENIES = inAnyLanguage('denies')
const DECLINES = inAnyLanguage('declines')
const OPPOSITES = LANGUAGES.flatMap(({ opposites }) => opposites)

/**
 * Whether a statement is about something else than a question.
 *
 * @param asked the question that the statement answers, or an empty text
 * @param around the line of the statement and those that tell what it is about
 */
export function isOther(
  { question, people }: { readonly question: string; readonly people: readonly string[] },
  statement: string,
  asked: string,
  around: readonly string[],
): boolean {
  const isPast = PAST.test(statement) && ASKS_PRESENT.test(question) && !PAST.test(question)
  const isFuture = FUTURE.test(statement) && ASKS_PAST.test(question) && !FUTURE.test(question)
  return (
    isPast ||
    isFuture ||
    isOpposite(question, statement, asked) ||
    isOtherDay(question, statement, asked) ||
    lacksName(question, people, around)
  )
}

/** "When does it start?" – "it ends at 5". */
function isOpposite(question: string, statement: string, asked: string): boolean {
  return OPPOSITES.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]).some(
    ([meant, opposite]) =>
      meant.test(question) &&
      !opposite.test(question) &&
      !meant.test(statement) &&
      (opposite.test(statement) || (opposite.test(asked) && !meant.test(asked))),
  )
}

/** "What time on Friday?" – "on Saturday at 5". What moves is told with another day. */
function isOtherDay(question: string, statement: string, asked: string): boolean {
  if (CORRECTS.test(statement)) return false
  const told = daysIn(statement)
  return daysIn(question).some(({ sort, day }) => {
    const own = told.filter(one => one.sort === sort)
    const days = own.length > 0 ? own : daysIn(asked).filter(one => one.sort === sort)
    return days.length > 0 && days.every(one => one.day !== day)
  })
}

/** Days of one sort exclude each other. */
function daysIn(text: string): readonly { readonly sort: string; readonly day: string }[] {
  const days = topicsIn(text).flatMap(({ word, weight }) => (weight === DATE ? [word] : []))
  return days.map(day => ({ day, sort: /\d/.test(day) ? 'date' : /day|tomorrow/.test(day) ? 'relative' : 'weekday' }))
}

/** A question about Lisa is answered only where Lisa is named, in the same language. */
function lacksName(question: string, people: readonly string[], around: readonly string[]): boolean {
  const isComparable = around.every(text => localeOf(text) === localeOf(question))
  const all = [...people, ...around].join('\n').toLowerCase()
  return isComparable && namesIn(question).some(name => !all.includes(name.toLowerCase()))
}

/**
 * Whether a statement has no answer: its speaker does not know, says no, or declines what is proposed.
 *
 * @param stated whether it has a form of the kind
 * @param asked the question that it answers
 */
export function refuses(statement: string, kind: Kind, stated: boolean, asked: Line['asks']): boolean {
  const isProposed = kind === 'person' || (asked !== undefined && asked.kind === undefined)
  const isNegative = kind !== 'reason' && !stated && NEGATIVE.test(statement)
  return DENIES.test(statement) || isNegative || (isProposed && DECLINES.test(statement))
}
