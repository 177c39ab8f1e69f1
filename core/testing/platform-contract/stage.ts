import type { BotConfig } from '../../api/config.ts'
import {
  Channels,
  type Conversation,
  definePlugin,
  type FileContents,
  Files,
  type Message,
  type Outcome,
  type PluginContext,
  type Reply,
  type Turn,
} from '../../api/index.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import type { Bot } from '../../bot/bot-type.ts'
import type { OpenDatabase } from '../../storage/database/open-database.ts'
import { lendTestDatabase } from '../bot-database.ts'
import type { How, PlatformHarness, Seen } from './harness.ts'

/** One check of the contract. */
export interface Check {
  /** The check, as a sentence about the bot. */
  readonly name: string
  /** Why the check does not apply to a platform; nothing when it does. */
  readonly skip?: (harness: PlatformHarness) => string | false
  /** Whether the bot has a database, which survives a restart. */
  readonly durable?: boolean
  /** Rejects when the platform violates the contract. */
  run(stage: Stage): Promise<void>
}

type Answer = Reply | undefined | Promise<Reply | undefined>

/** A whole bot on a platform. It answers mentions, and messages that begin with `hmm`. Its name is `kiki`. */
export interface Stage {
  readonly harness: PlatformHarness
  /** The turns of the bot, oldest first. */
  readonly turns: readonly Turn[]
  /** How turns ended, silent ones too. An entry appears when its turn has done everything. */
  readonly outcomes: readonly Outcome[]
  /** The recorded messages of others, of the running bot. */
  readonly heard: readonly string[]
  /** The recorded messages of the conversation of a turn. */
  memory(turn: Turn): Promise<readonly Message[]>
  /** The answer from now on. At first: `hello back`. */
  answer(make: (turn: Turn) => Answer): void
  /** Turns last until the returned promise settles. */
  think(): PromiseWithResolvers<Reply | undefined>
  say(author: string, text: string, how?: Partial<How>): Promise<string>
  /** Alice mentions the bot. */
  ask(text: string, how?: Omit<How, 'mention'>): Promise<string>
  /** The bot's messages that people see, when there are this many. */
  seen(count: number): Promise<readonly Seen[]>
  /** Waits until no turn runs or is due. */
  quiet(): Promise<void>
  /** Waits until the condition holds. Rejects after a time limit. */
  until(what: string, holds: () => boolean | Promise<boolean>): Promise<void>
  /** What the bot reads of the files of the message of a turn. */
  read(turn: Turn): Promise<FileContents>
  /** The channel of a name, as plugins find it. */
  find(name: string): Promise<Conversation>
  /** The texts of the pinned messages of the channel of a name, the latest pin first, as plugins read them. */
  pins(name: string): Promise<readonly string[]>
  stop(): Promise<void>
  start(config?: Partial<BotConfig>): Promise<void>
}

/** Milliseconds. Clients of some platforms wait seconds before they connect again. */
const PATIENCE = 10_000
/** Milliseconds: a supervisor kills a bot that takes longer to stop. */
const STOP = 5_000
/** Longer waits of the kernel pass at once when the bot stops: it gives turns 20 s to end. */
const LONG = 10_000

/**
 * Runs a check on a new platform. Resolves with the reason when it does not apply to the platform. Rejects when the
 * platform violates the contract.
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
  const hasDatabase = check.durable || typeof harness.config?.database === 'string'
  const db = hasDatabase ? scope.use(await lendTestDatabase([harness.plugin])).db : undefined
  await check.run(scope.use(await openStage(harness, { db, patience })))
  return undefined
}

interface StageOptions {
  readonly db: OpenDatabase | undefined
  readonly patience: number
}

async function openStage(harness: PlatformHarness, { db, patience }: StageOptions): Promise<Stage & AsyncDisposable> {
  const turns: Turn[] = []
  const outcomes: Outcome[] = []
  const complaints: string[] = []
  let heard: string[] = []
  let make: (turn: Turn) => Answer = () => ({ kind: 'text', text: 'hello back' })
  let ctx: PluginContext | undefined
  let channels: Channels | undefined
  let files: Files | undefined
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
      needs: [Channels, Files],
      setup: lent => {
        ctx = lent
        channels = lent.use(Channels)
        files = lent.use(Files)
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

    async read({ conversation, message }) {
      if (!files) throw new TypeError('the bot has not started')
      return files.read(conversation, message.attachments)
    },

    async find(name) {
      if (!channels) throw new TypeError('the bot has not started')
      return channels.find(name)
    },

    async pins(name) {
      if (!channels) throw new TypeError('the bot has not started')
      const found = await channels.pins(await channels.find(name), AbortSignal.timeout(patience))
      return (found ?? []).map(({ text }) => text)
    },

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
    // A check that saw the bot fail to stop has reported it.
    [Symbol.asyncDispose]: async () => (stopping ? undefined : stop()),
  }
}
