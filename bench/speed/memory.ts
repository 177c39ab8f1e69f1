/**
 * The cost of memory: calls and tokens of the models `summary` and `reflection` for 1,000 messages of a lively and of a
 * slow channel. The clock is virtual, so hours take seconds. `npm run bench:memory -- [--messages 1000] [FILE]`, where FILE
 * is a chat log (JSON lines) with the texts.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import { calm, startBot } from 'kikimimi'
import { seededRandom } from '../../core/base/random.ts'
import { movedClock } from '../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../core/bot/clock/settled.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { machine, progress } from '../base/measure.ts'
import { benchLog, deafPlatform, line, said } from '../base/talk.ts'
import { counted } from './memory/counted.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { messages: { type: 'string', default: '1000' } } })
const messages = Number(values.messages)
if (!Number.isInteger(messages) || messages < 1) {
  progress(`How many messages? A whole number above 0, got "${values.messages}".`)
  process.exit(2)
}
const texts = positionals.flatMap(textsIn)
const START = new Date('2026-01-05T10:00:00Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND

interface Pace {
  /** The share of all messages: silence takes long. */
  readonly share: number
  /** The messages of one talk, and the time between them. */
  readonly talk: number
  readonly every: number
  /** The silence after a talk. */
  readonly silence: number
}

const PACES: Readonly<Record<'lively' | 'slow', Pace>> = {
  lively: { share: 1, talk: 50, every: 20 * SECOND, silence: 5 * MINUTE },
  slow: { share: 0.25, talk: 12, every: 30 * SECOND, silence: 30 * MINUTE },
}

const results = {
  machine: machine(),
  messages,
  texts: texts.length > 0 ? 'chat log' : 'generated',
  per1000Messages: { lively: await cost(PACES.lively), slow: await cost(PACES.slow) },
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)

async function cost(pace: Pace) {
  const count = Math.ceil(messages * pace.share)
  await using scope = new AsyncDisposableStack()
  const time = movedClock(START)
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const platform = deafPlatform()
  const config = {
    persona: { name: 'kiki' },
    // Turns are not counted here.
    pacing: calm,
    models: { chat: counted },
    plugins: [memorySummary(), facts(), profiles(), reflection()],
  }
  const parts = {
    ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
    platforms: [platform],
  }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = stepsOf(time, db, () => bot.jobs)
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, steps)

  for (let index = 0; index < count; index++) {
    const text = texts[index % texts.length] ?? `${line(index)} (${index})`
    await bot.receive(platform, said(index, 'general', { text, at: new Date(time.clock.now()) }))
    await pass((index + 1) % pace.talk === 0 ? pace.silence : pace.every)
    if ((index + 1) % 100 === 0) progress(`${index + 1} of ${count} messages, ${pace.talk} in each talk`)
  }
  // For jobs that wait until the talk is over.
  await pass(20 * MINUTE)

  const per = (number: number) => Math.round((number * 1_000) / count)
  const { rows } = await db.query<{ facts: number }>('select count(*)::int as facts from facts.fact')
  return {
    messages: count,
    hours: Math.round((time.clock.now() - START.getTime()) / (60 * MINUTE)),
    facts: per(rows[0]?.facts ?? 0),
    models: bot.modelUsage().map(({ role, calls, failed, inputTokens, outputTokens }) => {
      return { role, calls: per(calls), failed, inputTokens: per(inputTokens), outputTokens: per(outputTokens) }
    }),
  }
}

function textsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap(row => {
      const parsed: unknown = row === '' ? undefined : JSON.parse(row)
      return typeof parsed === 'object' && parsed !== null && 'text' in parsed && typeof parsed.text === 'string'
        ? parsed.text
        : []
    })
    .filter(text => text.trim() !== '')
}
