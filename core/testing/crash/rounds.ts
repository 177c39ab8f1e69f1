import { setTimeout as pause } from 'node:timers/promises'
import { reason } from '../../base/errors.ts'
import { seededRandom } from '../../base/random.ts'
import { spawnVictim } from './process.ts'
import type { Heard, Orders } from './victim.ts'

export interface Plan extends Omit<Orders, 'start'> {
  /** Each round has one kill while messages arrive. Some rounds have another while the bot starts again. */
  readonly rounds: number
  /** Number of messages in each round. */
  readonly messages: number
}

/** What happened, as people and the operating system know it. */
export interface Course {
  /** The id of a message is `round-number`. */
  readonly said: readonly Heard[]
  /** Which start of the bot acknowledged a message first. */
  readonly acknowledged: ReadonlyMap<string, number>
  readonly kills: number
  /** The kills while the bot was starting. */
  readonly killsInStart: number
  /** Messages sent again although they had been acknowledged. */
  readonly redelivered: number
}

/** In every second channel there is no mention. */
const CHANNELS = 12

/** Rejects with the seed, the round and the last log lines of the bot. */
export async function playRounds({ rounds, messages, ...orders }: Plan): Promise<Course> {
  const random = seededRandom(orders.seed)
  const said: Heard[] = []
  const acknowledged = new Map<string, number>()
  const counts = { kills: 0, killsInStart: 0, redelivered: 0 }
  let start = 0
  let bot = spawnVictim({ ...orders, start })

  const acknowledge = (id: string) => {
    if (!acknowledged.has(id)) acknowledged.set(id, start)
  }

  async function kill(): Promise<void> {
    counts.kills++
    await bot.kill()
  }

  async function killInStart(): Promise<void> {
    await Promise.race([bot.ready, pause(2_000 * random())])
    counts.killsInStart++
    await killAndStart()
  }

  async function killAndStart(): Promise<void> {
    await kill()
    bot = spawnVictim({ ...orders, start: ++start })
  }

  async function play(round: number): Promise<void> {
    const news = Array.from({ length: messages }, (_, index) => invent(`${round}-${index + 1}`, random))
    said.push(...news)
    // Some kills come while recording, others while the bot judges, answers or waits.
    const delayMs = 1_000 * random()
    let before = Math.floor(messages * random())
    let killed: Promise<void> | undefined
    await bot.hear(news, id => {
      acknowledge(id)
      if (before-- === 0) killed = pause(delayMs).then(killAndStart)
    })
    await killed
    if (random() < 0.25) await killInStart()
    await bot.ready
    const rest = news.filter(({ id }) => !acknowledged.has(id))
    const again = news.filter(({ id }) => acknowledged.has(id) && random() < 0.05)
    counts.redelivered += again.length
    await bot.hear([...again, ...rest], acknowledge)
    if (random() < 0.3) await bot.settle()
  }

  let round = 0
  try {
    // While the bot creates its data.
    await killInStart()
    await bot.ready
    while (round < rounds) await play(++round)
    await bot.finish()
  } catch (error) {
    throw new Error(`seed ${orders.seed}, round ${round}: ${reason(error)}\n${bot.lastWords()}`, { cause: error })
  } finally {
    await bot.kill()
  }
  return { said, acknowledged, ...counts }
}

function invent(id: string, random: () => number): Heard {
  const channel = Math.floor(CHANNELS * random())
  const dice = random()
  const unasked = dice < 0.6 ? 'chat' : dice < 0.8 ? 'ask' : 'later'
  return { id, channel: `channel-${channel}`, wants: channel % 2 === 0 && random() < 0.5 ? 'mention' : unasked }
}
