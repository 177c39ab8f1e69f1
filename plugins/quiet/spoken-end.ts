/** How long the bot shall be quiet, in words: "for half an hour", "until three", 「今日は」. */
import { fromWall, resolve, type Said, startOfDay, TIME_READERS, toWall } from '@kikimimi/times'
import { BY_LOCALE, LANGUAGES, type Language } from './language.ts'

/**
 * When a mute ends, as the words say it. `unknown`: at an event, such as "until the meeting ends". `unclear`: at a time that the bot does not
 * understand.
 */
export type End = { readonly ms: number } | Said | 'today' | 'unknown' | 'unclear'

export interface Told {
  /** The text without the end. */
  readonly rest: string
  /** Absent: the text names none. */
  readonly end?: End
}

const DAY = 24 * 60 * 60_000

/** @param text in lower case and folded width */
export function takeEnd(text: string): Told {
  for (const [locale, language] of BY_LOCALE) {
    const told = untilIn(text, locale, language)
    if (told) return told
  }
  const { rest, ms } = takeDuration(text)
  if (ms !== undefined) return { rest, end: ms > 0 ? { ms } : 'unclear' }
  for (const { today } of LANGUAGES) if (today.test(text)) return { rest: text.replace(today, ' '), end: 'today' }
  return { rest: text }
}

function untilIn(text: string, locale: string, { until }: Language): Told | undefined {
  const reader = TIME_READERS.get(locale)
  const match = until.pattern.exec(text)
  if (!reader || !match) return undefined
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  const event = until.isBefore ? after : before
  if (until.open.test(event))
    return until.isBefore ? undefined : { rest: `${before.slice(0, before.length - lastClause(before).length)} ${after}` }
  if (until.isBefore) {
    const found = reader.phrase(`${reader.at}${after.trimStart()}`, 0)
    if (found) return { rest: `${before} ${after.trimStart().slice(found.end - reader.at.length)}`, end: found.said }
    const [clause = ''] = after.split(/[,.;!?](?!\d)/u)
    return { rest: `${before} ${after.slice(clause.length)}`, end: unread(clause) }
  }
  for (let at = 0; at < before.length; at++) {
    const found = reader.phrase(before, at)
    if (found?.end === before.length) return { rest: `${before.slice(0, at)} ${after}`, end: found.said }
  }
  const clause = lastClause(before)
  return { rest: `${before.slice(0, before.length - clause.length)} ${after}`, end: unread(clause) }
}

const lastClause = (text: string) => text.split(/[、。!?\n]/u).at(-1) ?? ''

/** What the text says without its times. */
export function withoutTimes(text: string): string {
  for (const { phrase, isUnspaced } of TIME_READERS.values()) {
    for (let at = 0; at < text.length; at++) {
      if (!isUnspaced && at > 0 && !/[\s,]/u.test(text[at - 1] ?? '')) continue
      const found = phrase(text, at)
      if (found)
        return withoutTimes(`${text.slice(0, at)} ${text.slice(found.end).replace(/^\s*(?:から|は|to|-|–|and)\s*/u, '')}`)
    }
  }
  return text
}

const unread = (clause: string): End => (/\d/.test(clause) ? 'unclear' : 'unknown')

/** `ms`: absent if the text has no duration. */
function takeDuration(text: string): { readonly rest: string; readonly ms: number | undefined } {
  let ms: number | undefined
  let rest = text
  for (const { duration } of LANGUAGES) {
    rest = rest.replace(duration.pattern, (whole, ...groups: (string | undefined)[]) => {
      const length = duration.ms(groups)
      if (length !== undefined) ms = length > 0 && (ms ?? 1) > 0 ? (ms ?? 0) + length : 0
      // What follows is another clause: "shush for 10 min we are recording".
      return length === undefined ? whole : ' , '
    })
  }
  return { rest, ms }
}

/**
 * The instant of an end, in milliseconds since the epoch. Undefined: the words name none that is still to come.
 *
 * @param now when it was said
 * @param zone the time zone of the place
 */
export function instantOf(end: End, now: number, zone: string): number | undefined {
  if (end === 'unknown' || end === 'unclear') return undefined
  if (end === 'today') return fromWall(startOfDay(toWall(now, zone)) + DAY, zone)
  if ('ms' in end) return now + end.ms
  const found = resolve(end, { now, zone })
  if (!('at' in found) || found.repeat || found.isOpen) return undefined
  // "Until the end of the month"
  return end.date === 'last' && end.hour === undefined ? fromWall(startOfDay(toWall(found.at, zone)) + DAY, zone) : found.at
}
