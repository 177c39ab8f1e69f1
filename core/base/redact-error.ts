/**
 * The message of a plugin's error without quotations of people. `JSON.parse` and Postgres quote unreadable input in their
 * messages, and messages go to logs and traces.
 */
import { isSafeToKeep, kindOf, reason } from './errors.ts'

/** The smallest number of equal characters that counts as a quotation. */
const QUOTE = 6
/** The smallest number of equal characters that belongs to a quotation near it: quotations escape some characters of a text. */
const REST = 3
/** The largest distance of these from the quotation. */
const NEAR = 4
/** A shorter text is no quotation. */
const SHORTEST = 3

/** Replaces what an error quotes. */
const OMITTED = '[…]'

/**
 * The message of an error, with `[…]` for each part that a text of people has too. The class and the code of the error come before such
 * a message. The time grows with the length of the message and of the texts.
 *
 * @param texts the texts of people that the plugin received
 */
export function redactError(error: unknown, texts: readonly string[]): string {
  const message = reason(error)
  if (isSafeToKeep(error)) return message
  const quoted = quotedIn(message, texts)
  return quoted.includes(true) ? `${kindOf(error)}: ${without(message, quoted)}` : message
}

/** For each character of the message, whether it is quoted. */
function quotedIn(message: string, texts: readonly string[]): boolean[] {
  const quoted = new Array<boolean>(message.length).fill(false)
  const said = texts.map(text => text.trim()).filter(text => text.length >= SHORTEST)
  for (const text of said) if (text.length <= QUOTE) markWord(message, text, quoted)
  const runs = new Set(runsOf(message, QUOTE))
  const sources = said.filter(text => runsOf(text, QUOTE).some(run => runs.has(run)))
  markRuns(message, sources, QUOTE, quoted, () => true)
  if (!quoted.includes(true)) return quoted
  const isNear = (at: number) => quoted.slice(Math.max(0, at - NEAR), at).includes(true)
  markRuns(message, sources, REST, quoted, isNear)
  // The same from the end of the message, for what stands before a quotation.
  quoted.reverse()
  markRuns(reversed(message), sources.map(reversed), REST, quoted, isNear)
  return quoted.reverse()
}

function runsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))
}

/** Marks the runs of this length that a text has too. */
function markRuns(
  message: string,
  texts: readonly string[],
  length: number,
  quoted: boolean[],
  applies: (at: number) => boolean,
): void {
  const runs = new Set(texts.flatMap(text => runsOf(text, length)))
  for (let at = 0; at + length <= message.length; at++)
    if (runs.has(message.slice(at, at + length)) && applies(at)) quoted.fill(true, at, at + length)
}

/** A short text counts as a word of its own: "add" is no part of getaddrinfo. */
function markWord(message: string, text: string, quoted: boolean[]): void {
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const end = at + text.length
    const joins = (from: number) => /^\w\w$/.test(message.slice(from - 1, from + 1))
    if (!joins(at) && !joins(end)) quoted.fill(true, at, end)
  }
}

/** The message without what is quoted. Spaces around a quotation stay. */
function without(message: string, quoted: readonly boolean[]): string {
  let shown = ''
  for (let at = 0; at < message.length; ) {
    const isQuoted = quoted[at]
    let end = at
    while (end < message.length && quoted[end] === isQuoted) end++
    const part = message.slice(at, end)
    const [start = '', last = ''] = [/^\s/.exec(part)?.[0], /\s$/.exec(part)?.[0]]
    shown += isQuoted ? start + OMITTED + last : part
    at = end
  }
  return shown.toWellFormed()
}

function reversed(text: string): string {
  return text.split('').reverse().join('')
}
