import type { BotConfig } from '../../api/config.ts'
import { definePlugin, type Message, type Outcome, type PluginContext, type Reply, type Turn } from '../../api/index.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { type Bot, startBot } from '../../bot/bot.ts'
import { openTestDatabase } from '../test-database.ts'
import type { How, PlatformHarness, Seen } from './harness.ts'

/** One thing that every platform keeps to. */
export interface Check {
  /** A sentence about the bot. */
  readonly name: string
  /** Why it does not concern a platform; nothing when it does. */
  readonly skip?: (harness: PlatformHarness) => string | false
  /** Whether the bot's memory outlives it. */
  readonly durable?: boolean
  /** Rejects when the platform does not keep to it. */
  run(stage: Stage): Promise<void>
}

type Answer = Reply | undefined | Promise<Reply | undefined>

/** A whole bot on a platform. It answers who calls it, and who begins with `hmm`; its name is `kiki`. */
export interface Stage {
  readonly harness: PlatformHarness
  /** What it has thought about, oldest first. */
  readonly turns: readonly Turn[]
  /** How its turns have ended, silent ones too. When it is told of here, the turn has done all it does. */
  readonly outcomes: readonly Outcome[]
  /** What the bot that is running has heard of others. */
  readonly heard: readonly string[]
  /** What it remembers of the conversation of a turn. */
  memory(turn: Turn): Promise<readonly Message[]>
  /** What it answers from now on. At first: `hello back`. */
  answer(make: (turn: Turn) => Answer): void
  /** It thinks until the returned promise is settled. */
  think(): PromiseWithResolvers<Reply | undefined>
  say(author: string, text: string, how?: Partial<How>): Promise<string>
  /** Alice mentions it. */
  ask(text: string, how?: Omit<How, 'mention'>): Promise<string>
  /** The bot's messages that people see, once there are so many. */
  seen(count: number): Promise<readonly Seen[]>
  /** Waits until no turn runs or will. */
  quiet(): Promise<void>
  /** Waits until it holds. Rejects when it does not for too long. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>
  stop(): Promise<void>
  start(config?: Partial<BotConfig>): Promise<void>
}

/** Milliseconds. The clients of some platforms wait seconds before they connect again. */
const PATIENCE = 10_000
/** A bot that takes longer to stop is killed by who supervises it. */
const STOP = 5_000
/** Longer waits of the kernel pass at once when the bot stops: it gives turns 20 s to end. */
const LONG = 10_000

/**
 * Runs a check on a platform of its own. Resolves with the reason when it does not concern the platform; rejects when
 * the platform does not keep to it.
 */
export async function perform(
  check: Check,
  open: () => Promise<PlatformHarness>,
  patience = PATIENCE,
): Promise<string | undefined> {
  await using scope = new AsyncDisposableStack()
  const harness = scope.adopt(await open(), opened => opened.close())
  const skipped = check.skip?.(harness)
  if (skipped) return skipped
  const db = check.durable ? scope.adopt(await openTestDatabase(), opened => opened.close()) : undefined
  await check.run(scope.use(await openStage(harness, { db, patience })))
  return undefined
}

interface StageOptions {
  readonly db: Awaited<ReturnType<typeof openTestDatabase>> | undefined
  readonly patience: number
}

async function openStage(harness: PlatformHarness, { db, patience }: StageOptions): Promise<Stage & AsyncDisposable> {
  const turns: Turn[] = []
  const outcomes: Outcome[] = []
  const complaints: string[] = []
  let heard: string[] = []
  let make: (turn: Turn) => Answer = () => ({ kind: 'text', text: 'hello back' })
  let ctx: PluginContext | undefined
  let stopping = false
  let bot: Bot | undefined

  const clock: Clock = {
    ...systemClock,
    setTimeout: (run, ms) => systemClock.setTimeout(run, stopping && ms >= LONG ? 0 : ms),
  }
  const log = createLogger({ level: 'warn', format: 'lines', write: line => void complaints.push(line), clock })

  async function start(config: Partial<BotConfig> = {}): Promise<void> {
    const hears: string[] = []
    const mind = definePlugin({
      name: 'contract',
      setup: lent => {
        ctx = lent
        return {
          filter: ({ text }) => void hears.push(text),
          address: ({ text }) => (text.startsWith('kiki,') ? 'name' : undefined),
          decide: ({ message }) => (message.text.startsWith('hmm') ? { kind: 'full', why: 'wants to' } : undefined),
          respond(turn) {
            turns.push(turn)
            return make(turn)
          },
          after: (_turn, { outcome }) => void outcomes.push(outcome),
        }
      },
    })
    heard = hears
    stopping = false
    bot = await startBot(
      {
        persona: { name: 'kiki' },
        database: false,
        apology: false,
        pacing: { minWait: '50ms', jitter: 0 },
        plugins: [harness.plugin, mind],
        ...harness.config,
        ...config,
      },
      { clock, log, env: {}, ...(db && { db, jobClock: systemClock }) },
    )
  }

  async function until(what: string, holds: () => boolean | Promise<boolean>, limit = patience): Promise<void> {
    const end = performance.now() + limit
    while (!(await holds())) {
      if (performance.now() > end) throw new Error([`waited ${limit / 1_000} s in vain: ${what}`, ...complaints].join('\n'))
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }

  async function stop(): Promise<void> {
    stopping = true
    let stopped = false
    const ending = bot?.stop().finally(() => {
      stopped = true
    })
    await Promise.race([ending, until('the bot has stopped', () => stopped, Math.min(STOP, patience))])
  }

  await start()
  return {
    harness,
    turns,
    outcomes,
    get heard() {
      return heard
    },

    memory: async ({ conversation }) => ctx?.history(conversation) ?? [],

    answer(next) {
      make = next
    },

    think() {
      const thought = Promise.withResolvers<Reply | undefined>()
      make = () => thought.promise
      return thought
    },

    say: async (author, text, how) => (await harness.say(author, text, { mention: false, ...how })) ?? '',
    ask: async (text, how) => (await harness.say('alice', text, { mention: true, ...how })) ?? '',

    async seen(count) {
      await until(`people see message ${count} of the bot`, () => harness.seen().length >= count)
      return harness.seen()
    },

    quiet: async () => bot?.drained(),
    until: (what, holds) => until(what, holds),
    stop,
    start,
    // A check that has seen it fail to stop has said so.
    [Symbol.asyncDispose]: async () => (stopping ? undefined : stop()),
  }
}
