/**
 * The time of a request beside an event that the text tells: "remind me half an hour before the 6pm rehearsal to load the van", 「16時から面談
 * なので、10分前に教えて」, "my shift starts at 11 tonight, remind me at 10 to pack".
 */
import { HOUR, isOfDay, resolve, type Said } from '@kikimimi/times'

/** Whether a time counts from that of an event: "the day before", 「10分前」. */
export const isRelative = (said: Said) => said.shift !== undefined && !isOfDay(said)

/**
 * @param event the time of the event. Undefined: the text names none.
 * @param isOfEvent the words say that the time is on the day of the event: 「夜勤の前、15時に」
 */
export function besideEvent(
  own: Said,
  event: Said | undefined,
  isOfEvent = false,
): { readonly said: Said; readonly isSure: boolean } {
  const isTimed = own.hour !== undefined || own.part !== undefined
  if (isRelative(own)) {
    if (!event) return { said: own, isSure: false }
    // An hour before a day is none; the day before five o'clock is at an unknown time.
    const isSure =
      own.shift?.ms === undefined
        ? isOfDay(event) && event.after === undefined && (isTimed || event.hour === undefined)
        : event.hour !== undefined || event.part !== undefined
    return { said: { ...(isTimed ? withoutTime(event) : event), ...own }, isSure }
  }
  if (!event || isOfDay(own) || own.weekdays) return { said: own, isSure: true }
  const inHalf = own.sure || own.part || !event.part ? own : { ...own, part: event.part }
  const isBefore = isShortlyBefore(inHalf, event)
  const isToday = !isOfDay(event) || event.days === 0
  return { said: { ...withoutTime(event), ...(isBefore ? inHalf : own) }, isSure: isToday || isBefore || isOfEvent }
}

const withoutTime = ({ hour, minute, sure, before, part, shift, ...day }: Said): Said => day

/** The start of a day, to compare two times of the clock. */
const ANY_DAY = { now: Date.UTC(2001, 0, 1), zone: 'UTC' }

/** Milliseconds from the start of a day. */
function clockOf({ hour, minute = 0, sure = false, part }: Said): number | undefined {
  if (hour === undefined) return undefined
  const found = resolve({ hour, minute, sure, ...(part && { part }) }, ANY_DAY)
  return 'at' in found ? found.at - ANY_DAY.now : undefined
}

/** Whether a time of the clock is at most three hours before that of an event. */
function isShortlyBefore(one: Said, event: Said): boolean {
  const [at = Number.NaN, other = Number.NaN] = [clockOf(one), clockOf(event)]
  return other > at && other - at <= 3 * HOUR
}
