/**
 * A table made from what people do. For each message of the batch the rules that hold are added up, and the message
 * that speaks most for an answer stands for the batch.
 *
 * Derived from 15 days of IRC, 2004 to 2008: the three busiest of each day, and what they really answered. Each rule
 * tells its lift there: how much oftener than others a batch was answered when it held, of those that nobody addressed
 * to the member (3 % were), with a pause of 4 s. The points are steps of five near the weights of a logistic
 * regression on the same days, moved as long as the scoreboard got better: docs/tuning.md. A rule without a lift, or
 * with one that points the other way, is there for consideration and not for being right more often.
 */
import { withoutCall } from '../talk/called.ts'
import { closes, takesLeave } from '../talk/closing.ts'
import { asksWhoeverIsThere, endsWithQuestion, refersBack } from '../talk/question.ts'
import type { Sight } from '../talk/sight.ts'
import { CALLS, type Rule, SILENCE_MS } from './rule.ts'

const MINUTE = 60_000

export const ATTENTIVE = [
  ...CALLS,

  // Who is talking with whom.
  // Lift 7.4. No cooldown between two who talk: a third of all real answers come within two minutes of the last.
  { name: 'partner', points: 20, why: 'the bot is talking with this person', when: ({ partner }) => partner === 'bot' },
  // Lift 4.7: the bot said something to nobody in particular, right after this person.
  { name: 'likely', points: 5, why: 'the bot seems to talk with this person', when: ({ partner }) => partner === 'likely' },
  // Lift 0.38.
  { name: 'engaged-elsewhere', points: -5, why: 'is talking with somebody else', when: ({ partner }) => partner === 'other' },
  // Lift 0.14.
  { name: 'others', points: -100, why: 'speaks to somebody else', when: ({ forOthers }) => forOthers },
  // Lift 11.
  { name: 'with-bot', points: 25, why: 'a talk of two with the bot', when: ({ withBot }) => withBot },
  // Lift 0.32.
  { name: 'pair', points: -10, why: 'two others are talking', when: ({ pair }) => pair },
  // Lift 13: names without the marks of a call are often calls.
  {
    name: 'named',
    points: 30,
    why: 'talks about the bot',
    when: ({ message, settings }) => !message.addressed && settings.hasName(message.text),
  },

  // How near the bot is.
  // Lift 1.6.
  { name: 'present', points: 30, why: 'the bot spoke within ten minutes', when: isPresent },
  // Lift 0.2 on busy days, where talk has gone past the bot's words by then: no reason to speak, but in thin talk one to
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

  // What is said.
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
    when: ({ message: { addressed, text } }) => !addressed && (closes(text) || takesLeave(text)),
  },
  // Where the bot would speak by itself: elsewhere a judge may find that there is something to add. Lift 1.6, of 7 batches.
  {
    name: 'answered',
    points: -50,
    why: 'somebody else has answered',
    when: sight => sight.answered && !sight.message.addressed && !isUninvited(sight),
  },
  // Three times in 15 days, never answered by the member: too rare to cost much, and such a question waits longest.
  {
    name: 'breaks-silence',
    points: 25,
    why: 'asks after a silence',
    when: breaksSilence,
  },
  // Lift 0.2: few are for one member among many, but nothing else brings the bot in when it has been away.
  {
    name: 'asks-all',
    points: 25,
    why: 'asks whoever is there',
    when: sight => isAway(sight) && !breaksSilence(sight) && asksWhoeverIsThere(sight.message.text),
  },
  { name: 'keyword', points: 15, why: 'has a keyword', when: ({ message, settings }) => settings.hasKeyword(message.text) },
  {
    name: 'topic',
    points: 15,
    why: 'is about something the bot knows',
    when: ({ message, settings }) => settings.hasTopic(message.text),
  },

  // What keeps the bot from talking too much. Not in a talk that somebody has with it.
  // Lift 0.82.
  { name: 'overlooked', points: -5, why: "nobody took up the bot's last words", when: ({ overlooked }) => overlooked },
  // Lift 2.7: talkative people answer more. A bot should not be one of them.
  {
    name: 'talkative',
    points: -60,
    why: 'the bot has had its share of the talk',
    when: sight => sight.talkative && isUninvited(sight),
  },
  {
    name: 'enough',
    points: -60,
    why: 'the bot has joined in often enough',
    when: sight => sight.unasked >= sight.settings.unasked && isUninvited(sight),
  },
] as const satisfies readonly Rule[]

/** Whoever calls on the bot only to thank or to agree gets a nod: one in four of such calls was answered in words. */
export function onlyNods(sights: readonly Sight[]): boolean {
  const calls = sights.filter(({ message: { addressed } }) => addressed !== undefined && addressed !== 'direct')
  return calls.length > 0 && calls.every(sight => closes(withoutCall(sight.message.text)) && !answersQuestion(sight))
}

function isUninvited(sight: Sight): boolean {
  const { message, partner } = sight
  return !message.addressed && partner !== 'bot' && partner !== 'likely' && !answersQuestion(sight)
}

function isPresent({ sinceReplyMs }: Sight): boolean {
  return sinceReplyMs <= 10 * MINUTE
}

/** Half an hour ago is not long where people say little. */
function isAround(sight: Sight): boolean {
  return !isPresent(sight) && sight.sinceReplyMs <= 30 * MINUTE && sight.messagesSinceOwn <= 25
}

function isAway(sight: Sight): boolean {
  return !sight.message.addressed && !isPresent(sight) && !isAround(sight)
}

function breaksSilence({ quietMs, message }: Sight): boolean {
  return !message.addressed && quietMs >= SILENCE_MS && endsWithQuestion(message.text)
}

/** Whoever has heard the bot's words may ask on: "is that the same on staging?" */
function asksAboutWords({ message, messagesSinceOwn, sinceReplyMs, forOthers, partner }: Sight): boolean {
  const heard = messagesSinceOwn === 1 && sinceReplyMs <= 2 * MINUTE
  return heard && !forOthers && partner !== 'other' && refersBack(message.text)
}

/** The bot's last words were a question to this person, or to nobody in particular, and this is the first answer. */
function answersQuestion({ lastOwn, before, messagesSinceOwn, message, partner }: Sight): boolean {
  if (!lastOwn || !endsWithQuestion(lastOwn.text)) return false
  const since = before.slice(0, messagesSinceOwn - 1)
  if (since.some(({ author }) => author.id === message.author.id)) return false
  return partner === 'bot' || partner === 'likely' || lastOwn.mentions.length === 0
}
