/** The new time of a reminder that is moved. */
import { DAY, FARTHEST, isOfDay, mondayOf, movedTo, type Now, type Resolved, resolve, type Said, toWall } from '@kikimimi/times'
import type { NewTime } from './reading/changes.ts'
import type { Reminder } from './store.ts'

/**
 * A time without a day is on the day of the reminder; a day without a time, at its time. Of one that repeats, a time is the new one of each,
 * and a day moves the next one only.
 */
export function movedWhen({ at, repeat, zone }: Reminder, to: NewTime, now: Now): Resolved {
  if ('laterMs' in to) {
    const moved = at.getTime() + to.laterMs
    if (moved <= now.now) return { problem: 'past' }
    if (moved - now.now > FARTHEST) return { problem: 'impossible' }
    return { at: moved, ...(repeat && { repeat }) }
  }
  const wall = new Date(toWall(at.getTime(), zone))
  const { sameTime, ...said } = to.said
  const hasTime = said.hour !== undefined || said.part !== undefined || said.after !== undefined || said.repeat !== undefined
  const time: Said = hasTime ? {} : { hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), sure: true }
  if (isOfDay(said)) {
    // "To next week" is on the same day of the week.
    const sameDay: Said = said.weeks !== undefined && said.weekday === undefined ? { weekday: wall.getUTCDay() } : {}
    const plain = { ...said, ...sameDay, ...time }
    const isOfItsWeek = to.inWeek === true && said.weekday !== undefined && said.weeks === undefined && said.date === undefined
    const inWeek = isOfItsWeek && resolve({ ...plain, weeks: weeksTo(wall.getTime(), now, zone) }, { ...now, zone })
    const moved = inWeek && 'at' in inWeek ? inWeek : resolve(plain, { ...now, zone })
    return 'at' in moved && !moved.repeat && repeat ? { at: moved.at, repeat } : moved
  }
  const date = { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, date: wall.getUTCDate() }
  const moved = resolve({ ...said, ...date, ...halfNear(said, wall.getUTCHours()) }, { ...now, zone })
  if ('problem' in moved) return moved
  return { at: moved.at, ...(repeat && { repeat: movedTo(repeat, moved.at, zone) }) }
}

/** Weeks from this one to that of a wall time. */
const weeksTo = (wall: number, { now }: Now, zone: string) =>
  Math.round((mondayOf(wall) - mondayOf(toWall(now, zone))) / (7 * DAY))

/** Hours within which an hour without a half of the day is in the half of the reminder: "7:30, not 7". */
const NEAR = 3

function halfNear({ hour, sure, part }: Said, now: number): Said {
  if (hour === undefined || hour < 1 || hour > 12 || sure || part) return {}
  const near = [hour % 12, (hour % 12) + 12].find(one => Math.abs(one - now) <= NEAR)
  return near === undefined ? {} : { hour: near, sure: true }
}
