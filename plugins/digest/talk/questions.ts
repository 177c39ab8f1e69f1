/** The questions that others have not answered. */
import type { Room } from './answers.ts'
import type { Line } from './lines.ts'
import { does, givesUp } from './signs.ts'

/** The asker accepts an answer within so many messages and milliseconds. */
const ACCEPTS = 12
const WITHIN = 30 * 60_000

export function openIn(room: Room, names: readonly string[]): readonly Line[] {
  /** Questions back about the question of another person. */
  const back = new Set<Line>()
  return room.lines.filter((line, at) => {
    if (line.isCall || !line.asks || does('rhetorical', line)) return false
    const responses = room.responses(at)
    for (const response of responses) back.add(response)
    return responses.length === 0 && !back.has(line) && !isSettled(line, room.lines.slice(at + 1, at + 1 + ACCEPTS), names)
  })
}

/** Whether the asker thanks or takes note after another person has spoken, or takes the question back. */
function isSettled({ author, at }: Line, after: readonly Line[], names: readonly string[]): boolean {
  return after.some((line, index) => {
    if (line.author.id !== author.id || line.at.getTime() - at.getTime() > WITHIN) return false
    const isAfterOther = after.slice(0, index).some(other => other.author.id !== author.id)
    return givesUp(line, names) || (isAfterOther && !line.asks && does('assents', line))
  })
}
