/** The lines of a conversation that tell most, in their order. */
import { isQuestion, type Source, sentencesIn } from '../said.ts'
import { LINE, states } from './kinds.ts'
import { inAnyLanguage, type Kind } from './language.ts'
import { topicsIn } from './topic.ts'

/** Lines of a summary. */
const MOST = 5
/** Words of a line that count, so that long lines do not win by their length alone. */
const WORDS = 6
const TELLING: readonly Kind[] = ['time', 'place', 'money', 'duration', 'count', 'reason']
const SETTLES = inAnyLanguage('settles')
const CORRECTS = inAnyLanguage('corrects')

export function summarized(sources: readonly Source[]): readonly Source[] {
  const lines = sources
    .filter(({ name }) => name !== undefined)
    .map((source, at) => ({ source, at, worth: worthOf(source.text) }))
  return lines
    .filter(({ worth }) => worth > 1)
    .sort((one, other) => other.worth - one.worth || one.at - other.at)
    .slice(0, MOST)
    .sort((one, other) => one.at - other.at)
    .map(({ source }) => source)
}

/** How much a line tells: its topics, times, places and reasons, and what it settles. A question tells nothing. */
export function worthOf(text: string): number {
  const statement = sentencesIn(text.slice(0, LINE).normalize('NFKC'))
    .filter(sentence => !isQuestion(sentence))
    .join(' ')
  if (statement === '') return 0
  const words = topicsIn(statement).reduce((sum, { weight }) => sum + weight, 0)
  const told = TELLING.filter(kind => states(kind, statement)).length
  return Math.min(words, WORDS) + 2 * told + (SETTLES.test(statement) || CORRECTS.test(statement) ? 1 : 0)
}
