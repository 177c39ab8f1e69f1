/** The tool with which a model sets a reminder that the rules do not recognise. */

import { dayText, fromWall, MINUTE, nextTime, type Repeat, startOfDay, toWall, weekdayOf } from '@kikimimi/times'
import { KikimimiError, languageOf, type MessageSource, type Tool, type Turn, turnSources } from 'kikimimi'
import { z } from 'zod'
import type { Executor } from './executor.ts'
import type { Reminders } from './store.ts'

const schema = z.object({
  at: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
    .describe('The local time, such as 2026-03-12T09:00. If you are not sure which one is meant, ask instead.'),
  what: z.string().trim().min(1).max(300).describe('What to say at that time, in the words of the person.'),
  repeat: z.enum(['no', 'day', 'workday', 'week', 'month', 'year']).default('no').describe('How it repeats from that time on.'),
  promise: z
    .boolean()
    .default(false)
    .describe('True: it is no reminder; you promise to come back to `what` yourself at that time.'),
})

export function setReminder(executor: Executor, reminders: Reminders): Tool {
  return {
    name: 'set_reminder',
    description:
      'Reminds people in this conversation at a time, once or again and again. Only when the person who speaks to you asks for it, or when you promise to come back to something later.',
    schema,
    isOrder: true,
    offered: turn => turn.addressed !== undefined,
    async invoke(input: unknown, { turn }: { turn?: Turn } = {}) {
      if (!turn)
        throw new KikimimiError(
          'ARGUMENT_INVALID',
          'set_reminder works only in a conversation: pass the turn to the model request.',
        )
      const { at, what, repeat, promise } = schema.parse(input)
      const { conversation, message } = turn
      const here = executor.nowIn(conversation)
      const { now, zone } = here
      const wall = Date.parse(`${at}:00Z`)
      const instant = fromWall(wall, zone)
      const clock = new Date(toWall(now, zone)).toISOString().slice(0, 16)
      if (Number.isNaN(wall) || instant <= now) return `Not set: that time has passed. It is now ${clock} (${zone}).`
      const locale = languageOf([message], languageOf(turn.history, 'en'))
      const sources = sourcesOf(turn, what)
      const asked = { conversation, person: message.author, message: message.id, locale, sources }
      if (promise) {
        if (await reminders.hasPromise(conversation)) return 'Not set: you have promised something here already.'
        await executor.add(asked, { at: instant }, what, { kind: 'promise' })
        return `Set: you come back to it at ${at} (${zone}).`
      }
      const repeats = repeat === 'no' ? undefined : repeatOf(repeat, wall)
      const first = repeats ? nextTime(repeats, instant - 1, zone, here.isHoliday) : instant
      if (first === undefined) return 'Not set: there is no such day.'
      const when = { at: first, ...(repeats && { repeat: repeats }) }
      const { text } = await executor.execute({ kind: 'set', isSure: true, wanted: [{ when, content: what }] }, asked)
      return `${text}\nIt is now ${clock} (${zone}).`
    },
  }
}

/** What the words can come from besides the message that asks. Nothing, if all of them are in it. */
function sourcesOf(turn: Turn, what: string): readonly MessageSource[] {
  const { id, text } = turn.message
  const said = text.toLowerCase()
  if (what.split(/\s+/).every(word => said.includes(word.toLowerCase()))) return []
  return turnSources(turn).map(one =>
    'messages' in one ? { ...one, messages: one.messages.filter(other => other !== id) } : one,
  )
}

function repeatOf(unit: 'day' | 'workday' | 'week' | 'month' | 'year', wall: number): Repeat {
  const day = new Date(wall)
  return {
    ...{ unit, n: 1, minutes: (wall - startOfDay(wall)) / MINUTE, from: dayText(wall) },
    ...(unit === 'week' && { weekdays: [weekdayOf(wall)] }),
    ...((unit === 'month' || unit === 'year') && { date: day.getUTCDate() }),
    ...(unit === 'year' && { month: day.getUTCMonth() + 1 }),
  }
}
