import { inAnyLanguage, inReader, isQuestion, LANGUAGES, localeOf, type Source, withoutCall } from '@kikimimi/speech-acts/rules'
import { type Locale, readTranscript, type TranscriptLine } from 'kikimimi/model'
import { type Passage, passagesIn } from './passages.ts'
import { factsIn } from './recall.ts'

/** The question of a request for a reply, and the material for its answer. */
export interface Heard {
  /** A question to the model, or else the last message to it. */
  readonly asked: Source
  /** Facts and lines of the conversation. Later ones are more likely. */
  readonly sources: readonly Source[]
  /** Passages of documents that a plugin found for the question. */
  readonly passages: readonly Passage[]
  readonly locale: Locale
  /** The lines of the conversation that people said to each other. */
  readonly talk: readonly Source[]
  /** What {@link asked} says, without the name that it calls. */
  readonly text: string
  /** The time of the last line, in milliseconds by the calendar of the conversation. */
  readonly at: number | undefined
}

/** Questions of one request that are answered. */
const MOST = 5

/**
 * The last question or message, or each question if the person has asked more than one.
 *
 * @param prompt the first user message: what is remembered and the conversation, or the words of a person
 * @param added what people said to the model since, without layout
 */
export function hear(system: string, prompt: string, added: readonly string[]): readonly [Heard, ...Heard[]] {
  const lines = readTranscript(prompt)
  const bot = nameOfBot(system)
  const first =
    added.length > 0 && lines.length > 0 ? lines.filter(line => line.asked) : askedIn(lines, lines.length > 0 ? [] : [prompt])
  const turns = [first, ...added.map(one => askedIn(lines, [one]))]
  const questions = turns.flat().filter(({ text }) => isQuestion(withoutCall(text)))
  const distinct = [...new Map(questions.map(one => [visible(withoutCall(one.text, bot)), one])).values()]
  const heard = (asked: Source) => heardOf(asked, lines, prompt, bot)
  const [one = turns.flat().at(-1) ?? { text: '' }, ...others] = distinct.slice(-MOST)
  return [heard(one), ...others.map(heard)]
}

function heardOf(asked: Source, lines: readonly TranscriptLine[], prompt: string, bot: string | undefined): Heard {
  const last = lines.at(-1)
  return {
    at: last && Date.parse(`${last.at.replace(' ', 'T')}Z`),
    asked,
    text: withoutCall(asked.text, bot),
    passages: passagesIn(prompt),
    sources: [...factsIn(prompt), ...evidence(lines, asked.text, bot)],
    talk: evidence(
      lines.filter((line, at) => !isAnswered(line, lines[at + 1], bot)),
      asked.text,
      bot,
    ),
    locale: localeIn([asked.text, ...lines.map(({ text }) => text).reverse()]),
  }
}

/** What needs the answer: the latest words without layout, or else the marked lines of the conversation, or its last one. */
function askedIn(lines: readonly TranscriptLine[], added: readonly string[]): readonly Source[] {
  const latest = added.at(-1)
  if (latest !== undefined) {
    const pieces = latest.split('\n').filter(text => text.trim() !== '')
    const speaker = (text: string) => lines.findLast(line => visible(line.text) === visible(text))?.name
    return pieces.map(text => named(text, speaker(latest) ?? speaker(text)))
  }
  const asked = lines.filter(line => line.asked)
  const news = lines.filter(line => line.news)
  return asked.length > 0 ? asked : news.length > 0 ? news : lines.slice(-1)
}

/** The lines around a question, without those of the bot, which quote, and without what it was told to do. */
export function evidence(lines: readonly Source[], asked: string, bot: string | undefined): readonly Source[] {
  const question = visible(asked)
  return lines.filter(
    ({ name, text }) =>
      !(question !== '' && visible(text).includes(question)) && !isOwn({ name, text }, bot) && !isOrder(text, bot),
  )
}

const TASK = inReader('task')
const OWN_WORDS = inAnyLanguage('ownWords')

/** Whether a line tells the bot to do what needs a model. */
function isOrder(text: string, bot: string | undefined): boolean {
  const order = withoutCall(text, bot)
  return order !== text.trim() && TASK.test(order)
}

/** Whether a line calls somebody, and the bot speaks next. */
function isAnswered({ text }: Source, next: Source | undefined, bot: string | undefined): boolean {
  return next !== undefined && isOwn(next, bot) && withoutCall(text, bot) !== text.trim()
}

/** Lines of the bot, by the name in the persona, or by typical answers of this model. */
export function isOwn(
  { name, text }: { readonly name?: string | undefined; readonly text: string },
  bot: string | undefined,
): boolean {
  return (bot !== undefined && name === bot) || OWN_WORDS.test(text)
}

/** The start of a persona: "You are kiki, …", 「あなたはキキ。…」 */
export function nameOfBot(system: string): string | undefined {
  return LANGUAGES.map(({ persona }) => persona.exec(system)?.[1]).find(name => name !== undefined)
}

function localeIn(texts: readonly string[]): Locale {
  const told = texts.map(text => withoutCall(text)).find(text => /\p{L}/u.test(text))
  return localeOf(told ?? '')
}

/** A prompt shows texts without invisible characters. */
function visible(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, '')
}

function named(text: string, name: string | undefined): Source {
  return name === undefined ? { text } : { name, text }
}
