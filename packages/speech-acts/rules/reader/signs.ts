/** The signs by which the reader tells whether a line answers a question: numbers, most of them 0…1. */
import { inAnyLanguage as inText, localeOf } from '../language.ts'
import { contentWords } from '../words.ts'
import { isOther, refuses } from './conflict.ts'
import { coverage, lettersOf, rareCoverage } from './coverage.ts'
import { isAlike, isNounAlone, kindOf, states, withoutAnswers, withoutAsking, withoutWords } from './kinds.ts'
import { inAnyLanguage, type Kind } from './language.ts'
import { backgroundOf, contextsOf, type Line, prepared, questionBefore } from './lines.ts'
import { DATE, isSame, type Topic, topicsIn, VERB } from './topic.ts'
import type { Wanted } from './wanted.ts'

export type Signs = Readonly<Record<string, number>>

/** A question and the lines that may answer it. */
export interface Matter {
  readonly wanted: Wanted
  readonly kind: Kind | undefined
  /** Kinds whose answers look alike have one group. */
  readonly group: string
  readonly topics: readonly Topic[]
  readonly lines: readonly Line[]
  /** The share of the topics that each line has by itself. */
  readonly shares: readonly number[]
  /** Whether each line states such an answer. */
  readonly forms: readonly boolean[]
}

const GROUPS: Readonly<Record<Kind, string>> = {
  ...{ clock: 'time', day: 'time', time: 'time', money: 'number', duration: 'number', count: 'number' },
  ...{ place: 'place', person: 'person', reason: 'reason', name: 'thing', thing: 'thing' },
}
/** Kinds that one form alone answers. */
const EXACT: ReadonlySet<Kind | undefined> = new Set<Kind>(['clock', 'day', 'money', 'duration'])

const SETTLES = inAnyLanguage('settles')
const CORRECTS = inAnyLanguage('corrects')
const NEGATIVE = inAnyLanguage('negative')
const DENIES = inAnyLanguage('denies')
const DECLINES = inAnyLanguage('declines')
const UNCERTAIN = inAnyLanguage('uncertain')
const AGREES = inAnyLanguage('agrees')
const REFERS = inAnyLanguage('refers')
const OFFERS = inAnyLanguage('offers')
const FIRST_PERSON = inText('firstPerson')

/** Lines after a line in which it may be corrected. */
const SOON = 4
/** A line has nearly as much of the topic as the best one. */
const NEARLY = 0.8

export function matterOf(wanted: Wanted, lines: readonly Line[]): Matter {
  const kind = kindOf(wanted.question) ?? (isNounAlone(wanted.question) ? 'thing' : undefined)
  const topics = topicsIn(wanted.topic)
  return {
    ...{ wanted, kind, topics, lines, group: kind === undefined ? 'truth' : GROUPS[kind] },
    shares: lines.map(line => coverage(topics, [{ line, share: 1 }])),
    forms: lines.map(({ statement }) => statement !== '' && hasForm(kind) && states(kind, statement, wanted.people)),
  }
}

/** What speaks for no answer at all. */
export function signsOfNone({ wanted, group, topics, lines }: Matter): Signs {
  const all = lines.map(line => ({ line, share: 1 }))
  const nouns = nounsIn(topics)
  return {
    [`no answer:${group}`]: 1,
    unheard: 1 - coverage(topics, all),
    [`unheard noun:${group}`]: nouns.length === 0 ? 0 : 1 - coverage(nouns, all),
    'no answer reported': Number(wanted.reported),
  }
}

/** A line that answers, the question of another person that it answers, and what that says if the line agrees to it. */
export interface Reading {
  readonly line: Line
  readonly question: Line | undefined
  readonly direct: boolean
  readonly own: number
  readonly signs: Signs
}

/** What a line tells by its own words, by the question that it answers, and by the lines around it. Undefined if it cannot answer. */
export function readingOf(matter: Matter, at: number): Reading | undefined {
  const { wanted, kind, group, topics, lines } = matter
  const line = lines[at]
  if (!line) return undefined
  const statement = line.statement || (line.asks?.text ?? '')
  const contexts = contextsOf(lines, at, kind)
  const before = questionBefore(lines, at)
  const question = line.source.answers ? prepared(line.source.answers) : before === undefined ? undefined : lines[before]
  const heard = question?.asks
  // Who agrees to a proposal says what it says.
  const agreed = heard && heard.kind === undefined && AGREES.test(statement) ? heard.text : ''
  const told = `${statement} ${agreed}`
  const stated = hasForm(kind) && states(kind, told, wanted.people)
  // The place of the camp is not “to the camp”.
  const form = hasForm(kind) && states(kind, withoutWords(told, wanted.topic), wanted.people)
  // A verb has no match in another language.
  const isForeign = localeOf(line.source.text) !== localeOf(wanted.question)
  const known = isForeign ? topics.filter(({ weight }) => weight > VERB) : topics
  const nouns = nounsIn(known)
  const verbs = known.filter(({ weight }) => weight < 1 && weight !== DATE)

  const itself = [{ line, share: 1 }]
  const asked = question && heard ? [{ line: { ...question, topics: topicsIn(heard.text) }, share: 1 }] : []
  const background = backgroundOf(lines, at).map(({ line }) => ({ line, share: 1 }))
  const own = coverage(known, itself)
  const by = asked.length > 0 ? coverage(known, asked) : 0
  const both = coverage(known, [...itself, ...asked])
  const around = coverage(known, contexts)
  const wide = coverage(known, [...itself, ...background])

  const isOfNoun = isNounAlone(wanted.question) && by > 0
  const direct = heard !== undefined && (isAlike(heard.kind, kind) || isOfNoun || (heard.bare && (stated || kind === 'thing')))
  const heardNouns = heard ? nounsIn(topicsIn(withoutAsking(withoutAnswers(heard.text)))) : []
  const isElse = heardNouns.length > 0 && !heardNouns.some(one => topics.some(topic => isSame(one, topic)))
  const news = nounsIn(topicsIn(withoutAnswers(statement))).filter(one => !topics.some(topic => isSame(topic, one))).length
  // A line in which nothing points back begins another matter.
  const isApart = !direct && both === 0 && !line.brief && !REFERS.test(statement)
  if (isApart && hasForm(kind) && question === undefined) return undefined
  const about = contexts.slice(1).map(({ line }) => line.source)
  const texts = contexts.map(({ line }) => line.source.text)
  if (!wanted.admits(line.source, about)) return undefined
  if (
    hasForm(kind) &&
    (refuses(statement, kind, stated, heard) || isOther(wanted, told, direct ? (heard?.text ?? '') : '', texts))
  )
    return undefined
  const flags = {
    ...distanceOf(matter, at),
    ...speakerOf(wanted, line, group),
    [`form:${group}`]: form,
    [`direct:${group}`]: direct,
    [`no news:${group}`]: news === 0,
    [`offers:${group}`]: OFFERS.test(statement),
    [`first person:${group}`]: FIRST_PERSON.test(statement),
    [`negative:${group}`]: NEGATIVE.test(statement),
    [`declines:${group}`]: DECLINES.test(statement),
    'direct form': direct && form,
    'direct, no topic': direct && both === 0,
    'direct, other topic': direct && isElse,
    'other topic': isElse,
    'other topic, none of its own': isElse && own === 0,
    'no topic': both === 0,
    [`apart:${group}`]: isApart,
    'whole topic': both > 0.99,
    'whole topic by itself': own > 0.99,
    'exact form': form && EXACT.has(kind),
    'only form': form && matter.forms.every((is, one) => one === at || !is),
    'form later': matter.forms.slice(at + 1).some(is => is),
    'corrected later': lines
      .slice(at + 1, at + 1 + SOON)
      .some((one, step) => CORRECTS.test(one.statement) && (!hasForm(kind) || (matter.forms[at + 1 + step] ?? false))),
    'answers a question': question !== undefined,
    'answers another kind': question !== undefined && !direct && heard?.kind !== undefined,
    'answers yes or no': heard !== undefined && heard.kind === undefined && !heard.bare,
    'second answer': before !== undefined && before === at - 2,
    'only asks': line.statement === '',
    'asks, too': line.statement !== '' && line.asks !== undefined,
    agrees: agreed !== '',
    settles: SETTLES.test(statement),
    corrects: CORRECTS.test(statement),
    uncertain: UNCERTAIN.test(statement),
    denies: DENIES.test(statement),
    brief: line.brief,
    empty: contentWords(statement).size === 0,
    'another language': isForeign,
    ...unitsIn(wanted.question, told, kind),
  }
  const signs = {
    ...Object.fromEntries(Object.entries(flags).map(([name, is]) => [name, Number(is)])),
    ...{ own, both, around, wide },
    [`own:${group}`]: own,
    [`by the question:${group}`]: by,
    'own, form': form ? own : 0,
    'both, form': form ? both : 0,
    'around, form': form ? around : 0,
    'wide, form': form ? wide : 0,
    'both, direct': direct ? both : 0,
    'own, clauses': /[,.;:、。]\s*\S{2}/u.test(statement) ? own : 0,
    'own, reported': wanted.reported ? own : 0,
    nouns: nouns.length === 0 ? 0 : coverage(nouns, [...itself, ...asked]),
    verbs: verbs.length === 0 ? 0 : coverage(verbs, [...itself, ...asked]),
    'lacks a noun': nouns.length === 0 ? 0 : 1 - coverage(nouns, [...itself, ...asked, ...background]),
    rare: rareCoverage(known, lines, [...itself, ...asked]),
    letters: lettersOf(wanted.topic, line.source.text),
    news: Math.min(news, MANY) / MANY,
    position: lines.length < 2 ? 0 : at / (lines.length - 1),
  }
  return { line, question, direct: direct || agreed !== '', own, signs }
}

const MANY = 4

/** How far a line is from the nearest one that is about the topic. */
function distanceOf({ lines, shares, group }: Matter, at: number): Readonly<Record<string, boolean>> {
  const most = Math.max(0, ...shares)
  const steps = shares.flatMap((share, one) => (most > 0 && share >= most * NEARLY ? [at - one] : []))
  const [step] = steps.sort((one, other) => Math.abs(one) - Math.abs(other) || other - one)
  if (step === undefined) return {}
  return {
    'on topic': step === 0,
    [`1 after:${group}`]: step === 1,
    [`2 after:${group}`]: step === 2,
    '3 after': step > 2,
    'before the topic': step < 0,
    'same speaker': step !== 0 && lines[at - step]?.source.name === lines[at]?.source.name,
  }
}

/** Whether the speaker is named in the question, or another person. */
function speakerOf({ named, reported }: Wanted, { source: { name } }: Line, group: string): Readonly<Record<string, boolean>> {
  const is = name !== undefined && named.includes(name)
  return {
    [`by the named:${group}`]: is,
    'by another': named.length > 0 && name !== undefined && !is,
    'reported of the named': reported && is,
  }
}

/** Japanese and Korean numbers have the unit that the question asks for: 何枚, 몇 명. */
function unitsIn(question: string, told: string, kind: Kind | undefined): Readonly<Record<string, boolean>> {
  const [, unit] = /(?:何|몇 ?)([\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}])/u.exec(question) ?? []
  const has = unit !== undefined && new RegExp(`[\\d一二三四五六七八九十百千万]${unit}`, 'u').test(told)
  return { 'the unit': has, 'another unit': unit !== undefined && !has && kind === 'count' }
}

/** Whether a kind has a form of its own in an answer. */
function hasForm(kind: Kind | undefined): kind is Kind {
  return kind !== undefined && kind !== 'thing'
}

function nounsIn(topics: readonly Topic[]): readonly Topic[] {
  return topics.filter(({ weight }) => weight === 1)
}
