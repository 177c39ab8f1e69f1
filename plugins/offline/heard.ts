import { type Locale, readTranscript, type TranscriptLine } from 'kikimimi/model'
import { inAnyLanguage, LANGUAGES, localeOf } from './language.ts'
import { factsIn } from './recall.ts'
import { isQuestion, type Source } from './said.ts'
import { texts } from './texts.ts'

/** The question of a request for a reply, and the material for its answer. */
export interface Heard {
  /** The last question to the model, or else the last message to it. */
  readonly asked: Source
  /** Facts and lines of the conversation. Later ones are more likely. */
  readonly sources: readonly Source[]
  readonly locale: Locale
  /** What {@link asked} says, without the name that it calls. */
  readonly text: string
  /** Whether the bot has named the key in the last hour of this conversation. */
  readonly hinted: boolean
}

/**
 * @param prompt the first user message: what is remembered and the conversation, or the words of a person
 * @param added what people said to the model since, without layout
 */
export function hear(system: string, prompt: string, added: readonly string[]): Heard {
  const lines = readTranscript(prompt)
  const said = askedIn(lines, lines.length > 0 ? added : [prompt, ...added])
  const asked = said.findLast(({ text }) => isQuestion(withoutCall(text))) ?? said.at(-1) ?? { text: '' }
  const bot = nameOfBot(system)
  return {
    hinted: isHinted(lines),
    asked,
    text: withoutCall(asked.text, bot),
    sources: [...factsIn(prompt), ...evidence(lines, asked.text, bot)],
    locale: localeIn([asked.text, ...lines.map(({ text }) => text).reverse()]),
  }
}

const HOUR_MS = 3_600_000
const HINTS = Object.values(texts.all('key'))

/** The lines have the only clock that a model knows. */
function isHinted(lines: readonly TranscriptLine[]): boolean {
  const timeOf = ({ at }: TranscriptLine) => Date.parse(`${at.replace(' ', 'T')}Z`)
  const last = lines.at(-1)
  return lines.some(line => last && timeOf(last) - timeOf(line) < HOUR_MS && HINTS.some(hint => line.text.includes(hint)))
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

/** The lines around a question, without those of the bot. Otherwise it would quote its own quotes. */
export function evidence(lines: readonly Source[], asked: string, bot: string | undefined): readonly Source[] {
  const question = visible(asked)
  return lines.filter(({ name, text }) => !(question !== '' && visible(text).includes(question)) && !isOwn({ name, text }, bot))
}

const OWN_WORDS = inAnyLanguage('ownWords')

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

/** The text without the name that it calls: `@kiki `, `<@123> `, `kiki, `; with the name of the bot also `kiki `. */
export function withoutCall(text: string, bot = ''): string {
  const said = withoutMentions(text)
  const rest = bot !== '' && said.toLowerCase().startsWith(`${bot.toLowerCase()} `) ? said.slice(bot.length + 1) : said
  return rest.replace(/^(?![^,、:：]*[のはをがにで])[\p{L}\p{N}_-]{1,20}[,、:：]\s*(?=\S)/u, '')
}

export function withoutMentions(text: string): string {
  return text.replace(/<[@#][^<>\s]*>|(?<!\S)[@＠][^\s、,]+/g, ' ').trim()
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
