/**
 * Whether a message without an address answers a question: by the kind of question, or by a word of its topic.
 * Precision counts more than recall: an answer that is withheld wrongly is lost, a second answer is only superfluous.
 */
import { anyOf } from 'kikimimi'
import { alternatives, inAnyLanguage, KINDS, LANGUAGES } from '../language.ts'
import { withoutCall } from './called.ts'
import { endsWithQuestion } from './question.ts'
import { ends, fold, spoken } from './spoken.ts'

/**
 * Minimum length of an answer; a remark of a few words ("good question") is none. A Japanese character counts as two
 * letters.
 */
const SHORTEST = 14

const JAPANESE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu

export function saysEnough(text: string): boolean {
  const said = spoken(text).trim()
  const isLong = said.length >= SHORTEST || said.length + (said.match(JAPANESE)?.length ?? 0) >= SHORTEST
  return isLong && !endsWithQuestion(text)
}

/**
 * @param sure requires more than a word of the topic. If the question addresses the bot, the bot answers unless it is
 * certain that another person has answered
 */
export function answersPlainly(question: string, text: string, sure = false): boolean {
  if (!saysEnough(text)) return false
  const [asked, said] = [
    withoutCall(ends(spoken(question))).trim(),
    fold(ends(spoken(text)))
      .trim()
      .replace(LEAD, ''),
  ]
  if (ELSEWHERE.test(said)) return false
  const wanted = ANSWERS.filter(({ asks }) => asks.test(asked))
  if (wanted.some(({ gives }) => gives.test(said))) return true
  return !sure && wanted.length > 0 && sharesWord(asked, said) && STATES.test(said)
}

const LEAD = new RegExp(`^(?:(?:${alternatives('answerLead')})[\\s,、…]*)+`, 'u')

/** The author talks about themselves, or has the same question. */
const ELSEWHERE = inAnyLanguage('elsewhere')

const ANSWERS = KINDS.map(kind => ({
  asks: anyOf(LANGUAGES.map(({ kinds }) => kinds[kind].asks)),
  gives: anyOf(LANGUAGES.map(({ kinds }) => kinds[kind].gives)),
}))

/** States a fact. */
const STATES = inAnyLanguage('states')

function sharesWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one))
  return wordsOf(other).some(word => words.has(word))
}

function wordsOf(text: string): readonly string[] {
  const found = fold(text).match(/[a-z][a-z0-9]{3,}|\p{sc=Hangul}{2,}|[\p{sc=Han}々]{2,}|[\p{sc=Kana}ー]{2,}/gu) ?? []
  return found.map(word => word.replace(/(?<=[a-z]{3})s$/, '')).filter(word => !COMMON.has(word))
}

const COMMON = new Set(LANGUAGES.flatMap(({ common }) => common))
