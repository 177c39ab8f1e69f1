/**
 * What the rules look at: one message of the batch, and the talk before it as it was when that message was said.
 * What the bot said after it is no reason to answer it.
 */
import type { Message, Turn } from 'kikimimi'
import { type Partner, partnerOf, talksToOthers } from './partners.ts'
import { endsWithQuestion } from './question.ts'
import { isOverlooked, isTalkative, unaskedWords } from './restraint.ts'
import { isAnsweredIn } from './withdraw.ts'

/** Bounds and words from the options. */
export interface Settings {
  readonly engagementMs: number
  readonly cooldownMs: number
  /** So many unasked words of the bot in five minutes are enough. */
  readonly unasked: number
  readonly hasName: (text: string) => boolean
  readonly hasKeyword: (text: string) => boolean
  readonly hasTopic: (text: string) => boolean
}

export interface Sight {
  readonly turn: Turn
  readonly message: Message
  readonly settings: Settings
  /** What was said before the message, latest first. */
  readonly before: readonly Message[]
  /** The bot's last words before it, and how many messages ago those were: 1 is right before. */
  readonly lastOwn: Message | undefined
  readonly messagesSinceOwn: number
  /** Milliseconds from the bot's last word or reaction to the message. */
  readonly sinceReplyMs: number
  /** Milliseconds from the message before it. */
  readonly quietMs: number
  /** With whom its author was talking. */
  readonly partner: Partner | undefined
  /** It is meant for somebody else. */
  readonly forOthers: boolean
  /** Another person has answered it in the same batch. */
  readonly answered: boolean
  /** The last messages are those of two people, and none is the bot's. */
  readonly pair: boolean
  /** The last messages are those of its author and of the bot. */
  readonly withBot: boolean
  /** The bot's last words were unasked, and nobody took them up. */
  readonly overlooked: boolean
  /** The bot has more than its share of the talk. */
  readonly talkative: boolean
  /** How often the bot spoke unasked within the last five minutes. */
  readonly unasked: number
}

/** How many messages make the company in which one is said. */
const COMPANY = 6
/** With so many at once the first that is remembered need not be the first that was said. */
const FLOOD = 20
/** With fewer nobody can tell who is talking with whom. */
const ENOUGH = 4

export function look(turn: Turn, message: Message, settings: Settings): Sight {
  const before = turn.history
    .slice(
      0,
      turn.history.findIndex(({ id }) => id === message.id),
    )
    .reverse()
  const ownAt = before.findIndex(({ own }) => own)
  const company = new Set([message, ...before.slice(0, COMPANY)].map(({ author, own }) => (own ? turn.me.id : author.id)))
  const at = message.at.getTime()
  const [previous] = before
  return {
    turn,
    message,
    settings,
    before,
    lastOwn: before[ownAt],
    messagesSinceOwn: ownAt < 0 ? Number.POSITIVE_INFINITY : ownAt + 1,
    sinceReplyMs: sinceReply(turn, before[ownAt], at),
    quietMs: previous ? at - previous.at.getTime() : turn.messages.length < FLOOD ? Number.POSITIVE_INFINITY : 0,
    partner: partnerOf(message, before),
    forOthers: talksToOthers(message, before),
    answered: endsWithQuestion(message.text) && isAnsweredIn(turn, message),
    pair: company.size === 2 && !company.has(turn.me.id) && before.length >= ENOUGH,
    withBot: company.size === 2 && company.has(turn.me.id),
    overlooked: isOverlooked(before, ownAt),
    talkative: isTalkative(message, before),
    unasked: unaskedWords(message, before),
  }
}

function sinceReply({ lastReplyAt }: Turn, lastOwn: Message | undefined, at: number): number {
  const times = [lastReplyAt, lastOwn?.at].flatMap(time => (time ? [time.getTime()] : []))
  return times.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, at - Math.max(...times))
}
