/** Tells reminders at their time, once each over all processes, and plans the next time of those that repeat. */

import { HOUR, type IsHoliday, MINUTE, nextTime, type Repeat } from '@kikimimi/times'
import { KikimimiError, MessageLog, type Person, type PluginContext } from 'kikimimi'
import type { Composed } from './compose.ts'
import type { Reminder, Reminders } from './store.ts'
import { texts } from './texts.ts'
import type { Unsaid } from './unsaid.ts'
import { formatWhen } from './when.ts'

/** Told this much later, a reminder says so. */
const LATE = 2 * MINUTE

/** Told this much later, it is missed. */
const MISSED = 12 * HOUR

/** The clock of the database, which decides what is due, can be ahead of the one of the process. */
const AHEAD = 5_000

/** A reminder waits this long for a platform that takes no messages. */
const WAITS = HOUR

/** After this time a reminder that could not be told is tried again. */
const AGAIN = HOUR

/** Messages of the bot among which one that had to wait is looked for. */
const LOOKED = 200

export interface Telling {
  /** Plans when it is told. Inside a transaction it commits with it. */
  plan(reminder: Pick<Reminder, 'id' | 'at'>): Promise<void>
}

export interface TellingDeps {
  readonly ctx: Pick<PluginContext, 'clock' | 'job' | 'log' | 'send' | 'use'>
  readonly reminders: Reminders
  readonly unsaid: Unsaid
  readonly isHoliday: IsHoliday | undefined
  /** What a model writes about the bot's own promise. Nothing: it cannot. */
  followUp(reminder: Reminder, signal: AbortSignal): Promise<Composed | undefined>
}

/** Another process has told it, or a person has moved or cancelled it. */
class Gone extends Error {}

export function createTelling({ ctx, reminders, unsaid, isHoliday, followUp }: TellingDeps): Telling {
  const { clock } = ctx
  const job = ctx.job<{ id: number }>('tell', async ({ id }, signal) => {
    const reminder = await reminders.get(id)
    if (!reminder || reminder.at.getTime() > clock.now() + AHEAD) return
    try {
      await tell(reminder, signal)
    } catch (error) {
      // The queue gives up after a few attempts.
      await planAgain(id)
      throw error
    }
  })
  /** Whether the platform took a message that had to wait. */
  const look = ctx.job<{ id: number; since: number }>('look', async ({ id, since }) => {
    const reminder = await reminders.stored(id)
    if (!reminder) return
    const said = await ctx.use(MessageLog).read({
      ...{ readers: 'operator', conversations: [reminder.conversation], own: true, since: new Date(since), limit: LOOKED },
    })
    if (said.some(({ text }) => text.includes(reminder.content))) return unsaid.told(reminder)
    await unsaid.tell(reminder, 'failed', await reminders.sources([reminder]))
  })
  const plan: Telling['plan'] = ({ id, at }) => job.schedule({ id }, { at, key: String(id) })
  const planAgain = (id: number) => plan({ id, at: new Date(clock.now() + AGAIN) })

  async function tell(reminder: Reminder, signal: AbortSignal): Promise<void> {
    const { id, place, repeat, zone, target } = reminder
    const own = await reminders.sources([reminder])
    if (target !== null && (await reminders.refuses({ platform: place.platform, id: target }))) {
      await unsaid.tell(reminder, 'refuses', own)
      return void (await reminders.remove(reminder))
    }
    const written = reminder.kind === 'promise' ? await followUp(reminder, signal) : undefined
    const now = clock.now()
    const next = repeat ? following(repeat, reminder.at.getTime(), now, zone, isHoliday) : undefined
    const about = { reminder: id, conversation: reminder.conversation }
    let isMarked = false
    const also = async () => {
      if (next === undefined) {
        // What has words of others is not kept.
        const isKept = reminder.kind === 'reminder' && !repeat && own.length <= 1
        const isTold = !isKept ? await reminders.remove(reminder) : await reminders.told(reminder, new Date(now))
        if (!isTold) throw new Gone()
      } else {
        const at = new Date(next)
        if (!(await reminders.move(reminder, at, repeat, { told: new Date(now) }))) throw new Gone()
        await plan({ id, at })
      }
      isMarked = true
    }
    const post = ({ text, sources }: Composed) =>
      ctx.send(
        place,
        { kind: 'text', text },
        { sources: [...own, ...sources], until: new Date(now + WAITS), notify: notified(reminder), also },
      )
    const plain = { text: textOf(reminder, now), sources: [] }
    try {
      const ids = await post(written ?? plain).catch(error => (written && isLost(error) ? post(plain) : Promise.reject(error)))
      if (ids.length > 0) await unsaid.told(reminder)
      else await look.schedule({ id, since: now }, { at: new Date(now + WAITS + AGAIN), key: String(id) })
    } catch (error) {
      if (error instanceof Gone) return
      const code = error instanceof KikimimiError ? error.code : undefined
      if (code === 'SOURCES_LOST') {
        ctx.log.info('a reminder is dropped, because its message is gone or not to be remembered', about)
        return void (await reminders.remove(reminder))
      }
      if (code === 'HALTED') {
        ctx.log.info('a reminder waits until STOP is over', about)
        await unsaid.tell(reminder, 'halted', own)
        return planAgain(id)
      }
      if (code !== 'SEND_FAILED') throw error
      if (isMarked) {
        ctx.log.warn('a reminder was not taken by the platform', about)
        await unsaid.tell(reminder, 'failed', own)
        if (next !== undefined) await reminders.failed(id, reminder.failed + 1)
        return
      }
      ctx.log.warn('a reminder is dropped, because other people can read its conversation now', about)
      await unsaid.tell(reminder, 'readers', own)
      await reminders.remove(reminder)
    }
  }

  return { plan }
}

/** Those whom it is for. What the bot promised is no reminder. */
function notified({ kind, author, authorName, target, targetName }: Reminder): readonly Person[] {
  if (kind === 'promise') return []
  return [target !== null && targetName !== null ? { id: target, name: targetName } : { id: author, name: authorName }]
}

const isLost = (error: unknown) => error instanceof KikimimiError && error.code === 'SOURCES_LOST'

function textOf({ kind, locale, authorName, targetName, content: words, at, zone }: Reminder, now: number): string {
  const say = texts(locale)
  if (kind === 'promise') return say('promise', { content: words })
  const name = targetName ?? authorName
  const content = targetName === null ? words : say('from', { content: words, author: authorName })
  const late = now - at.getTime()
  if (late <= LATE) return say('tell', { name, content })
  return say(late <= MISSED ? 'tellLate' : 'tellMissed', { name, content, when: formatWhen(at, zone, locale) })
}

/** The next time that has not passed. What was missed is told once. */
function following(repeat: Repeat, at: number, now: number, zone: string, isHoliday: IsHoliday | undefined): number | undefined {
  const { unit, n } = repeat
  if (unit !== 'minute' && unit !== 'hour') return nextTime(repeat, Math.max(at, now), zone, isHoliday)
  const step = n * (unit === 'hour' ? HOUR : MINUTE)
  return at + step * Math.max(1, Math.floor((now - at) / step) + 1)
}
