import type { Heard } from './heard.ts'
import { withoutCall, withoutMentions } from './heard.ts'
import { PHRASES } from './phrases.ts'
import { isQuestion, recall } from './recall.ts'
import { contentWords, cut, isJapanese } from './words.ts'

/** An answer by rules: small talk, what was said before, or the admission that there is none. */
export function answer({ asked, sources, language }: Heard): string {
  const say = PHRASES[language]
  const text = withoutCall(asked.text)
  const question = isQuestion(text)

  if (ABOUT_ME.test(text)) return say.aboutMe
  const small = question ? undefined : smallTalk(asked.text)
  if (small) return say[small](asked.name, asked.text)
  const found = question ? recall({ text, asker: asked.name }, sources) : undefined
  if (found) return say.said(quoted(found.text), found.name, found.name === asked.name)
  const topic = topicsOf(text)
    .slice(0, 3)
    .join(isJapanese(text) ? '、' : ', ')
    .slice(0, 60)
  if (topic === '') return say.nothing
  return question ? say.unknown(topic) : say.understood(topic)
}

/** A few words to show that it listens. */
export function acknowledgement({ asked, language }: Heard): string {
  const say = PHRASES[language]
  const small = smallTalk(asked.text)
  return isQuestion(withoutCall(asked.text)) ? say.ackQuestion : small ? say[small](undefined, asked.text) : say.ack
}

/** The words that a text is about, as they stand in it; those that tell little only when there are no others. */
export function topicsOf(text: string): string[] {
  const words = cut(text).map(word => ({ word, weight: [...contentWords(word).values()][0] ?? 0 }))
  const heaviest = Math.max(...words.map(({ weight }) => weight))
  return heaviest > 0 ? [...new Set(words.filter(({ weight }) => weight === heaviest).map(({ word }) => word))] : []
}

export function smallTalk(said: string): 'thanks' | 'bye' | 'greeting' | undefined {
  const text = withoutMentions(said)
  if (/\b(?:thanks|thank you|thx|cheers)\b|ありがと|感謝|助かりました|サンキュー/i.test(text)) return 'thanks'
  if (/\b(?:bye|good ?night|see you)\b|おやすみ|またね|また明日|さようなら|バイバイ|じゃあね/i.test(text)) return 'bye'
  const hello = /^(?:hi|hello|hey|yo|good (?:morning|evening|afternoon))\b|^(?:こんにちは|こんばんは|おはよう|やあ|はじめまして)/i
  return hello.test(text) && text.length <= 40 ? 'greeting' : undefined
}

/** One line of somebody's words, without what would end the quotation. */
function quoted(text: string): string {
  const line = text
    .replace(/[“”「」]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

const ABOUT_ME =
  /\b(?:who|what|how) are you\b(?! \w+ing)|\bare you (?:a |an )?(?:bot|ai|human|real)\b|\bwhat can you do\b|\byour name\b|(?:あなた|君|きみ|お前)(?:は|って)(?:誰|だれ|何者|なに)|(?:あなた|君|きみ)の名前|何ができ|自己紹介|^元気(?:です|かな|か)?[?？]/i
