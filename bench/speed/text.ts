/**
 * The largest cost of a text, by function and shape, with its growth, and the cost of one message in the whole bot.
 *
 *   npm run bench:text -- [SEED]     other seeds combine other pieces
 *
 * Exit code 1 if a function or the bot exceeds its budget.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import addressing from '@kikimimi/addressing'
import eavesdrop from '@kikimimi/eavesdrop'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import { offline } from '@kikimimi/offline'
import proactive from '@kikimimi/proactive'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { definePlugin, startBot } from 'kikimimi'
import { costOf } from '../../test/text/cost.ts'
import { READERS, type Reader } from '../../test/text/readers.ts'
import { type Shape, shapes } from '../../test/text/shapes.ts'
import { inFolder } from '../base/databases.ts'
import { machine, progress, round } from '../base/measure.ts'
import { benchLog, deafPlatform, said } from '../base/talk.ts'

const LENGTHS = [40, 400, 4_000, 10_000, 40_000]

/** The most milliseconds of processor time at 40,000 characters, on a quiet machine. */
const BUDGET = { function: 5, bot: 50 }

/** A function that takes longer at a tenth of the largest length is not measured with it. */
const GIVE_UP = 2_000

/** So many shapes with the largest cost at a tenth of the largest length are measured with it. */
const CANDIDATES = 20

/** So many messages with the largest cost in the whole bot are measured three more times. */
const BOT_CANDIDATES = 15

/** Every n-th shape goes through the whole bot. */
const BOT_SHAPES = 12

const all = shapes(Number(process.argv[2] ?? 1))

const functions = Object.entries(READERS).map(([name, read]) => {
  const found = largest(read)
  progress(`${name}: ${found.ms} ms, ${found.shape}`)
  return { name, ...found }
})
const bot = await inFolder(wholeBot)
const results = {
  machine: machine(),
  shapes: all.length,
  budget: BUDGET,
  functions: functions.sort((one, other) => other.ms - one.ms),
  overBudget: [
    ...functions.filter(({ ms }) => ms > BUDGET.function).map(({ name }) => name),
    ...[...bot.short.largest, ...bot.long.largest]
      .filter(({ ms }) => ms > BUDGET.bot)
      .map(({ shape }) => `the whole bot: ${shape}`),
  ],
  bot,
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
if (results.overBudget.length > 0) process.exitCode = 1

/** The shape with the largest cost at the largest length, and its cost at each length. */
function largest(read: Reader) {
  const cost = (shape: Shape, length: number, times: number) => {
    const text = shape.of(length)
    return { shape, ms: costOf(() => read(text), times) }
  }
  const most = (costs: readonly { readonly shape: Shape; readonly ms: number }[]) =>
    costs.toSorted((one, other) => other.ms - one.ms)
  const last = LENGTHS.at(-1) ?? 0
  const found = most(all.map(shape => cost(shape, last / 10, 1))).slice(0, CANDIDATES)
  const slow = found.find(({ ms }) => ms > GIVE_UP)
  if (slow) return { shape: slow.shape.name, ms: GIVE_UP, growth: 'given up' }
  const [worst = { shape: all[0] as Shape, ms: 0 }] = most(found.map(({ shape }) => cost(shape, last, 3)))
  const growth = LENGTHS.map(length => `${length}: ${round(cost(worst.shape, length, 3).ms)}`).join(', ')
  return { shape: worst.shape.name, ms: round(worst.ms), growth }
}

/** Processor time of one message that calls the bot, from its arrival to the end of its turn, with the embedded database. */
async function wholeBot(target: string) {
  let turns = 0
  const countTurns = definePlugin({ name: 'count-turns', setup: () => ({ after: () => void turns++ }) })
  const plugins = [quiet(), remember(), proactive(), eavesdrop({ channels: ['*'] }), addressing(), judgeRules()]
  const memory = [memorySummary(), profiles(), facts(), reflection()]
  const platform = deafPlatform()
  const bot = await startBot(
    {
      persona: { name: 'kiki', names: ['キキ', 'きき'] },
      models: { chat: offline() },
      database: target,
      pacing: { minWait: '50ms', jitter: 0 },
      plugins: [...plugins, ...memory, reply(), countTurns()],
    },
    { platforms: [platform], env: {}, log: benchLog },
  )
  let count = 0
  const cost = async (shape: Shape, length: number) => {
    const [before, cpu] = [turns, process.cpuUsage()]
    const at = ++count
    await bot.receive(platform, said(at, `channel-${at}`, { text: `kiki, ${shape.of(length - 6)}` }))
    for (let waits = 0; turns === before && waits < 200; waits++) await sleep(10)
    const { user, system } = process.cpuUsage(cpu)
    return round((user + system) / 1_000)
  }
  try {
    const some = all.filter((_, at) => at % BOT_SHAPES === 0)
    for (const shape of some.slice(0, 10)) await cost(shape, 100)
    const costs: { shape: Shape; short: number; long: number }[] = []
    for (const shape of some) {
      const [short, long] = [await cost(shape, 100), await cost(shape, 40_000)]
      progress(`the whole bot: ${short} ms, ${long} ms, ${shape.name}`)
      costs.push({ shape, short, long })
    }
    const middle = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1]
    const ofLength = async (length: 'short' | 'long') => {
      const largest = costs.toSorted((one, other) => other[length] - one[length]).slice(0, BOT_CANDIDATES)
      const again: { shape: string; first: number; ms: number }[] = []
      for (const one of largest) {
        const times = [one[length]]
        while (times.length < 4) times.push(await cost(one.shape, length === 'short' ? 100 : 40_000))
        again.push({ shape: one.shape.name, first: one[length], ms: Math.min(...times) })
        progress(`the whole bot, the least of four: ${Math.min(...times)} ms, ${one.shape.name}`)
      }
      return {
        median: middle(costs.map(one => one[length])),
        largest: again.toSorted((one, other) => other.ms - one.ms).slice(0, 10),
      }
    }
    return { short: await ofLength('short'), long: await ofLength('long') }
  } finally {
    await bot.stop()
  }
}
