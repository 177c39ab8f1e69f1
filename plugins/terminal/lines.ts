/** Formats of lines: input of people and programs, output of the bot. */
import { KikimimiError, type Person, type Trace } from 'kikimimi'
import { z } from 'zod'

const said = z.object({
  author: z.string().trim().min(1),
  text: z.string(),
  channel: z.string().min(1).optional(),
  thread: z.string().min(1).optional(),
  mentions: z.array(z.string().min(1)).optional(),
  replyTo: z.string().min(1).optional(),
  id: z.string().min(1).optional(),
  at: z
    .union([z.string(), z.number()])
    .transform(at => new Date(at))
    .refine(at => !Number.isNaN(at.getTime()), 'expected a time such as 2026-01-31T12:00:00Z')
    .optional(),
  bot: z.boolean().optional(),
})

/** The content of a line. */
export type Said = z.infer<typeof said>

/** Parses `{"author":"alice","text":"hello"}`. Throws an Error with the reason. */
export function parseJson(line: string): Said {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new KikimimiError('MESSAGE_INVALID', 'it is not valid JSON')
  }
  const { data, error } = said.safeParse(value)
  if (data) return data
  const issues = error.issues.map(({ path, message }) => (path.length ? `${path.join('.')}: ${message}` : message))
  throw new KikimimiError('MESSAGE_INVALID', issues.join('; '))
}

/** Parses `alice: hello`, or a text without a name. */
export function parseText(line: string, speaker: string): Said {
  const [, author, text] = /^\s*([\p{L}\p{M}\p{N}_.-]{1,32})(?::\s+|：\s*)(\S.*)$/u.exec(line) ?? []
  return author !== undefined && text !== undefined ? { author, text: text.trimEnd() } : { author: speaker, text: line.trim() }
}

/** Parses a command for the bot: `/kiki status`, or `/status`. */
export function commandIn(text: string, name: string): { readonly text: string; readonly isNamed: boolean } | undefined {
  const [, word = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  if (word === '') return undefined
  return fold(word) === name ? { text: rest, isNamed: true } : { text: `${word} ${rest}`, isNamed: false }
}

/** A person, identified by name in any spelling. */
export function person(name: string, bot = false): Person {
  return { id: fold(name), name, ...(bot && { bot }) }
}

/** People that a text mentions: the bot by any of its names, others by the word after the @. */
export function mentionsIn(text: string, me: Person, names: readonly string[]): Person[] {
  const tokens = new Set(text.normalize('NFKC').match(MENTION))
  const own = names.map(fold)
  const found = Array.from(tokens, token => personNamed(token.slice(1), me, own)).filter(({ id }) => !EVERYBODY.has(id))
  return [...new Map(found.map(one => [one.id, one])).values()]
}

export function mentioned(name: string, me: Person, names: readonly string[]): Person {
  return personNamed(name, me, names.map(fold))
}

/** @param own the names of the bot, folded */
function personNamed(name: string, me: Person, own: readonly string[]): Person {
  const id = fold(name)
  return own.some(one => isNamed(id, one)) ? me : { id, name }
}

const MENTION =
  /(?<![\p{sc=Latin}\p{N}_.])@(?:[\p{sc=Latin}\p{M}\p{N}_]+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|[\p{L}\p{M}\p{N}_]+)/gu

const EVERYBODY = new Set(['everyone', 'here', 'channel'])

/** Japanese has no space after a name: @キキさん is キキ, @キキララ is not. */
function isNamed(name: string, own: string): boolean {
  if (name === own) return true
  if (!name.startsWith(own) || !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]$/u.test(own)) return false
  return !(/[\p{sc=Katakana}ー]$/u.test(own) && /^[\p{sc=Katakana}ー]/u.test(name.slice(own.length)))
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** The text without characters that move the cursor, change colours or reorder lines of a terminal. */
export function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
}

/** Formats `kiki: hello`. Further lines of the text are indented. */
export function speech(speaker: string, text: string): string {
  return `${speaker}: ${printable(text).replaceAll('\n', '\n  ')}`
}

export function reactionOn(emoji: string, author?: string): string {
  return author === undefined ? `(${printable(emoji)})` : `(${printable(emoji)} on ${printable(author)}'s message)`
}

/** The decision and its reasons in one line: `silent · 20: asks a question 20 · below 60`. */
export function decisionLine({ decision, score, outcome, why, problems }: Trace): string {
  const parts: string[] = [decision?.kind ?? outcome]
  if (decision) parts.push(score ? `${score.points}: ${decision.why}` : decision.why)
  if (outcome === 'delayed' || outcome === 'cancelled' || outcome === 'failed')
    parts.push(why === undefined ? outcome : `${outcome}: ${why}`)
  for (const { plugin, stage, message } of problems) parts.push(`${plugin} failed to ${stage}: ${message}`)
  return printable(parts.join(' · ')).replace(/\s+/g, ' ')
}
