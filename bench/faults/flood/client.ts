/** The flood through the real client of a platform, whose emulator is in this process. */
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../core/testing/free-port.ts'
import { latency, progress } from '../../base/measure.ts'
import { type BotProcess, startBotProcess } from '../../speed/platforms/bot-process.ts'
import { type People, type Post, spoken, type Talk } from '../../speed/platforms/people.ts'
import type { Load } from './measured.ts'
import { readLater, recorded, until } from './recorded.ts'

const CHANNELS = 500
/** About so many messages mention the bot in a second. */
const ASKS_PER_SECOND = 5
/** Milliseconds until the last calls are answered. */
const SETTLE_MS = 60_000

export async function throughClient(open: (talk: Talk) => Promise<People>, database: string, load: Load) {
  const { perSecond, seconds, laterSeconds } = load
  const talk = { channels: CHANNELS, mentions: primeNear(perSecond / ASKS_PER_SECOND) }
  const address = `127.0.0.1:${await freePort()}`
  process.env.KIKIMIMI_HTTP = address
  await using people = await open(talk)
  const taken = new Set<string>()
  const bot = await startBotProcess({ ...people.settings, database })
  let told: Awaited<ReturnType<typeof say>>
  try {
    const start = await bot.state()
    const saying = say(people, bot, talk, load, taken)
    await pause((seconds * 1_000) / 2)
    const halfway = await bot.state()
    told = await saying
    const end = await bot.state()
    progress('the flood is over')
    await until(() => people.posted.length >= told.calls.length, SETTLE_MS, 2_000)
    const times = answerTimes(told.calls, people.posted)
    const begun = Date.now()
    const metrics = async () => (await fetch(`http://${address}/metrics`)).text()
    await readLater(metrics, begun + laterSeconds * 1_000)
    const counted = await metrics()
    const last = await bot.state()
    await bot[Symbol.asyncDispose]()
    const rows = await recorded(database)
    const lost = [...taken].filter(id => !rows.has(id)).length
    const mistakes = [
      ...(times.length < told.calls.length ? [`${told.calls.length - times.length} calls have no answer`] : []),
      ...(lost > 0 ? [`${lost} acknowledged messages are not recorded`] : []),
    ]
    return {
      sent: told.sent,
      perSecond: told.perSecond,
      taken: taken.size,
      calls: { asked: told.calls.length, answered: times.length, ms: latency(times) },
      memoryMb: { start: start.rssMb, halfway: halfway.rssMb, end: end.rssMb, peak: last.peakMb, heap: end.heapMb },
      laterSeconds: Math.round((Date.now() - begun) / 1_000),
      metrics: counted.split('\n').filter(line => /^kikimimi_(shed|messages|dropped|lost|read_later)/.test(line)),
      recordedInTheEnd: rows.size,
      acknowledgedAndLost: lost,
      mistakes,
    }
  } finally {
    await bot[Symbol.asyncDispose]()
  }
}

/** Each message is said when it is due. The emulator delivers it as fast as the client of the bot takes it. */
async function say(people: People, bot: BotProcess, talk: Talk, { perSecond, seconds }: Load, taken: Set<string>) {
  const start = performance.now()
  const calls: Post[] = []
  const total = perSecond * seconds
  let sent = 0
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * perSecond) / 1_000))
    for (; sent < due; sent++) {
      const { channel, mention } = spoken(sent, talk)
      if (mention) calls.push({ channel, at: Date.now() })
      // Slack tells the id when the event is acknowledged, which a shed one never is.
      void people
        .say()
        .then(id => bot.recorded(id).then(() => taken.add(id)))
        .catch(() => {})
    }
    await pause(5)
  }
  return { calls, sent, perSecond: Math.round((sent * 1_000) / (performance.now() - start)) }
}

/** The milliseconds until each call was answered. The calls of a channel are answered in their order. */
function answerTimes(calls: readonly Post[], posts: readonly Post[]): readonly number[] {
  const byChannel = Map.groupBy(posts, ({ channel }) => channel)
  return calls.flatMap(({ channel, at }) => {
    const left = byChannel.get(channel) ?? []
    const answer = left.find(post => post.at >= at)
    if (!answer) return []
    left.splice(0, left.indexOf(answer) + 1)
    return [answer.at - at]
  })
}

/** The smallest prime from a number on. */
function primeNear(from: number): number {
  for (let candidate = Math.max(2, Math.ceil(from)); ; candidate++) {
    const divisors = Array.from({ length: Math.floor(Math.sqrt(candidate)) }, (_, index) => index + 1).slice(1)
    if (divisors.every(divisor => candidate % divisor > 0)) return candidate
  }
}
