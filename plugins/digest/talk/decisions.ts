/** What people decided: a proposal to which others agree, or a line that settles a discussion. */
import { isNew, type Room } from './answers.ts'
import type { Line } from './lines.ts'
import { does } from './signs.ts'

const MINUTE = 60_000
/** A line settles a discussion in so many messages before it, of at most this age in milliseconds. */
const DISCUSSED = 10
const RECENT = 90 * MINUTE
/** A statement has so many words of a subject, and is accepted by one of so many next messages. */
const ENOUGH = 3
const NEXT = 2
/** Two lines about one decision are at most so far apart, in messages and milliseconds. */
const SAME = 8
const PAUSE = 12 * MINUTE

export function decidedIn(room: Room): readonly Line[] {
  const found: { readonly line: Line; readonly at: number }[] = []
  for (const [at, line] of room.lines.entries()) {
    if (line.bot || !(settles(room, at, line) || isAgreed(room, at, line) || isAccepted(room, at, line))) continue
    const last = found.at(-1)
    if (last && goesOn(room.lines.slice(last.at, at + 1))) {
      // The last line about a decision states how it ended, unless it only agrees.
      if (!hasContent(line)) continue
      found.pop()
    }
    found.push({ line, at })
  }
  return found.map(({ line }) => line)
}

function settles(room: Room, at: number, line: Line): boolean {
  if (does('undecided', line)) return false
  if (does('decides', line)) return true
  if (line.isCall || line.asks || !hasContent(line) || !does('settles', line)) return false
  return (
    discussed(room, at, line).some(other => does('assents', other) || does('proposes', other)) ||
    room.responses(at).some(other => does('assents', other))
  )
}

function isAgreed(room: Room, at: number, line: Line): boolean {
  if (line.isCall || !does('proposes', line)) return false
  const responses = room.responses(at)
  const against = responses.filter(other => does('objects', other))
  return responses.filter(other => does('assents', other) && !against.includes(other)).length > against.length
}

/** Whether one of the next others accepts what the message states in a discussion. */
function isAccepted(room: Room, at: number, line: Line): boolean {
  if (line.isCall || line.asks || line.words.size < ENOUGH || does('undecided', line)) return false
  const next = room.lines.slice(at + 1, at + 1 + NEXT).filter(({ author }) => author.id !== line.author.id)
  return (
    next.some(other => !other.asks && does('accepts', other)) &&
    discussed(room, at, line).some(other => other.asks || does('proposes', other))
  )
}

/** The latest messages of others before a message. */
function discussed(room: Room, at: number, line: Line): readonly Line[] {
  return room.lines
    .slice(Math.max(0, at - DISCUSSED), at)
    .filter(other => !other.bot && other.author.id !== line.author.id && line.at.getTime() - other.at.getTime() < RECENT)
}

/** Whether a message names something: a day, a number, or words of a subject. */
function hasContent({ text, words }: Line): boolean {
  return /\d/.test(text) || words.size > 1
}

/** Whether the last message is still about what the first one decides. */
function goesOn(lines: readonly Line[]): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last || lines.length > SAME || last.at.getTime() - first.at.getTime() > PAUSE) return false
  return !lines.slice(1).some(line => isNew(line, first))
}
