/**
 * Splits a long text into parts that a platform accepts: at a paragraph, else a line, else a sentence, else a word, else
 * between two characters as people see them. Code fences stay whole when they fit. A longer fence is closed and opened
 * again in each part.
 */

import { KikimimiError } from '../errors.ts'

interface Block {
  text: string
  /** The opening and the closing line, when the block is a code fence. */
  readonly fence?: { readonly open: string; readonly close: string }
}

/**
 * The parts of a text. No part is empty or longer than `limit`.
 *
 * @param limit UTF-16 code units, at least 2
 * @throws ARGUMENT_INVALID for a smaller limit
 */
export function splitText(text: string, limit: number): string[] {
  if (!(limit >= 2)) throw new KikimimiError('ARGUMENT_INVALID', `splitText: expected a limit of at least 2, got ${limit}.`)
  const parts: string[] = []
  let part = ''
  for (const block of blocks(withNewLines(text))) {
    const pieces = fits(part + block.text, limit)
      ? [part + block.text]
      : block.fence
        ? [part, ...splitFence(block.text, block.fence, limit)]
        : splitProse(part + block.text, limit, part.length)
    part = pieces.pop() ?? ''
    parts.push(...pieces)
  }
  return [...parts, part].map(trim).filter(part => part !== '')
}

/** The line that closes the code fence in which a text ends. Absent: it does not end in one. */
export function openFence(text: string): string | undefined {
  const last = blocks(withNewLines(text)).at(-1)
  const close = last?.fence?.close
  const isClosed =
    close !== undefined &&
    last?.text
      .split('\n')
      .slice(1)
      .some(line => closes(line, close))
  return isClosed ? undefined : close?.trim()
}

function withNewLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

/** Code fences and the text between them, in order. An unclosed fence reaches to the end. */
function blocks(text: string): Block[] {
  if (!text.includes('```') && !text.includes('~~~')) return [{ text }]
  const found: Block[] = []
  let fence: Block['fence']
  let prose: Block | undefined
  for (const line of text.split(/(?<=\n)/)) {
    const last = found.at(-1)
    if (fence && last) {
      last.text += line
      if (closes(line, fence.close)) fence = undefined
      continue
    }
    // Backticks after the opening ones make it code within a line.
    const marker = /^[ \t]*(?:`{3,}(?!.*`)|~{3,})/.exec(line)?.[0]
    if (marker !== undefined) {
      fence = { open: line.trimEnd(), close: marker }
      found.push({ text: line, fence })
      prose = undefined
    } else if (prose) {
      prose.text += line
    } else {
      prose = { text: line }
      found.push(prose)
    }
  }
  return found
}

/** A closing fence is at least as long as the opening one, with nothing after it. */
function closes(line: string, marker: string): boolean {
  const bare = line.trim()
  return bare.startsWith(marker.trim()) && bare === bare.charAt(0).repeat(bare.length)
}

function splitFence(text: string, { open, close }: NonNullable<Block['fence']>, limit: number): string[] {
  if (fits(text, limit)) return [text]
  const room = limit - open.length - close.length - 2
  // Between fences of this length, hardly any code would fit.
  if (room < limit / 2) return splitProse(text, limit)
  const lines = text.split('\n').slice(1)
  const end = lines.findLastIndex(line => line !== '')
  const body = end >= 0 && closes(lines[end] ?? '', close) ? lines.slice(0, end) : lines
  return cutAll(body.join('\n'), room, rest => lineEnd(rest, room) || lastBoundary(rest, room, 'grapheme'), /^\n/)
    .filter(code => code.trim() !== '')
    .map(code => `${open}\n${code.replace(/(?<!\n)\n+$/, '')}\n${close}\n`)
}

/** `from`: the start of the part that may be cut. */
function splitProse(text: string, limit: number, from = 0): string[] {
  const at = (rest: string) => {
    const earliest = rest.length === text.length ? from : 0
    const paragraph = rest.lastIndexOf('\n\n', limit)
    if (paragraph > earliest) return paragraph
    const line = lineEnd(rest, limit)
    if (line > earliest) return line
    if (earliest > 0) return earliest
    return (
      lastBoundary(rest, limit, 'sentence') ||
      lastBoundary(rest, limit, 'word', betweenWords, limit - NEAR) ||
      lastBoundary(rest, limit, 'word', betweenWords) ||
      lastBoundary(rest, limit, 'grapheme')
    )
  }
  // The next part keeps the indentation of a new line, but not the space between two words.
  return cutAll(text, limit, at, /^(?:\s*\n|[ \t\u3000]+)/)
}

/** Cuts until the rest fits, and drops the text that `gap` matches at each cut. */
function cutAll(text: string, limit: number, at: (rest: string) => number, gap: RegExp): string[] {
  const pieces: string[] = []
  let rest = text
  while (!fits(rest, limit)) {
    // One character as people see it can be longer than a part. Then the cut is between code points.
    const cut = at(rest) || limit - Number(/^[\ud800-\udbff][\udc00-\udfff]$/.test(rest.slice(limit - 1, limit + 1)))
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut).replace(gap, '')
  }
  return [...pieces, rest]
}

function lineEnd(text: string, limit: number): number {
  return Math.max(0, text.lastIndexOf('\n', limit))
}

/** Characters after the limit that can tell where a sentence or a character ends. */
const BEYOND = 500

/** Characters before the limit in which a place to cut is looked for. */
const BEFORE = 1_000

/** Characters before the limit in which a word is looked for first: the word breaker takes most of the time. */
const NEAR = 200

/**
 * The last place before `limit` where one sentence, word or character ends and the next begins; 0 when there is none.
 *
 * @param from the text before is not read
 */
function lastBoundary(
  text: string,
  limit: number,
  granularity: 'sentence' | 'word' | 'grapheme',
  accepts: (text: string, at: number) => boolean = () => true,
  from = 0,
): number {
  const start = Math.max(0, from)
  const segments = SEGMENTERS[granularity].segment(text.slice(start, limit + BEYOND))
  // The space after a sentence belongs to it, and can be beyond the limit.
  let at = Math.min(granularity === 'sentence' ? limit + 1 : limit, text.length - 1)
  while (at > Math.max(start, limit - BEFORE)) {
    // The segment takes ten times as long as the question whether its place is accepted.
    while (at > start && !accepts(text, at)) at--
    if (at === start) return 0
    at = start + (segments.containing(at - start)?.index ?? 0)
    // An opening bracket belongs to the text after it; Unicode counts it to the sentence before.
    if (granularity !== 'grapheme') at -= /[\p{Ps}\p{Pi}]{0,4}$/u.exec(text.slice(Math.max(0, at - 4), at))?.[0].length ?? 0
    if (at > start && fits(text.slice(0, at), limit) && accepts(text, at)) return at
    at--
  }
  return 0
}

const SEGMENTERS = {
  sentence: new Intl.Segmenter('en', { granularity: 'sentence' }),
  word: new Intl.Segmenter('en', { granularity: 'word' }),
  grapheme: new Intl.Segmenter('en', { granularity: 'grapheme' }),
}

/** At a space, or between words of a script without spaces; never inside an address, before a comma or after an opening bracket. */
function betweenWords(text: string, at: number): boolean {
  // Within a pair of surrogates is no place.
  if (isTrail(text.charCodeAt(at))) return false
  const before = text.charCodeAt(isTrail(text.charCodeAt(at - 1)) ? at - 2 : at - 1)
  if (!mayEnd(before) && !mayEnd(text.charCodeAt(at))) return false
  BETWEEN_WORDS.lastIndex = at
  return BETWEEN_WORDS.test(text)
}

const SPACELESS = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}]`
const BETWEEN_WORDS = new RegExp(
  String.raw`(?<![\p{Ps}\p{Pi}])(?:(?<=\s)|(?=\s)|(?:(?<=${SPACELESS})|(?=${SPACELESS}))(?![\p{P}ー々]))`,
  'uy',
)

/** Whether a word can end beside a character that begins with this UTF-16 code unit, found out once for each: 1 for no, 2 for yes. */
const ends = new Uint8Array(0x1_0000)

function mayEnd(code: number): boolean {
  if (!ends[code]) ends[code] = MAY_END.test(beginningWith(code)) ? 2 : 1
  return ends[code] === 2
}

/** Spaces, and letters of scripts without spaces. */
const MAY_END = new RegExp(String.raw`\s|${SPACELESS}`, 'u')

/** All characters that begin with a UTF-16 code unit. */
function beginningWith(code: number): string {
  if ((code & 0xfc00) !== 0xd800) return String.fromCharCode(code)
  return Array.from({ length: 0x400 }, (_, at) => String.fromCharCode(code, 0xdc00 + at)).join('')
}

function isTrail(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

function fits(text: string, limit: number): boolean {
  return text.length <= limit || text.trimEnd().length <= limit
}

/** The text without empty lines before and after. The first line keeps its indentation. */
function trim(part: string): string {
  return part.replace(/^(?:[ \t\u3000]*\n)+/, '').trimEnd()
}
