// postgres: a whole evening of the bot
/** A whole evening with all kinds of events and faults. */

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from 'kikimimi'
import { openTestDatabase, testRounds, testServer } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { seededRandom } from '../core/base/random.ts'
import { openDatabase } from '../core/storage/database/database.ts'
import { answered, codewords, type Line, writeScript } from './evening/script.ts'
import { type Stage, setStage } from './evening/stage.ts'
import { silent, until } from './support.ts'

const LINES = 200
const REPLIES = new Set([25, 62, 95, 135, 180, 195])
const THIRD = 67

const { rounds, seed: first } = testRounds({ few: 1, all: 5 })
const seeds = Array.from({ length: rounds }, (_, index) => first + index)

const POST = 'POST /channels/:id/messages'

/** Events before the line of this number. */
const EVENTS: Readonly<Record<number, (stage: Stage) => void>> = {
  20: ({ slack }) => slack.fail('chat.postMessage', { status: 500, done: true }),
  30: ({ discord }) => discord.cut('socket'),
  40: ({ gemini }) => void gemini.faults.push('slow'),
  45: ({ discord }) => discord.fail(POST, { status: 500, afterwards: true }),
  50: ({ gemini }) => gemini.release(),
  75: ({ discord }) => discord.cut('reconnect'),
  80: ({ slack }) => slack.refresh(),
  88: ({ slack }) => void slack.redeliver(8),
  100: ({ discord }) => discord.cut('invalid'),
  120: ({ slack }) => slack.fail('chat.postMessage', { rateLimit: true, retryAfter: 1 }),
  140: ({ slack }) => slack.refresh(),
  150: ({ discord }) => discord.down(true),
  162: ({ discord }) => discord.down(false),
  170: ({ discord }) => discord.fail(POST, { status: 429, retryAfter: 0.5 }),
}

/** The database of the bot: a folder, or the server of TEST_DATABASE_URL. */
async function openHome(folder: string) {
  return testServer() ? openTestDatabase() : openDatabase(folder, { log: silent, clock: systemClock })
}

test.each(seeds)('an evening with three people on two platforms and faults everywhere (seed %i)', async seed => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-evening-'))
  await using opened = new AsyncDisposableStack()
  const db = opened.adopt(await openHome(join(scratch.path, 'data')), one => one.close())
  const stage = opened.use(await setStage(db, seed))
  const { discord, slack, gemini, bot } = stage

  const lines = writeScript(LINES, REPLIES, seed)
  const calling = (upto: number) => lines.filter(({ number, kind }) => number <= upto && kind !== 'chat')
  const answers = () => stage.posts().flatMap(({ text }) => answered(text))
  const areAnswered = (asked: readonly Line[]) => {
    const marks = new Set(answers())
    return asked.every(({ mark }) => marks.has(mark))
  }
  const rows = async () => (await db.query<{ text: string; own: boolean }>('select text, own from kikimimi.message')).rows
  const heard = async () => (await rows()).filter(({ own }) => !own)

  /** All mentions are answered, all messages are recorded, and the bot is idle. */
  async function quiet(upto: number): Promise<void> {
    await until(() => areAnswered(calling(upto)))
    await until(async () => (await heard()).length >= upto)
    await bot.drained()
  }

  const random = seededRandom(seed)
  for (const line of lines) {
    const { number, after } = line
    EVENTS[number]?.(stage)
    if (after) await until(() => areAnswered([after]))
    stage.say(line)
    if (number % 10 === 0) stage.say(line)
    await pause(20 + 40 * random())
    if (number === THIRD) await quiet(THIRD)
  }
  await quiet(LINES)

  // Each mention has one answer in its place, and no other message has one.
  expect(answers().toSorted()).toEqual(
    calling(LINES)
      .map(({ mark }) => mark)
      .toSorted(),
  )
  for (const { text, where } of stage.posts()) {
    const homes = await Promise.all(lines.filter(({ mark }) => answered(text).includes(mark)).map(stage.homes))
    expect(homes.flat(), text).toContain(where)
    expect(codewords(text).size, text).toBe(1)
  }

  // Nothing is lost or stored twice, and the bot's messages are recorded.
  expect((await heard()).map(({ text }) => /\w+-\d+/.exec(text)?.[0]).toSorted()).toEqual(
    lines.map(({ mark }) => mark).toSorted(),
  )
  const own = (await rows()).filter(one => one.own).map(({ text }) => text)
  expect(own.toSorted()).toEqual(
    stage
      .posts()
      .map(({ text }) => text)
      .toSorted(),
  )

  // No text of one place was shown to the model in another.
  expect(gemini.calls.filter(({ body }) => codewords(JSON.stringify(body)).size !== 1)).toEqual([])

  // People noticed no fault.
  const traces = await bot.traces(10_000)
  expect(traces.filter(({ outcome, problems }) => outcome === 'failed' || problems.length > 0)).toEqual([])
  expect(traces.filter(({ outcome, addressed }) => outcome === 'replied' && !addressed)).toEqual([])
  expect((await db.query(`select * from kikimimi.delivery where state <> 'sent'`)).rows).toEqual([])
  expect(await bot.turns.state()).toMatchObject({ due: 0, active: 0 })
  expect(stage.errors).toEqual([])

  // All faults happened.
  const gateway = discord.calls.flatMap(({ path, method }) => (path === '/gateway' ? method : []))
  expect(gateway.filter(method => method === 'RESUME').length).toBeGreaterThanOrEqual(2)
  expect(gateway.filter(method => method === 'IDENTIFY').length).toBeGreaterThanOrEqual(2)
  expect(slack.connections).toBe(3)
  const attempts = traces.flatMap(({ models }) => models.map(one => one.attempts))
  expect(attempts.filter(count => count > 1).length / gemini.calls.length).toBeGreaterThan(0.15)
})
