import { type Locale, readTranscript } from 'kikimimi/model'
import { inAnyLanguage, LANGUAGES, localeOf } from './language.ts'
import { factsIn, isQuestion, type Source } from './recall.ts'

/** The question of a reply prompt, and the material for its answer. */
export interface Heard {
  /** The last question to the model, or else the last message to it. */
  readonly asked: Source
  /** Facts and lines of the conversation. Later ones are more likely. */
  readonly sources: readonly Source[]
  readonly locale: Locale
}

/** `turns` are messages of people, the last one needs the answer: a text, lines of one person, or a transcript. */
export function hear(system: string, turns: readonly string[]): Heard {
  const trigger = turns.at(-1) ?? ''
  const lines = readTranscript(system)
  // A transcript that a person typed has authors and times that are not in the conversation.
  const transcribed = readTranscript(trigger).filter(one =>
    lines.some(({ at, name, text }) => at === one.at && name === one.name && text === one.text),
  )
  const speaker = (text: string) => lines.findLast(line => visible(line.text) === visible(text))?.name
  const pieces = trigger.split('\n').filter(text => text.trim() !== '')
  const whole = speaker(trigger)
  const said: readonly Source[] = transcribed.length > 0 ? transcribed : pieces.map(text => named(text, whole ?? speaker(text)))
  const asked = said.findLast(({ text }) => isQuestion(withoutCall(text))) ?? said.at(-1) ?? { text: '' }
  const earlier = turns.slice(0, -1).map(text => ({ text }))
  return {
    asked,
    sources: [...factsIn(system), ...earlier, ...evidence(lines, asked.text, nameOfBot(system))],
    locale: localeIn([asked.text, ...lines.map(({ text }) => text).reverse()]),
  }
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

/** The text without the name that it calls: `@kiki `, `<@123> `, `kiki, `. */
export function withoutCall(text: string): string {
  return withoutMentions(text).replace(/^(?![^,、:：]*[のはをがにで])[\p{L}\p{N}_-]{1,20}[,、:：]\s*(?=\S)/u, '')
}

export function withoutMentions(text: string): string {
  return text.replace(/<[@#][^>\s]*>|(?<!\S)[@＠][^\s、,]+/g, ' ').trim()
}

function localeIn(texts: readonly string[]): Locale {
  const told = texts.map(withoutCall).find(text => /\p{L}/u.test(text))
  return localeOf(told ?? '')
}

/** A prompt shows texts without invisible characters. */
function visible(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, '')
}

function named(text: string, name: string | undefined): Source {
  return name === undefined ? { text } : { name, text }
}
