import { type Locale, readTranscript } from 'kikimimi/model'
import { inAnyLanguage, LANGUAGES, localeOf } from './language.ts'
import { factsIn, isQuestion, type Source } from './recall.ts'

/** What a prompt of the reply asks, and what there is to answer it from. */
export interface Heard {
  /** The last question that is put to the model, or else the last thing said to it. */
  readonly asked: Source
  /** Facts and lines of the conversation, the likelier later. */
  readonly sources: readonly Source[]
  readonly locale: Locale
}

/** `turns` are the words of the people, the last one to be answered: one text, lines of one person, or a transcript. */
export function hear(system: string, turns: readonly string[]): Heard {
  const trigger = turns.at(-1) ?? ''
  const lines = readTranscript(system)
  // One that somebody typed has speakers and times that the conversation has not.
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

/** The lines around a question, without the bot's own: quoting its own quotes would go on for ever. */
export function evidence(lines: readonly Source[], asked: string, bot: string | undefined): readonly Source[] {
  const question = visible(asked)
  return lines.filter(({ name, text }) => !(question !== '' && visible(text).includes(question)) && !isOwn({ name, text }, bot))
}

const OWN_WORDS = inAnyLanguage('ownWords')

/** Said by the bot, which its persona names, or by this model under whatever name. */
export function isOwn(
  { name, text }: { readonly name?: string | undefined; readonly text: string },
  bot: string | undefined,
): boolean {
  return (bot !== undefined && name === bot) || OWN_WORDS.test(text)
}

/** As a persona begins: "You are kiki, …", 「あなたはキキ。…」 */
export function nameOfBot(system: string): string | undefined {
  return LANGUAGES.map(({ persona }) => persona.exec(system)?.[1]).find(name => name !== undefined)
}

/** Without whom it calls: `@kiki `, `<@123> `, `kiki, `. */
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

/** A prompt shows a text without its invisible characters. */
function visible(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, '')
}

function named(text: string, name: string | undefined): Source {
  return name === undefined ? { text } : { name, text }
}
