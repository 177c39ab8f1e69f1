import {
  contentWords,
  cut,
  inAnyLanguage,
  inReader,
  isQuestion,
  localeOf,
  named,
  type Source,
  summarized,
  withoutMentions,
} from '@kikimimi/speech-acts/rules'
import type { Locale } from 'kikimimi/model'
import type { Heard } from './heard.ts'
import type { IsHintDue } from './hint.ts'
import { passageFor } from './passages.ts'
import { type Answer, recall } from './recall.ts'
import { texts } from './texts.ts'

/** What the answer depends on besides the conversation. `tools`: the names of the tools that a model gets in this turn. */
interface Given {
  readonly isHintDue: IsHintDue
  readonly tools: readonly string[]
}

/** An answer by rules: small talk, a quote of an earlier message, a summary, or a text that says that the model has none. */
export function answer({ asked, text, sources, passages, talk, locale, at }: Heard, { isHintDue, tools }: Given): string {
  const say = texts(locale)
  const withHint = (text: string) => (isHintDue(at) ? `${text}${say('between')}${say('hint', { key: say('key') })}` : text)
  const question = isQuestion(text)

  if (ABOUT_ME.test(text)) return `${say('aboutMe')}${say('between')}${say('key')}`
  if (HOW_ARE_YOU.test(text)) return say('fine')
  // A model would carry it out with a tool.
  const unread = tools.includes('set_reminder') && ASKS_TO_REMIND.test(text)
  if (unread && !question) return say('remindWords')
  const small = question ? undefined : (smallTalk(asked.text) ?? smallTalk(text))
  if (small) return pleasantry(small, asked, locale)
  if (SUMMARY.test(text)) {
    const lines = summarized(talk)
    return lines.length > 0 ? say('summary', { lines: toldLines(lines, locale) }) : withHint(say('nothing'))
  }
  if (TASK.test(text)) return withHint(say('cannot'))
  const found = question ? recall({ text, asker: asked.name }, sources) : undefined
  if (found) return told(found, asked.name, locale)
  const read = question ? passageFor(text, passages) : undefined
  if (read !== undefined) return read
  if (unread) return say('remindWords')
  const topic = topicsOf(text)
    .slice(0, 3)
    .join(texts(localeOf(text))('and'))
    .slice(0, 60)
  if (topic === '') return withHint(say('nothing'))
  return withHint(say(question ? 'unknown' : 'understood', { topic }))
}

/** A few words that show attention. */
export function acknowledgement({ asked, text, locale }: Heard): string {
  if (isQuestion(text)) return texts(locale)('ackQuestion')
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

function told({ source, question }: Answer, asker: string | undefined, locale: Locale): string {
  const say = texts(locale)
  const { name, age } = source
  const text = quoted(source.text)
  if (name === undefined) return say('remembered', { text })
  if (question?.name !== undefined) {
    const who = name === asker ? say('you') : named(name, locale)
    const whose = question.name === asker ? say('your') : say('of', { name: named(question.name, locale) })
    return say('answered', { who, whose, question: quoted(question.text), text })
  }
  if (name === asker) return say('youSaid', { text })
  if (age !== undefined) return say('rememberedBy', { name: named(name, locale), text, age })
  return say('saidBy', { name: named(name, locale), text })
}

/** Lines with their speakers, in one line of text. */
function toldLines(lines: readonly Source[], locale: Locale): string {
  const say = texts(locale)
  return lines.map(({ name = '', text }) => say('quoted', { name, text: quoted(text) })).join(say('between'))
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

const SUMMARY = inReader('summary')
const TASK = inReader('task')
const ABOUT_ME = inAnyLanguage('aboutMe')
const HOW_ARE_YOU = inAnyLanguage('howAreYou')
const ASKS_TO_REMIND = inAnyLanguage('asksToRemind')
const THANKS = inAnyLanguage('thanks')
const BYE = inAnyLanguage('bye')
const HELLO = inAnyLanguage('hello')
const MORNING = inAnyLanguage('morning')
const AFTERNOON = inAnyLanguage('afternoon')
const EVENING = inAnyLanguage('evening')
