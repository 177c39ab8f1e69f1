/** Finds the reminders that an order names. */
import { type Now, resolve, type Said, startOfDay, toWall } from '@kikimimi/times'
import type { Which } from './reading/changes.ts'
import type { Reminder } from './store.ts'

export interface Chosen {
  readonly reminders: readonly Reminder[]
  /** The words name exactly these. Otherwise the bot asks. */
  readonly isSure: boolean
  /** All words are those of reminders, perhaps of several. */
  readonly isKnown?: boolean
}

/** "It" is a reminder that was made or changed within this time. */
const RECENT = 30 * 60_000

export function choose(there: readonly Reminder[], which: Which, now: Now): Chosen {
  if (which.by === 'numbers') {
    const reminders = there.filter(({ id }) => which.numbers.includes(id))
    return { reminders, isSure: reminders.length === which.numbers.length }
  }
  const hinted = which.hints ? named(there, which.hints).reminders : []
  // An order that names no reminder can mean something else.
  if (hinted.length === 1) return { reminders: hinted, isSure: which.by === 'words' }
  if (which.by === 'last') {
    const recent = there.filter(({ changedAt }) => changedAt.getTime() >= now.now - RECENT)
    const [last] = recent.toSorted((a, b) => b.changedAt.getTime() - a.changedAt.getTime() || b.id - a.id)
    return { reminders: last ? [last] : [], isSure: true }
  }
  const { names, at, also = [], all } = which
  const due = at ? there.filter(one => [at, ...also].some(time => isDue(one, time, now))) : there
  if (names.length === 0) {
    if (all === 'others')
      return { reminders: there.filter(one => !due.includes(one)), isSure: at !== undefined && due.length > 0 }
    return { reminders: due, isSure: all === 'all' || due.length === 1 + also.length }
  }
  const found = names.map(tokens => named(due, tokens))
  const reminders = [...new Set(found.flatMap(one => one.reminders))]
  const isSure = found.every(one => one.isSure && one.reminders.length === 1)
  const isKnown = found.every(one => one.isSure)
  if (all === 'others') return { reminders: there.filter(one => !reminders.includes(one)), isSure }
  // "All reminders about the release"
  if (all === 'all') return { reminders, isSure: found.every(one => one.isSure && one.reminders.length > 0) }
  return { reminders, isSure, isKnown }
}

/** The reminders that have all the words, or else those that have most of them. */
function named(there: readonly Reminder[], tokens: readonly string[]): Chosen {
  const counts = there.map(one => ({ one, count: tokens.filter(token => has(one, token)).length }))
  const most = Math.max(0, ...counts.map(({ count }) => count))
  const reminders = most === 0 ? [] : counts.filter(({ count }) => count === most).map(({ one }) => one)
  return { reminders, isSure: most === tokens.length }
}

function has({ content, targetName }: Reminder, token: string): boolean {
  const words = fold(`${content} ${targetName ?? ''}`)
  if (/^[\p{sc=Han}\p{sc=Kana}ー]+$/u.test(token)) return words.includes(token) || [...token].every(sign => words.includes(sign))
  if (/^[\p{sc=Hang}\p{sc=Hira}]+$/u.test(token)) return words.includes(token)
  const stem = stemOf(token)
  return (words.match(/[\p{L}\p{N}]+/gu) ?? []).some(word => stemOf(word) === stem)
}

const stemOf = (word: string) => word.replace(/(?<=.{3})(?:'?s|ing|ed)$/u, '')

function isDue({ at, zone }: Reminder, said: Said, { now }: Now): boolean {
  const found = resolve(said, { now, zone })
  const wall = toWall(at.getTime(), zone)
  const isTime = said.hour === undefined || ('at' in found && toWall(found.at, zone) % 43_200_000 === wall % 43_200_000)
  const isDayless = said.days === undefined && said.weekday === undefined && said.date === undefined && said.weeks === undefined
  if (isDayless) return isTime
  const day =
    said.days !== undefined
      ? startOfDay(toWall(now, zone)) + said.days * 86_400_000
      : 'at' in found
        ? startOfDay(toWall(found.at, zone))
        : undefined
  return isTime && day === startOfDay(wall)
}

export const fold = (text: string) => text.normalize('NFKC').toLowerCase()
