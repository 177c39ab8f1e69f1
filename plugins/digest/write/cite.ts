/** How a digest names a message: who, what, and when, as a link where the platform has addresses. */
import { type Conversation, conversationParts, type Locale, safeLine, safeName } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import type { Said } from '../log/said.ts'

export interface Citing {
  /** `alice: we ship on Friday`, with the channel before it in a digest of several. */
  quote(said: Said, length: number): string
  /** `[14:05](https://…)`, or `(14:05)` without an address. */
  link(said: Said): string
}

export interface CitingOptions {
  readonly platform: Platform | undefined
  readonly locale: Locale
  readonly timeZone: string
  readonly now: Date
  /** Name of an author who is forgotten. */
  readonly someone: string
  /** The digest can be of several channels: each quotation names its own. */
  readonly isWide: boolean
  readonly signal: AbortSignal
}

/** Looks up the addresses of these messages. A message whose address cannot be known is cited by its time. */
export async function citingOf(said: readonly Said[], options: CitingOptions): Promise<Citing> {
  const { platform, locale, timeZone, now, someone, isWide, signal } = options
  const linked = said.map(async one => {
    const url = await platform?.link?.(placeOf(one), one.id, signal)
    return url === undefined ? [] : [[one.seq, url] as const]
  })
  const found = await Promise.allSettled(linked)
  const links = new Map(found.flatMap(one => (one.status === 'fulfilled' ? one.value : [])))
  return {
    quote(one, length) {
      const name = safeName(one.author.name) || someone
      const words = short(safeLine(one.text), length)
      return `${isWide ? `#${safeName(one.place)} ` : ''}${name}: ${words}`
    },
    link(one) {
      const [time, url] = [timeOf(one.at, { locale, timeZone, now }), links.get(one.seq)]
      return url === undefined ? `(${time})` : `[${time}](${url})`
    },
  }
}

/** `14:05` today, with the date before. */
export function timeOf(
  at: Date,
  { locale, timeZone, now }: { readonly locale: Locale; readonly timeZone: string; readonly now: Date },
): string {
  const day = (date: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date)
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const date = day(at) === day(now) ? {} : ({ month: 'short', day: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale, { timeZone, ...date, ...time }).format(at)
}

export function short(text: string, length: number): string {
  const letters = [...text]
  return letters.length > length
    ? `${letters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`
    : text
}

function placeOf({ conversation, place }: Said): Omit<Conversation, 'id'> {
  return { ...conversationParts(conversation), name: place, visibility: 'public' }
}
