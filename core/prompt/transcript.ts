/**
 * Writes a conversation for a prompt, and reads it back. The text of people is data: no name and no line of a text can
 * imitate another speaker, a heading or the end of the section.
 */
import type { Message } from '../api/index.ts'
import { LOCALES, texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'

export interface TranscriptOptions {
  readonly locale: Locale
  /** IANA name. Default: the zone of the machine. */
  readonly timeZone?: string
  /** Show the id of each message, `name [id]:`, for prompts whose answer names messages. */
  readonly ids?: boolean
}

/** Each message as `**YYYY-MM-DD HH:mm:ss** name:`, its text, files and reactions below, and a blank line between. */
export function transcript(messages: readonly Message[], { locale, timeZone, ids = false }: TranscriptOptions): string {
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', ...(timeZone && { timeZone }) })
  const say = texts(locale)
  const names = namesOf(messages, say('transcript.someone'))
  return messages
    .map(message => {
      const files = message.attachments.map(
        ({ name, type }) => `[${say('transcript.attachment')}: ${safeName(name ?? type ?? '?')}]`,
      )
      const id = ids ? ` [${message.id.replace(/[^\w.:-]/g, '')}]` : ''
      const head = `**${format.format(message.at)}** ${names.get(message.author.id)}${id}:`
      return [head, safeText(message.text), ...files, ...reactionsTo(message, locale)].filter(line => line !== '').join('\n')
    })
    .join('\n\n')
}

function reactionsTo({ reactions = [] }: Message, locale: Locale): string[] {
  const told = reactions.map(({ emoji, by }) => `${safeName(emoji)} ${by.length}`)
  return told.length === 0 ? [] : [`[${texts(locale)('transcript.reactions')}: ${told.join(', ')}]`]
}

/** A name, topic or title on one line: without control characters and markup, 40 characters at most. */
export function safeName(name: string): string {
  const plain = name
    .replace(/[*`#~<>[\]|\\]/g, '')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return [...plain].slice(0, 40).join('').trim()
}

/** A text of several lines. A line that could be read as layout of the prompt starts with a backslash. */
export function safeText(text: string): string {
  const lines = text
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    // Direction marks, tags and other invisible characters are removed; the joiner of emoji stays.
    .replace(/(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .trim()
    .split('\n')
    .map(line => (LAYOUT.test(plain(line)) ? `\\${line}` : line))
  const fences = lines.filter(line => /^\s*```/.test(line)).length
  return [...lines, ...(fences % 2 ? ['```'] : [])].join('\n')
}

/** A heading, also one in brackets, a rule, or a date that introduces a speaker. */
const LAYOUT = /^(?:#|【.*】\s*$|([-=*_])(?:\s*\1){2,}\s*$|[*_\s]*\d{4}[-/.\p{Lo}]\s*\d{1,2}[-/.\p{Lo}].*[:*_]|\*\*\s*\d)/u

/** The line as a reader sees it: full-width forms are folded, invisible characters and quote marks are removed. */
function plain(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/^[\s>]+/, '')
}

/** The name of each author in a transcript, by id. Two people of one name get numbers; the bot keeps its own name. */
export function namesOf(messages: readonly Pick<Message, 'author' | 'own'>[], nobody: string): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { author } of [...messages.filter(({ own }) => own), ...messages]) {
    if (names.has(author.id)) continue
    const wanted = safeName(author.name) || nobody
    let name = wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`
    taken.add(name)
    names.set(author.id, name)
  }
  return names
}

// ---------------------------------------------------------------- and back

/** One line of a transcript. */
export interface TranscriptLine {
  /** When the line was said. */
  readonly at: string
  /** The name of the author. */
  readonly name: string
  /** The id of the message. */
  readonly id?: string
  /** The text of the message, safe for a prompt. */
  readonly text: string
}

const HEAD = /^\*\*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\*\* (.+?)(?: \[([\w.:-]+)\])?:$/

const REACTIONS = new RegExp(`^\\[(?:${LOCALES.map(locale => texts(locale)('transcript.reactions')).join('|')}): `)

/** The messages of every transcript in a prompt, in order. */
export function readTranscript(prompt: string): TranscriptLine[] {
  const found: { at: string; name: string; id?: string; lines: string[] }[] = []
  let current: string[] | undefined
  for (const line of prompt.split('\n')) {
    const [, at, name, id] = HEAD.exec(line) ?? []
    if (at !== undefined && name !== undefined) {
      current = []
      found.push({ at, name, ...(id !== undefined && { id }), lines: current })
    } else if (/^(#|---$)/.test(line)) current = undefined
    else if (!REACTIONS.test(line)) current?.push(line.replace(/^\\/, ''))
  }
  return found.map(({ lines, ...head }) => ({ ...head, text: lines.join('\n').trim() }))
}
