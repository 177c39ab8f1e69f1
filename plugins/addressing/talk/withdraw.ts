import { type SpeechAct, speechActOf } from '@kikimimi/speech-acts'
import type { Message, Turn } from 'kikimimi'
import { alternatives, inAnyLanguage } from '../language.ts'
import { closes, HANGUL } from './closing.ts'
import { addressees } from './partners.ts'
import { answersPlainly, saysEnough } from './plain-answer.ts'
import { endsWithQuestion } from './question.ts'
import { fold, spoken } from './spoken.ts'

/** Why an answer to a mention is not needed any more, from the messages since. */
export function settledBy(turn: Turn, news: readonly Message[]): string | undefined {
  const { author: asker } = turn.message
  for (const [index, one] of news.entries()) {
    if (one.author.id !== asker.id) {
      if (isAnswer(turn, one, news.slice(0, index))) return 'somebody else has answered'
    } else if (takesBack(one.text, turn.message.text)) return 'is not asked any more'
    else if (thanks(one.text) && news.slice(0, index).some(({ author }) => author.id !== asker.id)) {
      return 'somebody else was thanked for the answer'
    }
  }
  return undefined
}

/** The parts of a question that an answer is compared with. */
type Asked = Pick<Turn, 'message' | 'history'>

/** Whether another person has answered a question of the batch. Later messages of the batch count too. */
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

/** A message without an address, directly after the question. Later ones may be about newer messages. */
function isPlainAnswer({ message, history }: Asked, one: Message, before: readonly Message[]): boolean {
  if (one.replyTo !== undefined || one.addressed || before.some(({ author }) => author.id !== message.author.id)) return false
  return (
    addressees(one, [...before, ...history]).size === 0 && answersPlainly(message.text, one.text, message.addressed !== undefined)
  )
}

/** Maximum length. A longer message has other content too. */
const LONGEST = 80

/** Says that the problem remains. */
const STILL = inAnyLanguage('still')

/**
 * Whether a person does not ask any more: the whole message says so, or a clause of it.
 * @param question what the person has asked
 */
export function takesBack(text: string, question?: string): boolean {
  const said = sayingOf(text)
  if (said.length > LONGEST || endsWithQuestion(text)) return false
  const isKorean = HANGUL.test(said)
  if (!isKorean && isRetraction(said, question)) return true
  const clauses = said.split(/[,.!;、。…\n]+/).map(clause => clause.trim())
  const at = clauses.findIndex(clause =>
    isKorean ? TAKES_BACK.test(clause.replace(LEAD, '').trim()) : isRetraction(clause, question),
  )
  return at >= 0 && !clauses.slice(at + 1).some(clause => STILL.test(clause))
}

/** Less sure, the answer is sent: to withhold one that somebody waits for is worse than to send one too many. */
const SURE = 0.93
/** After a question, what is added to it looks like a retraction too: "in Osaka, rather". */
const SURE_AFTER_QUESTION = 0.98

/** "Found it" means more after the question. Thanks are thanks after anything. */
function isRetraction(said: string, question: string | undefined): boolean {
  const alone = speechActOf(said, { names: [] })
  if (retracts(alone, SURE)) return true
  if (question === undefined || alone.act === 'thanks') return false
  return retracts(speechActOf(said, { names: [], before: { text: question, by: 'same' } }), SURE_AFTER_QUESTION)
}

function retracts({ act, probability }: SpeechAct, least: number): boolean {
  return act === 'retraction' && probability >= least
}

/** Whether a text is a word of thanks. */
export function thanks(text: string): boolean {
  const said = sayingOf(text)
  if (HANGUL.test(said)) return closes(text) && THANKS.test(said)
  return closes(text) && speechActOf(said, { names: [] }).act === 'thanks'
}

// Lists of words, for languages that the model of speech acts does not know.

/** Matched with each clause. */
const TAKES_BACK = inAnyLanguage('takesBack')
/** Words before such a clause. */
const LEAD = new RegExp(`^(?:(?:${alternatives('takesBackLead')})[\\s~ー]*)+`, 'u')
const THANKS = inAnyLanguage('thanks')

/** The text without the names that it begins with. */
function sayingOf(text: string): string {
  return fold(spoken(text))
    .replace(/^(?:\s*@[\p{L}\p{N}_.-]+[\s,:、]*)+/u, '')
    .trim()
}
