/** The commands `/kiki quiet` and `/kiki talk`. They do the same as the requests in words. */
import { type ChatCommand, channelOf, type Locale } from 'kikimimi'
import type { Mutes } from './mutes.ts'
import type { createMuting, Muting } from './muting.ts'
import { takeEnd } from './spoken-end.ts'
import { texts } from './texts.ts'

const MINUTE = 60_000

/** A duration in words: `an hour`, `90 minutes`. */
export function lengthOf(ms: number, locale: Locale): string {
  const minutes = minutesOf(ms)
  return minutes % 60 === 0 ? texts(locale)('hours', { count: minutes / 60 }) : texts(locale)('minutes', { count: minutes })
}

/** Whole minutes, at least one. */
function minutesOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / MINUTE))
}

/** What the bot says when it becomes quiet. */
export function quietText({ until, zone, says }: Muting, now: number, locale: Locale): string {
  const say = texts(locale)
  const length = lengthOf(until - now, locale)
  const time = timeOf(until, now, zone, locale)
  if (says === 'asks') return say('asks')
  if (says === 'length' || says === 'unknown') return say(says === 'length' ? 'quiet' : 'quietUnknown', { length })
  return say(says === 'time' ? 'quietUntil' : 'quietAtMost', { time })
}

/** `15:00`, or with the day if it is another one. */
function timeOf(at: number, now: number, zone: string, locale: Locale): string {
  const show = (style: Intl.DateTimeFormatOptions, time: number) =>
    new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { ...style, timeZone: zone, hourCycle: 'h23' }).format(time)
  const isToday = show({ dateStyle: 'short' }, at) === show({ dateStyle: 'short' }, now)
  return show(isToday ? { timeStyle: 'short' } : { dateStyle: 'full', timeStyle: 'short' }, at)
}

export interface CommandsOptions {
  readonly mutes: Mutes
  readonly mutedUntil: ReturnType<typeof createMuting>
  now(): number
}

export function commands({ mutes, mutedUntil, now }: CommandsOptions): readonly ChatCommand[] {
  const told = (text: string) => takeEnd(text.normalize('NFKC').toLowerCase())
  return [
    {
      name: 'quiet',
      names: texts.all('command.quiet.name'),
      does: texts.all('command.quiet'),
      usage: '[for]',
      permission: 'moderator',
      // "/kiki quiet please" is a message to the bot, which understands it as a request.
      takes(text) {
        const { rest, end } = told(text)
        return text === '' || (end !== undefined && end !== 'unknown' && end !== 'unclear' && rest.replace(/[\s,]/g, '') === '')
      },
      async run({ conversation, text, locale }) {
        const { end } = told(text)
        const muting = mutedUntil(conversation, { message: { at: new Date(now()) }, ...(end !== undefined && { end }) })
        if (muting.says !== 'asks') await mutes.mute(channelOf(conversation), muting.until)
        return quietText(muting, now(), locale)
      },
    },
    {
      name: 'talk',
      names: texts.all('command.talk.name'),
      does: texts.all('command.talk'),
      permission: 'moderator',
      applies: async conversation => (await mutes.left(channelOf(conversation))) > 0,
      async run({ conversation, locale }) {
        await mutes.lift(channelOf(conversation))
        return texts(locale)('talk')
      },
    },
  ]
}
