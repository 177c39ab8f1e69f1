/**
 * Checks what a stage returned: plugins can be written in JavaScript, and results can come from models. An invalid result
 * counts as a failure of that plugin, never of the turn. What returned nothing is not checked.
 */

import { KikimimiError } from '../../base/errors.ts'
import {
  type Address,
  type Decision,
  type MessageSource,
  type Person,
  PLACES,
  type Platform,
  type Posted,
  type Reply,
  type Score,
  type Section,
  type Silence,
  type TotalScore,
} from '../index.ts'
import { sanitizePerson, sanitizeText } from './sanitize.ts'

export function parseReason(value: unknown, stage: 'filter' | 'separate' | 'beforeSend'): string {
  return short(value, stage)
}

const ADDRESSES = new Set<unknown>(['mention', 'reply', 'name', 'direct', 'command'] satisfies Address[])

export function parseAddress(value: unknown): Address {
  return ADDRESSES.has(value) ? (value as Address) : unknown('address', 'mention, reply, name, direct, command or nothing', value)
}

export function parseScores(value: unknown): readonly Score[] {
  return list(value, 'score').map(score => {
    const { points, why, message } = record(score, 'score', '{ points, why }')
    if (typeof points !== 'number' || !Number.isFinite(points)) return nonsense('score', 'points to be a finite number', points)
    return { points, why: short(why, 'score'), ...(message !== undefined && { message: text(message, 'score', 'message') }) }
  })
}

/** The sum of a turn, and the message that has the most of it. */
export function totalOf(parts: TotalScore['parts']): TotalScore {
  if (parts.length === 0) return { points: 0, parts }
  const sumOf = (some: TotalScore['parts']) => some.reduce((points, part) => points + part.points, 0)
  let message: string | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const [id, named] of Map.groupBy(parts, part => part.message)) {
    const points = sumOf(named)
    if (id === undefined || points < most) continue
    most = points
    message = id
  }
  return { points: clamp(sumOf(parts), 0, 100), parts, ...(message !== undefined && { message }) }
}

const KINDS = new Set<unknown>(['silent', 'react', 'ack', 'full'] satisfies Decision['kind'][])

export function parseDecision(value: unknown): Decision {
  const { kind, why, delayMs, emoji, confidence, message } = record(value, 'decide', '{ kind, why }')
  if (!KINDS.has(kind)) return unknown('decide', 'kind to be silent, react, ack or full', kind)
  return {
    kind: kind as Decision['kind'],
    why: short(why, 'decide'),
    ...(kind !== 'silent' && delayMs !== undefined && { delayMs: delay(delayMs) }),
    ...(kind === 'react' && emoji !== undefined && { emoji: signOf(emoji, 'decide') }),
    ...(confidence !== undefined && { confidence: clamp(finite(confidence, 'decide', 'confidence'), 0, 1) }),
    ...(message !== undefined && { message: text(message, 'decide', 'message') }),
  }
}

/** 30 days. A later answer is useless, and a database cannot hold every finite number as a date. */
const LONGEST_DELAY = 30 * 24 * 60 * 60_000

function delay(value: unknown): number {
  const ms = finite(value, 'decide', 'delayMs')
  return ms > LONGEST_DELAY ? nonsense('decide', 'delayMs of at most 30 days', ms) : Math.max(0, ms)
}

const PLACE_NAMES = new Set<unknown>(PLACES)

export function parseSections(value: unknown): readonly Section[] {
  return list(value, 'context').flatMap(section => {
    const { title, text: body, place, weight, sources, finish } = record(section, 'context', '{ title, text, place }')
    if (!PLACE_NAMES.has(place)) return unknown('context', `place to be one of ${PLACES.join(', ')}`, place)
    const content = text(body, 'context', 'text').trim()
    if (content === '') return []
    return {
      title: text(title, 'context', 'title'),
      text: content,
      place: place as Section['place'],
      weight: weight === undefined ? 1 : finite(weight, 'context', 'weight'),
      ...(sources !== undefined && { sources: list(sources, 'context', MOST_SOURCES).map(parseSource) }),
      ...(finish !== undefined && { finish: rewriting(finish) }),
    }
  })
}

function rewriting(finish: unknown): (answer: string) => string {
  if (typeof finish !== 'function') return nonsense('context', 'finish to be a function', finish)
  return answer => text(finish(answer), 'context', 'the result of finish')
}

/** The sources of a message that is no reply. @throws ARGUMENT_INVALID */
export function parseSources(value: unknown): readonly MessageSource[] {
  if (value === 'none') return []
  if (Array.isArray(value) && value.every(isSource)) return value
  throw new KikimimiError(
    'ARGUMENT_INVALID',
    "ctx.send takes { sources }: the messages that the words are made from, or 'none' when no message is behind them.",
  )
}

/** The people whom a message notifies. @throws ARGUMENT_INVALID */
export function parseNotify(value: unknown = []): readonly Person[] {
  if (Array.isArray(value) && value.length <= MOST_NOTIFIED && value.every(one => typeof one === 'object')) {
    const people = value.map(one => sanitizePerson(one, 'notify')).map(({ id, name }) => ({ id, name }))
    return [...new Map(people.map(person => [person.id, person])).values()]
  }
  throw new KikimimiError(
    'ARGUMENT_INVALID',
    `ctx.send takes { notify }: ${MOST_NOTIFIED} people at most, each with id and name.`,
  )
}

function isSource(value: Partial<Record<string, unknown>> | null): value is MessageSource {
  if (value?.channel === undefined)
    return typeof value?.conversation === 'string' && Number.isFinite(value.first) && Number.isFinite(value.last)
  const { channel, messages } = value
  return typeof channel === 'string' && Array.isArray(messages) && messages.every(id => typeof id === 'string')
}

function parseSource(value: unknown): MessageSource {
  const { channel, messages, conversation, first, last } = record(value, 'context', 'sources')
  if (channel !== undefined) {
    const ids = list(messages, 'context').map(id => text(id, 'context', 'sources'))
    return { channel: text(channel, 'context', 'sources'), messages: ids }
  }
  return {
    conversation: text(conversation, 'context', 'sources'),
    first: finite(first, 'context', 'sources'),
    last: finite(last, 'context', 'sources'),
  }
}

export function parseReply(value: unknown): Reply | Silence {
  const { kind, text: said, replyTo, emoji, to, why } = record(value, 'respond', 'a reply')
  if (kind === 'text') {
    const content = text(said, 'respond', 'text').trim()
    if (content === '') return nonsense('respond', 'text that is not empty', said)
    return { kind, text: content, ...(replyTo !== undefined && { replyTo: text(replyTo, 'respond', 'replyTo') }) }
  }
  if (kind === 'reaction') {
    return { kind, emoji: signOf(emoji, 'respond'), ...(to !== undefined && { to: text(to, 'respond', 'to') }) }
  }
  if (kind === 'silent') return { kind, why: short(why, 'respond') }
  return unknown('respond', 'kind to be text, reaction or silent', kind)
}

function signOf(emoji: unknown, stage: string): string {
  return text(emoji, stage, 'emoji').trim() || nonsense(stage, 'an emoji', emoji)
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** Largest number of values in one result: all of them go into the trace. */
const MOST = 100

/** Of the sources of a section: it names each fact that it was made from. */
const MOST_SOURCES = 1_000

/** Of the people whom one message notifies. */
const MOST_NOTIFIED = 20

function list(value: unknown, stage: string, most = MOST): readonly unknown[] {
  const all: readonly unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  return all.length > most ? nonsense(stage, `at most ${most} of them`, all.length) : all
}

function record(value: unknown, stage: string, expected: string): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : nonsense(stage, expected, value)
}

function text(value: unknown, stage: string, name: string, length?: number): string {
  return typeof value === 'string' ? sanitizeText(value, length) : nonsense(stage, `${name} to be a string`, value)
}

/** A reason, for people: it stands in traces and logs. */
function short(value: unknown, stage: string): string {
  return text(value, stage, 'why', 500)
}

function finite(value: unknown, stage: string, name: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : nonsense(stage, `${name} to be a finite number`, value)
}

function nonsense(stage: string, expected: string, got: unknown): never {
  const kind = got === null ? 'null' : Array.isArray(got) ? 'an array' : typeof got === 'number' ? String(got) : typeof got
  throw unexpected(stage, expected, kind)
}

/** For a name that is not in a list. A single word is shown: more could be what people said. */
function unknown(stage: string, expected: string, got: unknown): never {
  if (typeof got === 'string' && /^\w{1,20}$/.test(got)) throw unexpected(stage, expected, `"${got}"`)
  return nonsense(stage, expected, got)
}

function unexpected(stage: string, expected: string, got: string): KikimimiError {
  return new KikimimiError('STAGE_NONSENSE', `${stage} returned nonsense: expected ${expected}, got ${got}.`)
}

/**
 * Checks what a platform's `send` returned. A message without an id counts as not sent. The kernel does not send it again.
 */
export function parsePosted({ name }: Pick<Platform, 'name'>, posted: Partial<Posted> | undefined): Posted {
  const { id, thread } = posted ?? {}
  if (typeof id === 'string' && id !== '' && (thread === undefined || typeof thread === 'string')) {
    return { id, ...(thread !== undefined && { thread }) }
  }
  throw new KikimimiError('STAGE_NONSENSE', `${name} returned nonsense for a message that it took: expected { id, thread? }.`)
}
