/** One bot of `bench:plugins`: `measured.ts start FOLDER PLUGIN…` or `measured.ts work FOLDER PLUGIN…` prints its figures as JSON. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { estimateTokens, type Plugin, startBot } from 'kikimimi'
import type { ChatModel, GenerateRequest } from 'kikimimi/model'
import { z } from 'zod'
import { seededRandom } from '../../../core/base/random.ts'
import { movedClock } from '../../../core/bot/clock/moved-clock.ts'
import { stepsOf } from '../../../core/bot/clock/settled.ts'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { OPTIONS, untilConnected } from '../../base/added-plugins.ts'
import { heapInUse } from '../../base/heap.ts'
import { round } from '../../base/measure.ts'
import { createRealTime } from '../../base/real-time.ts'
import { benchLog, deafPlatform, line, said } from '../../base/talk.ts'
import { counted } from '../memory/counted.ts'

/** A bot that has just started. */
export interface Started {
  readonly kind: 'start'
  /** Milliseconds from the start of the process, modules included. */
  readonly ms: number
  readonly rssMb: number
  readonly heapMb: number
}

/** A bot at work, on a moved clock. Statements have those of follow-up work in them. */
export interface Worked {
  readonly kind: 'work'
  /** Statements of an idle hour. */
  readonly perHour: number
  /** Statements of a message that does not call the bot, and of one that does. */
  readonly perMessage: number
  readonly perCall: number
  /** Tokens of the request for an answer, tools included (estimated). */
  readonly tokens: number
}

const MESSAGES = 40
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const [kind, folder = '', ...names] = process.argv.slice(2)
const realTime = createRealTime()
const added: readonly { readonly default: (options?: unknown) => Plugin }[] = await Promise.all(
  names.map(name => import(new URL(`../../../plugins/${name}/index.ts`, import.meta.url).href)),
)
const optionsOf = (name: string) => Object.entries(OPTIONS).find(([one]) => one === name)?.[1]
const named = added.map((plugin, at) => realTime.plugin(plugin.default(optionsOf(names[at] ?? ''))))
const plugins = [...named, addressing(), judgeRules(), reply()]
process.stdout.write(JSON.stringify(await (kind === 'start' ? start() : work())))
process.exit()

async function start(): Promise<Started> {
  await using _bot = await startBot(
    { persona: { name: 'kiki' }, models: { chat: counted }, plugins, database: folder },
    {
      env: {},
      platforms: [deafPlatform()],
    },
  )
  const ms = round(performance.now())
  const heapMb = round(heapInUse() / 2 ** 20)
  return { kind: 'start', ms, heapMb, rssMb: round(process.memoryUsage().rss / 2 ** 20) }
}

async function work(): Promise<Worked> {
  const requests: GenerateRequest[] = []
  const model: ChatModel = {
    ...counted,
    async generate(request) {
      if (request.role !== 'chat') return counted.generate(request)
      requests.push(request)
      return { text: 'It is planned for Friday.', toolCalls: [] }
    },
  }
  await using scope = new AsyncDisposableStack()
  const time = movedClock(new Date('2026-01-05T10:00:00Z'))
  const db = scope.adopt(await openDatabase('memory', { log: benchLog, clock: time.clock }), opened => opened.close())
  const platform = deafPlatform()
  const parts = {
    ...{ db, clock: time.clock, jobClock: time.jobClock, random: seededRandom(1), log: benchLog },
    platforms: [platform],
  }
  const config = { persona: { name: 'kiki' }, models: { chat: model }, plugins }
  const bot = scope.use(await startBot(config, { ...parts, supervise: false, env: {} }))
  const steps = realTime.steps(stepsOf(time, db, () => bot.jobs))
  const pass = (ms: number) => time.clock.advance(time.clock.now() + ms, steps)

  let count = 0
  /** Statements for each message, a minute apart, until the work that follows is done. */
  async function eachOf(text: (index: number) => string, more: Parameters<typeof said>[2] = {}): Promise<number> {
    const before = db.statements
    for (let index = 0; index < MESSAGES; index++) {
      const message = said(count++, 'general', { ...more, text: text(index), at: new Date(time.clock.now()) })
      await bot.receive(platform, message)
      await pass(MINUTE)
    }
    await pass(HOUR)
    return db.statements - before
  }
  async function statementsOf(ms: number): Promise<number> {
    const before = db.statements
    await pass(ms)
    return db.statements - before
  }

  // What follows once, such as the reading of files.
  await bot.receive(platform, said(count++, 'general', { at: new Date(time.clock.now()) }))
  await untilConnected(bot)
  await pass(HOUR)
  const whole = MESSAGES * MINUTE + HOUR
  const talk = await eachOf(line)
  const calls = await eachOf(index => `@kiki when is release ${index} planned?`, { mentions: [platform.me] })
  // What follows once a day.
  await pass(24 * HOUR)
  const perHour = (await statementsOf(24 * HOUR)) / 24
  const rest = (perHour * whole) / HOUR
  const answers = requests.filter(({ messages }) => messages.some(({ text }) => text.includes('when is release')))
  const tokens = answers.reduce((sum, request) => sum + tokensOf(request), 0) / answers.length
  return {
    ...{ kind: 'work', perHour: round(perHour), tokens: Math.round(tokens) },
    ...{ perMessage: round((talk - rest) / MESSAGES), perCall: round((calls - rest) / MESSAGES) },
  }
}

function tokensOf({ system, messages, tools = [] }: GenerateRequest): number {
  const described = tools.map(({ name, description, schema }) =>
    JSON.stringify({ name, description, schema: jsonSchema(schema) }),
  )
  return estimateTokens([system, ...messages.map(({ text }) => text), ...described].join('\n'))
}

function jsonSchema(schema: unknown): unknown {
  return schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema
}
