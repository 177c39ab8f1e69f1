/** Finds the line that answers a question by rules: it has such an answer, and is about what the question is about. */
import { localeOf } from '../language.ts'
import type { Source } from '../said.ts'
import { isOther, refuses } from './conflict.ts'
import { coverage } from './coverage.ts'
import { isAlike, isNounAlone, kindOf, states, withoutAnswers, withoutAsking, withoutWords } from './kinds.ts'
import { inAnyLanguage, type Kind } from './language.ts'
import { backgroundOf, contextsOf, type Line, prepared, questionBefore } from './lines.ts'
import { type Topic, topicsIn, VERB } from './topic.ts'
import type { Answer, Wanted } from './wanted.ts'

/** Least share of a topic that an answer must cover, and if the question is about the person who asks. */
const [LEAST, LEAST_OWN] = [0.6, 0.3]
/** Points for what settles a matter, and for a direct answer. The later of two lines wins within the margin. */
const [SETTLED, DIRECT, MARGIN] = [0.2, 0.1, 0.1]
/** Kinds that many lines state by the way, and the share of the topic that these must cover more. */
const CAREFUL: ReadonlySet<Kind | undefined> = new Set<Kind>(['person', 'count', 'money'])
const CARE = 0.15
/** Kinds that lines about another matter state, too. */
const VAGUE: ReadonlySet<Kind | undefined> = new Set<Kind>(['clock', 'day', 'time', 'place'])
/** Factor for what may not be so. */
const UNCERTAINTY = 0.6

const SETTLES = inAnyLanguage('settles')
const CORRECTS = inAnyLanguage('corrects')
const UNCERTAIN = inAnyLanguage('uncertain')
const AGREES = inAnyLanguage('agrees')

/** @param memories stand alone: no line before them tells what they are about */
export function ruledAnswer(wanted: Wanted, memories: readonly Source[], conversation: readonly Source[]): Answer | undefined {
  const asked = kindOf(wanted.question)
  const kind = asked ?? (isNounAlone(wanted.question) ? 'thing' : undefined)
  const topics = topicsIn(wanted.topic)
  const lines = conversation.map(prepared)
  let best: Found | undefined
  const consider = (all: readonly Line[], at: number) => {
    const found = judged(wanted, kind, topics, all, at, best)
    if (found && found.score >= (best?.score ?? 0) - MARGIN) best = found
  }
  for (const memory of memories) consider([prepared(memory)], 0)
  for (const at of lines.keys()) consider(lines, at)
  return best?.answer
}

interface Found {
  readonly line: Line
  readonly answer: Answer
  readonly score: number
}

/** @param best the best of the lines before */
function judged(
  wanted: Wanted,
  kind: Kind | undefined,
  topics: readonly Topic[],
  lines: readonly Line[],
  at: number,
  best: Found | undefined,
): Found | undefined {
  const line = lines[at]
  if (!line || line.statement === '') return undefined
  const hasForm = kind !== undefined && kind !== 'thing'
  const contexts = contextsOf(lines, at, kind)
  const about = contexts.slice(1).map(({ line }) => line.source)
  if (!wanted.admits(line.source, about)) return undefined
  const before = questionBefore(lines, at)
  const question = line.source.answers ? prepared(line.source.answers) : before === undefined ? undefined : lines[before]
  const asked = question?.asks
  // Who agrees to a proposal says what it says.
  const agreed = asked && asked.kind === undefined && AGREES.test(line.statement) ? asked.text : ''
  const told = `${line.statement} ${agreed}`
  // The place of the camp is not “to the camp”.
  const hasAnswer = hasForm && states(kind, kind === 'place' ? withoutWords(told, wanted.topic) : told, wanted.people)
  // A verb has no match in another language.
  const comparable =
    localeOf(line.source.text) === localeOf(wanted.question) ? topics : topics.filter(({ weight }) => weight > VERB)
  if (comparable.length < Math.min(1, topics.length)) return undefined
  // "Is the projector in the room?" is no question about the room.
  const nouns = comparable.filter(({ weight }) => weight === 1)
  if (kind === undefined && nouns.length > 1 && coverage(nouns.slice(0, 1), contexts) === 0) return undefined
  const isAlone = isNounAlone(wanted.question)
  // "The fee of the party?" is no question about the party.
  if (isAlone && coverage(comparable.slice(-1), contexts) === 0) return undefined
  const isOfNoun = isAlone && question && coverage(comparable, [{ line: question, share: 1 }]) > 0
  const isDirect =
    asked !== undefined && (isAlike(asked.kind, kind) || isOfNoun || (asked.bare && (hasAnswer || kind === 'thing')))
  // A direct answer needs no form: "where?" – "Shibuya".
  if (hasForm && ((!isDirect && !hasAnswer) || refuses(line.statement, kind, hasAnswer, asked))) return undefined
  const around = contexts.map(({ line }) => line.source.text)
  if (hasForm && isOther(wanted, told, isDirect ? asked.text : '', around)) return undefined
  const own = coverage(comparable, contexts.slice(0, 1))
  const isUncertain = UNCERTAIN.test(line.statement)
  if (kind === undefined && !isDirect && isUncertain) return undefined
  // What answers a yes-no question tells of a thing, a noun, only by its own words.
  const isAside = kind === 'thing' && !wanted.reported && asked && asked.kind === undefined && own === 0
  if (isAside && !isDirect && topics.some(({ weight }) => weight === 1)) return undefined
  // A proposal with a topic of its own begins another matter.
  const isOpen = kind !== 'place' && topicsIn(withoutAsking(withoutAnswers(agreed))).every(({ weight }) => weight < 1)
  const agrees = hasForm && agreed !== '' && isOpen && states(kind, agreed, wanted.people)
  // A bare "yes" tells no more than the question.
  const isBare = agreed !== '' && !agrees && !states(kind ?? 'thing', line.statement)
  const named = coverage(comparable, question ? contexts.slice(0, 2) : contexts.slice(0, 1))
  const background = named > 0 && (hasAnswer || (isDirect && kind !== undefined)) ? backgroundOf(lines, at) : []
  const covered = coverage(comparable, [...(isBare && hasForm ? contexts.slice(0, 2) : contexts), ...background])
  const isNews = agrees || CORRECTS.test(line.statement) || (agreed !== '' && SETTLES.test(line.statement))
  const corrects = hasAnswer && isNews && contexts.slice(1).some(({ line }) => line === best?.line)
  const settled = SETTLES.test(line.statement) || CORRECTS.test(line.statement)
  const isNear = isDirect || agrees || (settled && hasAnswer)
  const care = (isUncertain ? CARE : 0) + (CAREFUL.has(kind) && !isNear ? CARE : 0)
  const share = wanted.ofAsker ? LEAST_OWN : LEAST
  const least = share + care - (isNear ? DIRECT : 0)
  if (!corrects && covered < least) return undefined
  // What follows may be another matter, if it has words of its own.
  if (VAGUE.has(kind) && own === 0 && !isNear && !line.brief && (question === undefined || named === 0)) return undefined
  // A second line after a question answers it only if it has such an answer.
  const isTold = question !== undefined && own < share && (isDirect || before !== at - 2)
  const points = Math.max(
    corrects ? (best?.score ?? 0) : 0,
    covered + (settled || agrees ? SETTLED : 0) + (isDirect ? DIRECT : 0),
  )
  return {
    line,
    score: isUncertain ? points * UNCERTAINTY : points,
    answer: { source: line.source, ...(isTold && { question: question.source }) },
  }
}
