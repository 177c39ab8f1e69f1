/** Cuts sections into passages of a limited length. */
import { createHash } from 'node:crypto'
import type { DocumentSection, ParsedDocument } from './sections.ts'

export interface Passage extends DocumentSection {
  /** Equal for the same text under the same headings. */
  readonly hash: string
}

/** Tokens of a passage: five of them fill a quarter of the room for sections. */
const MOST_TOKENS = 320

/** Passages of one document; the rest is left out. */
const MOST_PASSAGES = 5_000

export function passagesOf({ sections }: ParsedDocument): Passage[] {
  const passages = new Map<string, Passage>()
  for (const section of sections) {
    for (const text of cut(section.text)) {
      const hash = createHash('sha256')
        .update(JSON.stringify([section.headings, section.anchor, text]))
        .digest('base64url')
      passages.set(hash, { ...section, text, hash })
      if (passages.size === MOST_PASSAGES) return [...passages.values()]
    }
  }
  return [...passages.values()]
}

/** Whole paragraphs, as long as they fit; a long paragraph by its lines, a long line by its sentences. */
export function cut(text: string): string[] {
  return joined(
    text.split(/\n(?:[ \t]*\n)+/).flatMap(paragraph => within(paragraph, /\n/, '\n')),
    '\n\n',
  )
}

function within(text: string, between: RegExp, glue: string): string[] {
  if (size(text) <= MOST_TOKENS) return [text]
  const parts = text.split(between)
  const fitting = parts.flatMap(part => {
    if (size(part) <= MOST_TOKENS) return [part]
    return glue === '\n' ? within(part, /(?<=[.!?] )|(?<=[。！？])/, '') : slices(part)
  })
  return joined(fitting, glue)
}

/** Pieces next to each other as one, as long as it fits. */
function joined(parts: readonly string[], glue: string): string[] {
  const whole: string[] = []
  let room = 0
  for (const part of parts) {
    if (part.trim() === '') continue
    const needs = size(part)
    const last = whole.pop()
    if (last !== undefined && needs <= room) whole.push(last + glue + part)
    else {
      if (last !== undefined) whole.push(last)
      whole.push(part)
      room = MOST_TOKENS
    }
    room -= needs
  }
  return whole
}

function slices(text: string): string[] {
  const characters = [...text]
  return Array.from({ length: Math.ceil(characters.length / MOST_TOKENS) }, (_, at) =>
    characters.slice(at * MOST_TOKENS, (at + 1) * MOST_TOKENS).join(''),
  )
}

/** About the number of tokens: one for a character of a script without spaces, one for four of another. */
function size(text: string): number {
  const wide = text.match(/[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / 4)
}
