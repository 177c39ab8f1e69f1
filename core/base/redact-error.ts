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
  return quoted.includes(1) ? `${kindOf(error)}: ${without(message, quoted)}` : message
}

/** For each character of the message, 1 if it is quoted. */
function quotedIn(message: string, texts: readonly string[]): Uint8Array {
  const quoted = new Uint8Array(message.length)
  const said = texts.map(text => text.trim()).filter(text => text.length >= SHORTEST)
  for (const text of said) if (text.length <= QUOTE) markWord(message, text, quoted)
  const runs = runsOf(message, QUOTE)
  const sources = said.filter(runs.read)
  const shared = runs.shared()
  for (let at = 0; at < shared.length; at++) if (shared[at] === 1) quoted.fill(1, at, at + QUOTE)
  if (!quoted.includes(1)) return quoted
  const short = runsOf(message, REST)
  sources.forEach(short.read)
  const rest = short.shared()
  const isNear = (from: number, to: number) => quoted.subarray(Math.max(0, from), to).includes(1)
  const isOpen = (at: number) => rest[at] === 1 && quoted.subarray(at, at + REST).includes(0)
  for (let at = 0; at < rest.length; at++) if (isOpen(at) && isNear(at - NEAR, at)) quoted.fill(1, at, at + REST)
  // The same from the end of the message, for what stands before a quotation.
  for (let at = rest.length - 1; at >= 0; at--)
    if (isOpen(at) && isNear(at + REST, at + REST + NEAR)) quoted.fill(1, at, at + REST)
  return quoted
}

interface Runs {
  /** Whether a text has a run of the message. */
  read(text: string): boolean
  /** For each place of the message, 1 if a text that was read has the run from there. */
  shared(): Uint8Array
}

/** The runs of this length, in a table by their hash: a text of any length is compared with all of them in one pass. */
function runsOf(message: string, length: number): Runs {
  const places = Math.max(0, message.length - length + 1)
  const table = new Int32Array(2 ** Math.ceil(Math.log2(2 * places + 1))).fill(-1)
  // The first place of the message with the same characters, or a free place of the table.
  const find = (text: string, at: number, hash: number) => {
    let slot = (hash ^ (hash >>> 15)) & (table.length - 1)
    for (let known = table[slot] ?? -1; known >= 0; known = table[slot] ?? -1) {
      if (isEqual(message, known, text, at, length)) return known
      slot = (slot + 1) & (table.length - 1)
    }
    return -1 - slot
  }
  const hashes = hashesOf(message, length)
  /** The first place of the message with the run of each place. */
  const first = new Int32Array(places)
  for (let at = 0; at < places; at++) {
    const found = find(message, at, hashes[at] ?? 0)
    if (found < 0) table[-1 - found] = at
    first[at] = found < 0 ? at : found
  }
  const inTexts = new Uint8Array(places)
  return {
    read(text) {
      let isShared = false
      const hashes = hashesOf(text, length)
      for (let at = 0; at < hashes.length; at++) {
        const found = find(text, at, hashes[at] ?? 0)
        if (found < 0) continue
        inTexts[found] = 1
        isShared = true
      }
      return isShared
    },
    shared() {
      const shared = new Uint8Array(places)
      for (let at = 0; at < places; at++) shared[at] = inTexts[first[at] ?? 0] ?? 0
      return shared
    },
  }
}

const BASE = 1_000_003

/** A rolling hash of the run at each place. */
function hashesOf(text: string, length: number): Int32Array {
  const hashes = new Int32Array(Math.max(0, text.length - length + 1))
  const leaving = Array.from({ length }).reduce<number>(power => Math.imul(power, BASE), 1)
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const left = at < length ? 0 : Math.imul(text.charCodeAt(at - length), leaving)
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at) - left) | 0
    if (at + 1 >= length) hashes[at + 1 - length] = hash
  }
  return hashes
}

function isEqual(one: string, at: number, other: string, from: number, length: number): boolean {
  for (let next = 0; next < length; next++) if (one.charCodeAt(at + next) !== other.charCodeAt(from + next)) return false
  return true
}

/** A short text counts as a word of its own: "add" is no part of getaddrinfo. */
function markWord(message: string, text: string, quoted: Uint8Array): void {
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    const end = at + text.length
    const joins = (from: number) => /^\w\w$/.test(message.slice(from - 1, from + 1))
    if (!joins(at) && !joins(end)) quoted.fill(1, at, end)
  }
}

/** The message without what is quoted. Spaces around a quotation stay. */
function without(message: string, quoted: Uint8Array): string {
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
