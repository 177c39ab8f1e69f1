/** Finds the line that answers a question: it has such an answer, and is about what the question is about. */
import { localeOf } from '../language.ts'
import type { Source } from '../said.ts'
import { contentWords, cut } from '../words.ts'
import { isOther } from './conflict.ts'
import { isAlike, isNounAlone, kindOf, states, withoutAnswers, withoutAsking } from './kinds.ts'
import { inAnyLanguage, type Kind } from './language.ts'
import { backgroundOf, type Context, contextsOf, type Line, prepared, questionBefore } from './lines.ts'
import { DATE, isSame, type Topic, topicsIn, VERB } from './topic.ts'

export interface Answer {
  readonly source: Source
  /** The question that the line answers, if the line alone does not tell what it is about. */
  readonly question?: Omit<Source, 'answers'>
}

export interface Wanted {
  readonly question: string
  /** What it is about, without names of people and words that only ask. */
  readonly topic: string
  /** Names of the people in the conversation. */
  readonly people: readonly string[]
  /** Least share of the topic that an answer must cover. */
  readonly least: number
  /** Whether the question asks what a person said. */
  readonly reported: boolean
  /** Whether a line may answer at all, by itself or by what it is about. */
  admits(line: Source, about: readonly Source[]): boolean
}

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
const NEGATIVE = inAnyLanguage('negative')
const DENIES = inAnyLanguage('denies')
const DECLINES = inAnyLanguage('declines')
const UNCERTAIN = inAnyLanguage('uncertain')
const AGREES = inAnyLanguage('agrees')

/** @param memories stand alone: no line before them tells what they are about */
export function read(wanted: Wanted, memories: readonly Source[], conversation: readonly Source[]): Answer | undefined {
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
  const least = wanted.least + care - (isNear ? DIRECT : 0)
  if (!corrects && covered < least) return undefined
  // What follows may be another matter, if it has words of its own.
  if (VAGUE.has(kind) && own === 0 && !isNear && !line.brief && (question === undefined || named === 0)) return undefined
  // A second line after a question answers it only if it has such an answer.
  const isTold = question !== undefined && own < wanted.least && (isDirect || before !== at - 2)
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

/** Whether a statement has no answer: its speaker does not know, says no, or declines what is proposed. */
function refuses(statement: string, kind: Kind, hasAnswer: boolean, asked: Line['asks']): boolean {
  const isProposed = kind === 'person' || (asked !== undefined && asked.kind === undefined)
  const isNegative = kind !== 'reason' && !hasAnswer && NEGATIVE.test(statement)
  return DENIES.test(statement) || isNegative || (isProposed && DECLINES.test(statement))
}

/** A text without the words of a topic. */
function withoutWords(text: string, topic: string): string {
  const words = cut(topic).filter(word => contentWords(word).size > 0 && !/^[\p{sc=Hiragana}]+$/u.test(word))
  return words.reduce((rest, word) => rest.replaceAll(word, ' · '), text)
}

/**
 * The share of topics that lines have, 0…1. A date alone is none, if the question has another topic. A question without a topic is covered
 * by any line that may answer.
 */
function coverage(topics: readonly Topic[], contexts: readonly Context[]): number {
  const whole = topics.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 1
  const shares = topics.map(topic => ({
    topic,
    share: Math.max(0, ...contexts.map(({ line, share }) => (line.topics.some(one => isSame(topic, one)) ? share : 0))),
  }))
  const others = shares.filter(({ topic }) => topic.weight !== DATE)
  if (others.length > 0 && others.every(({ share }) => share === 0)) return 0
  return shares.reduce((sum, { topic, share }) => sum + topic.weight * share, 0) / whole
}
