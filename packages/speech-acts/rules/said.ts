/** What people said, as the material of an answer. */
import { languageOf } from './language.ts'

/** An earlier message or a memory. Without a name: a fact from a memory section. */
export interface Source {
  readonly name?: string
  readonly text: string
  /** For a memory: the question that it answers. */
  readonly answers?: { readonly name: string; readonly text: string }
  /** For a memory: its age in words. */
  readonly age?: string
  /** For a memory: true if it no longer holds. */
  readonly over?: boolean
}

export interface Question {
  readonly text: string
  /** The person who asks, if the conversation shows it. */
  readonly asker?: string | undefined
}

/** Characters of a text that are read: its end for a question, its beginning for sentences. */
const READ = 4_000

/** Whether a text ends with a question, in any language of the product. */
export function isQuestion(text: string): boolean {
  const last = text.slice(-READ).trim().replace(AFTER_QUESTION, '')
  return /[?？]$/.test(last) || languageOf(last).question.test(last)
}

/** What may follow a question mark. */
const AFTER_QUESTION =
  /(?<![\s\)\]）」』。!！\p{Extended_Pictographic}\uFE0F])[\s\)\]）」』。!！\p{Extended_Pictographic}\uFE0F]+$/v

/** The sentences of a text. A point ends one only if it follows no digit, and a space follows it. */
export function sentencesIn(text: string): string[] {
  return text
    .slice(0, READ)
    .split('\n')
    .flatMap(line => line.split(/(?<=[。！？!?])|(?<=[^\d\s.]\.)\s+/u))
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')
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
