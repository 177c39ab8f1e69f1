/** Finds the line that answers a question: rules choose one, and learned weights of signs tell how probable it and each other line is. */
import type { Source } from '../said.ts'
import { prepared } from './lines.ts'
import { ruledAnswer } from './rules.ts'
import { matterOf, type Reading, readingOf, type Signs, signsOfNone } from './signs.ts'
import { topicsIn } from './topic.ts'
import type { Answer, Wanted } from './wanted.ts'
import { WEIGHTS } from './weights.ts'

export interface Candidate {
  readonly answer: Answer
  readonly signs: Signs
}

/** How probable an answer must be: of the rules, and of the weights alone. Below it is better to know none: a wrong one costs more. */
const [LEAST_RULED, LEAST] = [0.4, 0.65]
/** The same of the rules, for a line that has by itself all words of a question about a thing, and more than one. */
const LEAST_WHOLE = 0.25
/** Share of the topic that makes a line clear without the question that it answers. */
const CLEAR = 0.6

/** @param memories stand alone: no line before them tells what they are about */
export function read(wanted: Wanted, memories: readonly Source[], conversation: readonly Source[]): Answer | undefined {
  const { none, lines } = candidates(wanted, memories, conversation)
  const odds = [...lines.map(({ signs }) => signs), none].map(signs => Math.exp(pointsOf(signs)))
  const whole = odds.reduce((sum, one) => sum + one, 0)
  const chances = odds.slice(0, -1).map(one => one / whole)
  const ruled = ruledAnswer(wanted, memories, conversation)
  const at = lines.findIndex(({ answer }) => answer.source === ruled?.source)
  const isWhole = lines[at]?.signs['own:thing'] === 1 && topicsIn(wanted.topic).length > 1
  const least = isWhole ? LEAST_WHOLE : LEAST_RULED
  if (ruled && (wanted.ofAsker || (chances[at] ?? 0) >= least)) return ruled
  const best = Math.max(...chances)
  return best >= LEAST ? lines[chances.indexOf(best)]?.answer : undefined
}

/** Each line that may answer with its signs, and the signs of the case that none does. */
export function candidates(
  wanted: Wanted,
  memories: readonly Source[],
  conversation: readonly Source[],
): { readonly none: Signs; readonly lines: readonly Candidate[] } {
  const talk = matterOf(wanted, conversation.map(prepared))
  const alone = memories.map(memory => matterOf(wanted, [prepared(memory)]))
  const all = [...alone.map(matter => ({ matter, at: 0 })), ...talk.lines.map((_, at) => ({ matter: talk, at }))]
  return {
    none: signsOfNone({ ...talk, lines: [...alone.flatMap(({ lines }) => lines), ...talk.lines] }),
    lines: all.flatMap(({ matter, at }) => {
      const reading = readingOf(matter, at)
      return reading ? [{ answer: answerOf(reading), signs: reading.signs }] : []
    }),
  }
}

/** A second line after a question answers it only if it has such an answer. */
function answerOf({ line, question, own, direct, signs }: Reading): Answer {
  const isTold = question !== undefined && own < CLEAR && (direct || signs['second answer'] === 0)
  return { source: line.source, ...(isTold && { question: question.source }) }
}

function pointsOf(signs: Signs): number {
  return Object.entries(signs).reduce((sum, [name, sign]) => sum + sign * (WEIGHTS[name] ?? 0), 0)
}
