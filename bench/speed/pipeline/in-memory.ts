/** The cost of the kernel itself: no database, and plugins that fill every stage and do nothing. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { definePlugin, type IncomingMessage, startBot } from 'kikimimi'
import { flood, heapStep, type Latency, offer, progress, round, slope, spread } from '../../base/measure.ts'
import { benchLog, deafPlatform, said } from '../../base/talk.ts'

const PLUGINS = 20
const CHANNELS = 50
const ROUNDS = 5
/** Messages of one measure. */
const COUNT = 20_000
/** A tenth of the kernel's target. */
const OFFERED = 2_000
const HEAP_MESSAGES = 100_000

const nothing = () => undefined

/** The version that is measured. */
interface Kit {
  readonly startBot: typeof startBot
  readonly definePlugin: typeof definePlugin
}

const here: Kit = { startBot, definePlugin }

const idle = ({ definePlugin }: Kit) =>
  Array.from({ length: PLUGINS }, (_, index) =>
    definePlugin({
      name: `idle-${index}`,
      setup: () => ({
        filter: nothing,
        address: nothing,
        score: nothing,
        decide: nothing,
        context: nothing,
        respond: nothing,
        after: nothing,
      }),
    }),
  )

/**
 * The speeds of another checkout with its packages, and of this one, in turns in one process. `ratio` is this one beside the other in the
 * same round, by the clock and by processor time, which other work on the machine distorts less.
 */
export async function comparedWith(folder: string) {
  const other: Kit = await import(pathToFileURL(createRequire(join(folder, 'bot.config.ts')).resolve('kikimimi')).href)
  await using old = await open(other, idle(other))
  await using now = await open(here, idle(here))
  const rounds: { [S in keyof Speeds]: { old: Rate; now: Rate } }[] = []
  for (let count = 0; count <= ROUNDS; count++) {
    progress(`beside ${folder}: round ${count} of ${ROUNDS}`)
    const one = {
      ignored: await inTurns(bot => bot.flooded({})),
      addressed: await inTurns(bot => bot.flooded(MENTION)),
      ignoredATurnEach: await inTurns(bot => bot.aTurnEach({})),
      addressedATurnEach: await inTurns(bot => bot.aTurnEach(MENTION)),
    }
    if (count > 0) rounds.push(one)
  }

  async function inTurns(run: (bot: MemoryBot) => Promise<Rate>): Promise<{ old: Rate; now: Rate }> {
    return { old: await run(old), now: await run(now) }
  }

  const measured = (of: keyof Speeds) => {
    const all = rounds.map(one => one[of])
    return {
      old: spread(all.map(({ old }) => old.perSecond)),
      now: spread(all.map(({ now }) => now.perSecond)),
      ratio: spread(all.map(({ old, now }) => round(now.perSecond / old.perSecond))),
      ratioOfProcessorTime: spread(all.map(({ old, now }) => round(now.perCpuSecond / old.perCpuSecond))),
    }
  }
  return {
    ignored: measured('ignored'),
    addressed: measured('addressed'),
    ignoredATurnEach: measured('ignoredATurnEach'),
    addressedATurnEach: measured('addressedATurnEach'),
  }
}

export async function inMemory() {
  await using full = await open(here, idle(here))
  await using bare = await open(here, [])
  const speeds: Speeds[] = []
  const latencies: { full: Latency; bare: Latency }[] = []
  // The first round is a warm-up for the compiler.
  for (let round = 0; round <= ROUNDS; round++) {
    progress(`in memory: round ${round} of ${ROUNDS}`)
    const speed = await speedsOf(full)
    const latency = { full: await full.offered(), bare: await bare.offered() }
    if (round === 0) continue
    speeds.push(speed)
    latencies.push(latency)
  }
  return {
    plugins: PLUGINS,
    channels: CHANNELS,
    rounds: ROUNDS,
    messagesPerSecond: {
      ignored: spread(speeds.map(({ ignored }) => ignored)),
      addressed: spread(speeds.map(({ addressed }) => addressed)),
      ignoredATurnEach: spread(speeds.map(({ ignoredATurnEach }) => ignoredATurnEach)),
      addressedATurnEach: spread(speeds.map(({ addressedATurnEach }) => addressedATurnEach)),
    },
    latencyMs: {
      offeredPerSecond: OFFERED,
      p50: spread(latencies.map(({ full }) => full.p50)),
      p99: spread(latencies.map(({ full }) => full.p99)),
      p99WithoutPlugins: spread(latencies.map(({ bare }) => bare.p99)),
      addedP99: spread(latencies.map(({ full, bare }) => full.p99 - bare.p99)),
    },
    heap: await heap(full),
  }
}

interface Speeds {
  readonly ignored: number
  readonly addressed: number
  readonly ignoredATurnEach: number
  readonly addressedATurnEach: number
}

async function speedsOf(bot: MemoryBot): Promise<Speeds> {
  return {
    ignored: (await bot.flooded({})).perSecond,
    addressed: (await bot.flooded(MENTION)).perSecond,
    ignoredATurnEach: (await bot.aTurnEach({})).perSecond,
    addressedATurnEach: (await bot.aTurnEach(MENTION)).perSecond,
  }
}

/** Messages. */
interface Rate {
  readonly perSecond: number
  readonly perCpuSecond: number
}

async function heap(bot: MemoryBot) {
  // Bounded caches fill first.
  for (const more of [{}, MENTION]) await bot.flooded(more)
  const steps = [heapStep(0)]
  for (let after = COUNT; after <= HEAP_MESSAGES; after += COUNT) {
    progress(`in memory: heap after ${after} messages`)
    await bot.flooded(after % (2 * COUNT) === 0 ? MENTION : {})
    steps.push(heapStep(after))
  }
  return { messages: HEAP_MESSAGES, bytesPerMessage: slope(steps), steps }
}

type MemoryBot = Awaited<ReturnType<typeof open>>

const platform = deafPlatform()

/** A message that mentions the bot runs through every stage; any other ends with the decision. */
const MENTION: Partial<IncomingMessage> = { mentions: [platform.me] }

async function open({ startBot }: Kit, plugins: ReturnType<typeof idle>) {
  const bot = await startBot(
    // Judged at once: a turn is part of the cost of a message.
    { persona: { name: 'kiki' }, plugins, database: false, apology: false, pacing: { minWait: 0 } },
    { platforms: [platform], inMemory: true, env: {}, log: benchLog },
  )
  let count = 0
  const say = (channel: number, more: Partial<IncomingMessage>) => bot.receive(platform, said(count++, `c${channel}`, more))

  async function allTurnsTaken(): Promise<void> {
    for (;;) {
      const { due, active, next } = await bot.turns.state()
      if (due === 0 && active === 0 && next === undefined) return
      await setImmediate()
    }
  }

  /** From the first `run` until the last turn has ended. */
  async function timed(run: () => Promise<unknown>): Promise<Rate> {
    const start = { at: performance.now(), cpu: process.cpuUsage() }
    await run()
    await allTurnsTaken()
    const seconds = (performance.now() - start.at) / 1_000
    const { user, system } = process.cpuUsage(start.cpu)
    return { perSecond: Math.round(COUNT / seconds), perCpuSecond: Math.round((COUNT * 1e6) / (user + system)) }
  }

  return {
    /** 100 messages in parallel. Messages that arrive during a turn belong to the next one, as in reality. */
    flooded: (more: Partial<IncomingMessage>) =>
      timed(() => flood({ count: COUNT, atOnce: 100 }, index => say(index % CHANNELS, more))),

    /** The next message of a channel comes after its turn. */
    aTurnEach: (more: Partial<IncomingMessage>) =>
      timed(async () => {
        for (let told = 0; told < COUNT; told += CHANNELS) {
          await Promise.all(Array.from({ length: CHANNELS }, (_, channel) => say(channel, more)))
          await allTurnsTaken()
        }
      }),

    async offered(): Promise<Latency> {
      const { took } = await offer({ count: 2 * OFFERED, perSecond: OFFERED }, index => say(index % CHANNELS, MENTION))
      await allTurnsTaken()
      return took
    },

    [Symbol.asyncDispose]: () => bot.stop(),
  }
}
