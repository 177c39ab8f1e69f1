import type { Reaction, ReactionChange } from '../../api/index.ts'

/** Limits for one message: emoji, and people per emoji. More are ignored. */
const EMOJI = 20
const PEOPLE = 100

/** The reactions of a message after a change; the same array when nothing changed. */
export function changed(reactions: readonly Reaction[], { emoji, by, removed }: ReactionChange): readonly Reaction[] {
  const found = reactions.find(one => one.emoji === emoji)
  if (removed) {
    if (!found?.by.includes(by)) return reactions
    const left = found.by.filter(person => person !== by)
    return reactions.flatMap(one => (one !== found ? [one] : left.length > 0 ? [{ emoji, by: left }] : []))
  }
  if (!found) return reactions.length < EMOJI ? [...reactions, { emoji, by: [by] }] : reactions
  if (found.by.includes(by) || found.by.length >= PEOPLE) return reactions
  return reactions.map(one => (one === found ? { emoji, by: [...one.by, by] } : one))
}
