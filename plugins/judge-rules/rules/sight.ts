/**
 * The input of the rules: one message of the batch, and the conversation before it. Messages of the bot after it are
 * no reason to answer it.
 */

import { type Partner, partnerOf, talksToOthers } from '@kikimimi/addressing/partners'
import { endsWithQuestion } from '@kikimimi/addressing/question'
import { isAnsweredIn } from '@kikimimi/addressing/withdraw'
import type { Message, PersonaPlace, Turn } from 'kikimimi'
import { isOverlooked, isTalkative, unaskedWords } from './restraint.ts'

/** Limits and words from the options. */
export interface Settings {
  readonly engagementMs: number
  readonly cooldownMs: number
  /** Maximum number of unasked messages of the bot in five minutes. */
  readonly unasked: number
  readonly hasName: (text: string, place: PersonaPlace) => boolean
  readonly hasKeyword: (text: string) => boolean
  readonly hasTopic: (text: string) => boolean
}

export interface Sight {
  readonly turn: Turn
  readonly message: Message
  readonly settings: Settings
  /** The conversation before the message, latest first. */
  readonly before: readonly Message[]
  /** The bot's last words before it, and how many messages ago: 1 is directly before. */
  readonly lastOwn: Message | undefined
  readonly messagesSinceOwn: number
  /** Milliseconds from the bot's last message or reaction to this message. */
  readonly sinceReplyMs: number
  /** Milliseconds since the previous message. */
  readonly quietMs: number
  /** The conversation partner of its author. */
  readonly partner: Partner | undefined
  /** The message is for another person. */
  readonly forOthers: boolean
  /** Another person has answered it in the same batch. */
  readonly answered: boolean
  /** The last messages are from two people, without the bot. */
  readonly pair: boolean
  /** The last messages are from its author and the bot. */
  readonly withBot: boolean
  /** The bot's last words were unasked, and nobody reacted to them. */
  readonly overlooked: boolean
  /** The bot has more than its share of the conversation. */
  readonly talkative: boolean
  /** Number of unasked messages of the bot within the last five minutes. */
  readonly unasked: number
}

/** Number of messages that show who takes part. */
const COMPANY = 6
/** In a batch of this size, the first stored message may not be the first that was written. */
const FLOOD = 20
/** Minimum number of messages that show who talks with whom. */
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
