/** Finds out from newer messages whether a question still needs the answer of the bot. */
import type { SpeechAct } from '@kikimimi/speech-acts'
import type { Message, Turn } from 'kikimimi'
import { alternatives, inAnyLanguage } from '../language.ts'
import { actOf, described, HANGUL, sayingOf } from './acts.ts'
import { needsNoWords } from './closing.ts'
import { addressees } from './partners.ts'
import { answersPlainly, saysEnough } from './plain-answer.ts'
import { endsWithQuestion } from './question.ts'

/**
 * Returns why the answer to a call is not needed any more. Undefined: it is needed. A message that replies to no older one is about
 * the last call of the asker before it.
 */
export function settledBy(turn: Turn, news: readonly Message[]): string | undefined {
  const { id, author: asker, text: question } = turn.message
  let isLastCall = true
  for (const [index, one] of news.entries()) {
    const before = news.slice(0, index)
    const isMarked = one.replyTo !== undefined && !before.some(earlier => earlier.id === one.replyTo)
    const isAbout = isMarked ? one.replyTo === id : isLastCall
    if (one.author.id !== asker.id) {
      if (isAbout && isAnswer(turn, one, before)) return 'another person has answered'
      continue
    }
    const retraction = isAbout && retractionIn(one.text, question)
    if (retraction) return `the author took the question back · ${described(retraction)}`
    // Thanks that call the bot are for the bot.
    const isForAnother = one.addressed === undefined && before.some(({ author }) => author.id !== asker.id)
    const thanks = isAbout && isForAnother && thanksIn(one.text)
    if (thanks) return `the author thanked another person · ${described(thanks)}`
    if (one.addressed !== undefined) isLastCall = false
  }
  return undefined
}

/** A question, and the conversation up to it. */
type Asked = Pick<Turn, 'message' | 'history'>

/** Whether another person has answered a question of the batch in a later message of the batch. */
export function isAnsweredIn({ messages, history }: Turn, message: Message): boolean {
  const news = messages.slice(messages.findIndex(({ id }) => id === message.id) + 1)
  const asked = { message, history }
  return news.some((one, at) => one.author.id !== message.author.id && isAnswer(asked, one, news.slice(0, at)))
}

function isAnswer(asked: Asked, one: Message, before: readonly Message[]): boolean {
  return isFor(asked, one, before) ? saysEnough(one.text) : isPlainAnswer(asked, one, before)
}

/** A reply to the question, or a message that addresses its author. */
function isFor({ message: { id, author }, history }: Asked, one: Message, before: readonly Message[]): boolean {
  if (one.replyTo !== undefined) return one.replyTo === id
  return addressees(one, [...before, ...history]).has(author.id)
}

/** An answer that addresses no one. Only messages directly after the question count: later ones may be about newer messages. */
function isPlainAnswer({ message, history }: Asked, one: Message, before: readonly Message[]): boolean {
  if (one.replyTo !== undefined || one.addressed || before.some(({ author }) => author.id !== message.author.id)) return false
  return (
    addressees(one, [...before, ...history]).size === 0 && answersPlainly(message.text, one.text, message.addressed !== undefined)
  )
}

/** Maximum length of a retraction in characters. A longer message has other content too. */
const LONGEST = 80

/** Says that the problem remains. */
const STILL = inAnyLanguage('still')

/**
 * The act of a message that takes a question back, as a whole or in one of its clauses. Undefined: it does not.
 * @param question what its author asked before
 */
export function retractionIn(text: string, question?: string): Decided | undefined {
  const said = sayingOf(text)
  if (said.length > LONGEST || endsWithQuestion(text)) return undefined
  const clauses = said.split(/[,.!;、。…\n]+/).map(clause => clause.trim())
  const isKorean = HANGUL.test(said)
  const whole = isKorean ? undefined : retraction(said, question)
  if (whole || (!isKorean && clauses.filter(clause => clause !== '').length < 2)) return whole
  for (const [at, clause] of clauses.entries()) {
    const found = isKorean ? retractionInKorean(clause) : retraction(clause, question)
    if (found) return clauses.slice(at + 1).some(later => STILL.test(later)) ? undefined : found
  }
  return undefined
}

type Decided = Pick<SpeechAct, 'act' | 'probability'>

function retractionInKorean(clause: string): Decided | undefined {
  return TAKES_BACK.test(clause.replace(LEAD, '').trim()) ? { act: 'retraction', probability: 1 } : undefined
}

/**
 * Minimum probability of a retraction. Below it the answer is sent: an answer that is missing is worse than one that is superfluous.
 */
const SURE = 0.93
/** The minimum after a question, where an addition to the question looks like a retraction: "in Osaka, rather". */
const SURE_AFTER_QUESTION = 0.98

/** The question makes more texts a retraction, such as "found it". Thanks stay thanks. */
function retraction(said: string, question: string | undefined): Decided | undefined {
  const alone = actOf(said)
  if (retracts(alone, SURE)) return alone
  if (question === undefined || alone.act === 'thanks') return undefined
  const after = actOf(said, { before: { text: question, by: 'same' } })
  return retracts(after, alone.act === 'retraction' ? SURE : SURE_AFTER_QUESTION) ? after : undefined
}

function retracts({ act, probability }: SpeechAct, least: number): boolean {
  return act === 'retraction' && probability >= least
}

/** The act of a message that only thanks. Undefined: it does not. */
export function thanksIn(text: string): Decided | undefined {
  if (!needsNoWords(text)) return undefined
  return HANGUL.test(text) ? { act: 'thanks', probability: 1 } : actOf(text)
}

// Lists of words for Korean.

/** Matched with each clause. */
const TAKES_BACK = inAnyLanguage('takesBack')
/** Words before such a clause. */
const LEAD = new RegExp(`^(?:(?:${alternatives('takesBackLead')})[\\s~ー]*)+`, 'u')
