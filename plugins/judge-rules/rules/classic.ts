/**
 * The table of the original design: points for the whole batch. The rules `engaged` and `cooldown` overlap, so the bot
 * pauses
 * after its own words even if a person answers it. `attentive.ts` has a table from measurements.
 */
import { asksQuestion } from '@kikimimi/addressing/question'
import { CALLS, type Rule, SILENCE_MS } from './rule.ts'
import type { Sight } from './sight.ts'

/** Number of last messages that must not mention the bot. */
const UNMENTIONED = 10

/** A conversation is lively if it has this many messages within this time. */
const LIVELY_MESSAGES = 10
const LIVELY_MS = 60_000

export const CLASSIC = [
  ...CALLS,
  { name: 'engaged', points: 40, why: 'the bot is in the conversation', when: isEngaged },
  { name: 'question', points: 20, why: 'asks a question', when: ({ turn }) => asksQuestion(turn) },
  {
    name: 'keyword',
    points: 15,
    why: 'has a keyword',
    when: ({ turn, settings }) => turn.messages.some(({ text }) => settings.hasKeyword(text)),
  },
  {
    name: 'topic',
    points: 15,
    why: 'is about something the bot knows',
    when: ({ turn, settings }) => turn.messages.some(({ text }) => settings.hasTopic(text)),
  },
  {
    name: 'cooldown',
    points: -50,
    why: 'the bot spoke a moment ago',
    when: ({ sinceReplyMs, settings }) => sinceReplyMs < settings.cooldownMs,
  },
  { name: 'pair', points: -20, why: 'only two people are talking', when: ({ pair }) => pair },
  {
    name: 'unmentioned',
    points: -10,
    why: 'nobody has mentioned the bot lately',
    when: ({ before, message }) =>
      before.length + 1 >= UNMENTIONED && [message, ...before].slice(0, UNMENTIONED).every(one => !one.addressed && !one.own),
  },
  {
    name: 'lively',
    points: -10,
    why: 'messages come fast',
    when: ({ before, message }) => {
      const earliest = [message, ...before][LIVELY_MESSAGES - 1]
      return earliest !== undefined && message.at.getTime() - earliest.at.getTime() <= LIVELY_MS
    },
  },
  {
    name: 'silence',
    points: 10,
    why: 'first words after a long silence',
    when: ({ message, quietMs }) => !message.addressed && quietMs >= SILENCE_MS,
  },
  // Ten points for answers that get shorter, five more below half of the length.
  {
    name: 'fading',
    points: -10,
    why: 'the answers to the bot get shorter',
    when: sight => isEngaged(sight) && trend(sight) < 0.75,
  },
  { name: 'faded', points: -5, why: 'the answers to the bot got short', when: sight => isEngaged(sight) && trend(sight) < 0.5 },
] as const satisfies readonly Rule[]

export function isEngaged({ sinceReplyMs, settings }: Sight): boolean {
  return sinceReplyMs < settings.engagementMs
}

/** The ratio of two mean lengths in the person's last six messages: the last three to the first three. */
function trend({ before, message }: Sight): number {
  const lengths = [message, ...before].filter(({ author }) => author.id === message.author.id).map(({ text }) => [...text].length)
  if (lengths.length < 6) return 1
  const sum = (some: readonly number[]) => some.reduce((total, length) => total + length, 0)
  return sum(lengths.slice(0, 3)) / Math.max(1, sum(lengths.slice(3, 6)))
}
