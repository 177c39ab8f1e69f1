/**
 * Writes a conversation for a prompt, and reads it back. The text of people is data: no name and no line of a text can
 * imitate another speaker, a heading or the end of the section.
 */
import type { Message, MessagePart } from '../api/index.ts'
import { type CoreSay, LOCALES, texts } from '../base/text/core-texts.ts'
import type { Locale } from '../base/text/texts.ts'

export interface TranscriptOptions {
  readonly locale: Locale
  /** That of the place, an IANA name: see `Persona.timeZone`. */
  readonly timeZone: string
  /** Show the id of each message, `name [id]:`, for prompts whose answer names messages. */
  readonly ids?: boolean
  /** Messages that others answer and that the transcript does not show. */
  readonly quoted?: readonly Message[]
  /** The id of the message that the thread hangs on: its line has the mark ◆. */
  readonly root?: string | undefined
  /** The ids of the messages since the last turn: their lines have the mark •. */
  readonly news?: readonly string[]
  /** The ids of the messages to answer: their lines have the mark ▶. */
  readonly asked?: readonly string[]
}

/** Longest text of one message in a transcript, in UTF-16 code units; the rest is cut. */
const LONGEST = 4_000
/** Characters of a text that one line is made from: more than the longest card has. */
const READ = 8_000
/** Longest quotation of a message that another one answers, and of one that the transcript shows anyway. */
const QUOTED = 300
const QUOTED_BRIEFLY = 40
/** How many links of a chain of answers are shown. */
const LINKS = 3

/**
 * Each message as `**YYYY-MM-DD HH:mm:ss** name:`, its text, cards, files and reactions below, and a blank line between. A message
 * that answers another one names it: `bob → alice ("it is 300 m"):`. The marks ◆, • and ▶ stand before the date.
 */
export function transcript(messages: readonly Message[], options: TranscriptOptions): string {
  const { locale, timeZone, ids = false, quoted = [], root, news = [], asked = [] } = options
  // The Swedish date format is that of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  const say = texts(locale)
  const names = namesOf([...messages, ...quoted], say('transcript.someone'))
  // The bot can have had another name when it spoke.
  const nameOf = ({ own, author }: Message) => (own && safeName(author.name)) || names.get(author.id)
  const shown = new Set(messages.map(({ id }) => id))
  const byId = new Map([...quoted, ...messages].map(message => [message.id, message]))

  const markOf = ({ id }: Message) => {
    if (asked.includes(id)) return '▶ '
    if (id === root) return '◆ '
    return news.includes(id) ? '• ' : ''
  }

  /** The message that another one answers, with its words, and what that one answers in turn. */
  function targetOf({ replyTo }: Message, links = LINKS): string {
    if (replyTo === undefined || replyTo === root || links === 0) return ''
    const target = byId.get(replyTo)
    if (!target) return ` → (${say('transcript.unknown')})`
    const isShown = shown.has(target.id)
    const words = oneLine(target.text || target.parts?.map(wordsOf)[0] || target.attachments[0]?.name || '')
    const chain = isShown ? '' : targetOf(target, links - 1)
    return ` → ${nameOf(target)} ("${shorten(words.replaceAll('"', '’'), isShown ? QUOTED_BRIEFLY : QUOTED)}"${chain})`
  }

  return messages
    .map(message => {
      const id = ids ? ` [${message.id.replace(/[^\w.:-]/g, '')}]` : ''
      const date = `**${format.format(message.at)}**`
      const head = `${markOf(message)}${date} ${nameOf(message)}${id}${targetOf(message)}:`
      const lines = [head, safeText(shorten(message.text, LONGEST)), ...besides(message, say)]
      return lines.filter(line => line !== '').join('\n')
    })
    .join('\n\n')
}

/** What a message shows besides its text: a line for each card, file and set of reactions. */
function besides(message: Message, say: CoreSay): string[] {
  const parts =
    message.parts?.map(part => `[${say(`transcript.${part.kind}`)}: ${shorten(oneLine(wordsOf(part)), LONGEST)}]`) ?? []
  const files = message.attachments.map(({ name, type }) => `[${say('transcript.attachment')}: ${safeName(name ?? type ?? '?')}]`)
  return [...parts, ...files, ...reactionsTo(message, say)]
}

/** `author: title — text (url)` */
function wordsOf({ author, title, text, url }: MessagePart): string {
  const words = [title, text].filter(word => word?.trim()).join(' — ')
  return `${author ? `${author}: ` : ''}${words}${url ? ` (${url})` : ''}`
}

/** A topic or a title: one line without brackets, so that nothing in it can end the line or the bracket that it stands in. */
export function safeLine(text: string): string {
  return shorten(oneLine(text), QUOTED)
}

function oneLine(text: string): string {
  return safeText(text.slice(0, READ))
    .replace(/(?<!\s)\s*\n\s*/g, ' / ')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim()
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()} …` : text
}

function reactionsTo({ reactions = [] }: Message, say: CoreSay): string[] {
  const told = reactions.map(({ emoji, by }) => `${safeName(emoji)} ${by.length}`)
  return told.length === 0 ? [] : [`[${say('transcript.reactions')}: ${told.join(', ')}]`]
}

/** A name, topic or title on one line: without control characters and markup, 40 characters at most. */
export function safeName(name: string): string {
  const plain = name
    .replace(/[*`#~<>[\]|\\→▶◆•]/g, '')
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
const LAYOUT =
  /^(?:#|【.*】\s*$|([-=*_])(?:\s*\1){2,}\s*$|[▶◆•*_\s]*\d{4}[-/.\p{Lo}]\s*\d{1,2}[-/.\p{Lo}].*[:*_]|[▶◆•\s]*\*\*\s*\d)/u

/** The line as a reader sees it: full-width forms are folded, invisible characters and quote marks are removed. */
function plain(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/^[\s>]+/, '')
}

/** The name of each author in a transcript, by id. Two people of one name get numbers; the bot keeps its own names. */
export function namesOf(messages: readonly Pick<Message, 'author' | 'own'>[], unnamed: string): Map<string, string> {
  const names = new Map<string, string>()
  const own = messages.filter(message => message.own)
  const taken = new Set(own.map(({ author }) => safeName(author.name)))
  for (const { author } of own) names.set(author.id, safeName(author.name) || unnamed)
  for (const { author } of messages) {
    if (names.has(author.id)) continue
    const wanted = safeName(author.name) || unnamed
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
  /** True: the line is marked as one to answer. */
  readonly asked?: boolean
  /** True: the line is marked as one since the last turn. */
  readonly news?: boolean
}

const HEAD = /^([▶◆•]?) ?\*\*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\*\* (.+?)(?: \[([\w.:-]+)\])?(?: → .*)?:$/

/** Lines that are no words of the author. */
const BESIDES = ['reactions', 'card', 'poll', 'forward', 'sticker', 'event'] as const
const NO_WORDS = new RegExp(
  `^\\[(?:${LOCALES.flatMap(locale => BESIDES.map(name => texts(locale)(`transcript.${name}`))).join('|')}): `,
)

/** The messages of every transcript in a prompt, in order. */
export function readTranscript(prompt: string): TranscriptLine[] {
  const found: (Omit<TranscriptLine, 'text'> & { lines: string[] })[] = []
  let current: string[] | undefined
  for (const line of prompt.split('\n')) {
    const [, mark, at, name, id] = HEAD.exec(line) ?? []
    if (at !== undefined && name !== undefined) {
      current = []
      const marks = { ...(mark === '▶' && { asked: true }), ...(mark === '•' && { news: true }) }
      found.push({ at, name, ...(id !== undefined && { id }), ...marks, lines: current })
    } else if (/^(#|---$)/.test(line)) current = undefined
    else if (!NO_WORDS.test(line)) current?.push(line.replace(/^\\/, ''))
  }
  return found.map(({ lines, ...head }) => ({ ...head, text: lines.join('\n').trim() }))
}
