import type { Locale } from 'kikimimi/model'
import type { Heard } from './heard.ts'
import { withoutCall, withoutMentions } from './heard.ts'
import { inAnyLanguage, localeOf, named } from './language.ts'
import { isQuestion, recall, type Source } from './recall.ts'
import { texts } from './texts.ts'
import { contentWords, cut } from './words.ts'

/** An answer by rules: small talk, a quote of an earlier message, or a text that says that the model found none. */
export function answer({ asked, sources, locale }: Heard): string {
  const say = texts(locale)
  const key = say('key')
  const text = withoutCall(asked.text)
  const question = isQuestion(text)

  if (ABOUT_ME.test(text)) return say('aboutMe', { key })
  const small = question ? undefined : smallTalk(asked.text)
  if (small) return pleasantry(small, asked, locale)
  const found = question ? recall({ text, asker: asked.name }, sources) : undefined
  if (found) return told(found, asked.name, locale)
  const topic = topicsOf(text)
    .slice(0, 3)
    .join(texts(localeOf(text))('and'))
    .slice(0, 60)
  if (topic === '') return say('nothing', { key })
  return say(question ? 'unknown' : 'understood', { topic, key })
}

/** A few words that show attention. */
export function acknowledgement({ asked, locale }: Heard): string {
  if (isQuestion(withoutCall(asked.text))) return texts(locale)('ackQuestion')
  const small = smallTalk(asked.text)
  return small ? pleasantry(small, { text: asked.text }, locale) : texts(locale)('ack')
}

function pleasantry(kind: 'thanks' | 'bye' | 'greeting', { name, text: said }: Source, locale: Locale): string {
  const say = texts(locale)
  const text = kind === 'greeting' ? say(greetingTo(said)) : say(kind)
  return name === undefined ? say('exclaim', { text }) : say('exclaimTo', { text, name: named(name, locale) })
}

function greetingTo(said: string) {
  if (MORNING.test(said)) return 'hello.morning'
  if (AFTERNOON.test(said)) return 'hello.afternoon'
  return EVENING.test(said) ? 'hello.evening' : 'hello'
}

function told({ text: found, name }: Source, asker: string | undefined, locale: Locale): string {
  const say = texts(locale)
  const text = quoted(found)
  if (name === undefined) return say('remembered', { text })
  return name === asker ? say('youSaid', { text }) : say('saidBy', { name: named(name, locale), text })
}

/** Characters of a text that give its topic. */
const BEGINNING = 500

/** The words of a topic as they stand in the text. Weak words count only if there are no others. */
export function topicsOf(text: string): string[] {
  const words = cut(text.slice(0, BEGINNING)).map(word => ({ word, weight: [...contentWords(word).values()][0] ?? 0 }))
  const heaviest = Math.max(...words.map(({ weight }) => weight))
  return heaviest > 0 ? [...new Set(words.filter(({ weight }) => weight === heaviest).map(({ word }) => word))] : []
}

export function smallTalk(said: string): 'thanks' | 'bye' | 'greeting' | undefined {
  const text = withoutMentions(said)
  if (THANKS.test(text)) return 'thanks'
  if (BYE.test(text)) return 'bye'
  return HELLO.test(text) && text.length <= 40 ? 'greeting' : undefined
}

/** One line of a message, without characters that would end the quotation. */
function quoted(text: string): string {
  const line = text
    .replace(/[“”「」]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

const ABOUT_ME = inAnyLanguage('aboutMe')
const THANKS = inAnyLanguage('thanks')
const BYE = inAnyLanguage('bye')
const HELLO = inAnyLanguage('hello')
const MORNING = inAnyLanguage('morning')
const AFTERNOON = inAnyLanguage('afternoon')
const EVENING = inAnyLanguage('evening')
