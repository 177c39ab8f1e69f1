/**
 * A table derived from observed conversations. For each message of the batch the points of the matching rules are added.
 * The
 * message with the highest sum counts for the batch.
 *
 * Source: 15 days of IRC, 2004 to 2008, the three busiest members of each day and their real answers. The comment of a rule
 * gives its lift: how much more often than on average a batch was answered if the rule matched. The average is 3 % of the
 * batches that did not address the member, with a debounce of 4 s. The points are steps of five near the weights of a
 * logistic
 * regression on the same days, adjusted while the result improved: docs/tuning.md. A rule without a lift, or with a
 * lift of the opposite direction, is there for politeness, not for accuracy.
 */

import { actOf, lineBefore } from '@kikimimi/addressing/acts'
import { endsTalk, needsNoWords } from '@kikimimi/addressing/closing'
import { asksWhoeverIsThere, endsWithQuestion, refersBack } from '@kikimimi/addressing/question'
import { retractionIn } from '@kikimimi/addressing/withdraw'
import { CALLS, type Rule, SILENCE_MS } from './rule.ts'
import type { Sight } from './sight.ts'

const MINUTE = 60_000

export const ATTENTIVE = [
  ...CALLS,

  // Conversation partners.
  // Lift 7.4. There is no cooldown between two people who talk: a third of all real answers come within two minutes of the
  // last.
  { name: 'partner', points: 20, why: 'the bot is talking with this person', when: ({ partner }) => partner === 'bot' },
  // Lift 4.7: the bot spoke to all, directly after this person.
  { name: 'likely', points: 5, why: 'the bot seems to talk with this person', when: ({ partner }) => partner === 'likely' },
  // Lift 0.38.
  { name: 'engaged-elsewhere', points: -5, why: 'is talking with somebody else', when: ({ partner }) => partner === 'other' },
  // Lift 0.14.
  { name: 'others', points: -100, why: 'speaks to somebody else', when: ({ forOthers }) => forOthers },
  // Lift 11.
  { name: 'with-bot', points: 25, why: 'a talk of two with the bot', when: ({ withBot }) => withBot },
  // Lift 0.32.
  { name: 'pair', points: -10, why: 'two others are talking', when: ({ pair }) => pair },
  // Lift 13: a name that does not look like an address often is one.
  {
    name: 'named',
    points: 30,
    why: 'talks about the bot',
    when: ({ turn, message, settings }) => !message.addressed && settings.hasName(message.text, turn.conversation),
  },

  // How recently the bot took part.
  // Lift 1.6.
  { name: 'present', points: 30, why: 'the bot spoke within ten minutes', when: isPresent },
  // Lift 0.2 on busy days, when the conversation has moved on. No reason to speak, but in a slow conversation a reason to
  // ask a judge.
  { name: 'around', points: 30, why: 'the bot spoke within half an hour', when: isAround },
  // Lift 2.5.
  {
    name: 'close',
    points: 10,
    why: 'the bot spoke in the last 8 messages',
    when: ({ messagesSinceOwn }) => messagesSinceOwn <= 8,
  },
  // Lift 3.8.
  { name: 'next', points: 10, why: "follows the bot's words", when: ({ messagesSinceOwn }) => messagesSinceOwn === 1 },

  // The content of the message.
  // Lift 1.2.
  { name: 'question', points: 5, why: 'asks a question', when: ({ message }) => endsWithQuestion(message.text) },
  // Lift 3.9.
  { name: 'asks-on', points: 10, why: "asks about the bot's words", when: asksAboutWords },
  // Lift 4.1.
  { name: 'asked', points: 10, why: 'the bot had asked', when: answersQuestion },
  // Lift 0.31.
  {
    name: 'closing',
    points: -40,
    why: 'only takes note',
    when: sight => !sight.message.addressed && wantsNoAnswer(sight),
  },
  // Applies where the bot would speak by itself. Elsewhere a judge may find something to add. Lift 1.6, of 7 batches.
  {
    name: 'answered',
    points: -50,
    why: 'another person has answered',
    when: sight => sight.answered && !sight.message.addressed && !isUninvited(sight),
  },
  // Three cases in 15 days, never answered by the member: too rare to cost much, and such a question waits longest.
  {
    name: 'breaks-silence',
    points: 25,
    why: 'asks after a silence',
    when: breaksSilence,
  },
  // Lift 0.2: few of these are for one member among many, but no other rule lets the bot answer after an absence.
  {
    name: 'asks-all',
    points: 25,
    why: 'asks everybody',
    when: sight => isAway(sight) && !breaksSilence(sight) && asksWhoeverIsThere(sight.message.text),
  },
  { name: 'keyword', points: 15, why: 'has a keyword', when: ({ message, settings }) => settings.hasKeyword(message.text) },
  {
    name: 'topic',
    points: 15,
    why: 'is about something the bot knows',
    when: ({ message, settings }) => settings.hasTopic(message.text),
  },

  // Limits for the bot's own share. They do not apply when a person talks with the bot.
  // Lift 0.82.
  { name: 'overlooked', points: -5, why: "nobody took up the bot's last words", when: ({ overlooked }) => overlooked },
  // Lift 2.7: talkative people answer more. The bot should not be talkative.
  {
    name: 'talkative',
    points: -60,
    why: 'the bot has said enough in this conversation',
    when: sight => sight.talkative && isUninvited(sight),
  },
  {
    name: 'enough',
    points: -60,
    why: 'the bot has spoken unasked often enough',
    when: sight => sight.unasked >= sight.settings.unasked && isUninvited(sight),
  },
] as const satisfies readonly Rule[]

/** The rules of the preset `attention`: what a scorer cannot learn from the place of a member, and the limits of the bot's own share. */
const BESIDE_ATTENTION: ReadonlySet<string> = new Set([
  ...CALLS.map(({ name }) => name),
  ...['named', 'answered', 'breaks-silence', 'asks-all', 'keyword', 'topic', 'talkative', 'enough'],
])

export const LIMITS = ATTENTIVE.filter(({ name }) => BESIDE_ATTENTION.has(name))

/** Messages to the bot that only thank, or take note of its words, get a reaction: one in four of them was answered in words. */
export function onlyNods(sights: readonly Sight[]): boolean {
  const calls = sights.filter(({ message: { addressed } }) => addressed !== undefined && addressed !== 'direct')
  return calls.length > 0 && calls.every(nods)
}

function nods({ message, before, lastOwn, turn: { persona, me } }: Sight): boolean {
  const words = before.find(({ id, own }) => own && id === message.replyTo) ?? lastOwn
  return needsNoWords(message.text, {
    before: words && { text: words.text, by: 'bot' },
    names: [...persona.names, me.name],
  })
}

/** Takes note, thanks, leaves, takes back, or says "…". */
function wantsNoAnswer({ message, before: earlier }: Sight): boolean {
  const { text } = message
  const before = lineBefore(message, earlier)
  const saysNothing = /\S/.test(text) && !/[\p{L}\p{N}\p{S}?!]/u.test(text)
  return (
    saysNothing ||
    // "Undo it" after the bot's words is an order.
    (retractionIn(text) !== undefined && actOf(text, { before }).act === 'retraction') ||
    endsTalk(text, { before })
  )
}

function isUninvited(sight: Sight): boolean {
  const { message, partner } = sight
  return !message.addressed && partner !== 'bot' && partner !== 'likely' && !answersQuestion(sight)
}

function isPresent({ sinceReplyMs }: Sight): boolean {
  return sinceReplyMs <= 10 * MINUTE
}

/** Half an hour is a short time where people write little. */
function isAround(sight: Sight): boolean {
  return !isPresent(sight) && sight.sinceReplyMs <= 30 * MINUTE && sight.messagesSinceOwn <= 25
}

function isAway(sight: Sight): boolean {
  return !sight.message.addressed && !isPresent(sight) && !isAround(sight)
}

function breaksSilence({ quietMs, message }: Sight): boolean {
  return !message.addressed && quietMs >= SILENCE_MS && endsWithQuestion(message.text)
}

/** A question of anybody who has read the bot's words: "is that the same on staging?" */
function asksAboutWords({ message, messagesSinceOwn, sinceReplyMs, forOthers, partner }: Sight): boolean {
  const heard = messagesSinceOwn === 1 && sinceReplyMs <= 2 * MINUTE
  return heard && !forOthers && partner !== 'other' && refersBack(message.text)
}

/** The bot's last words were a question to this person or to all, and this is the first answer. */
function answersQuestion({ lastOwn, before, messagesSinceOwn, message, partner }: Sight): boolean {
  if (!lastOwn || !endsWithQuestion(lastOwn.text)) return false
  const since = before.slice(0, messagesSinceOwn - 1)
  if (since.some(({ author }) => author.id === message.author.id)) return false
  return partner === 'bot' || partner === 'likely' || lastOwn.mentions.length === 0
}
