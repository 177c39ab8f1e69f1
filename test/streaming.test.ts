/** A bot that is killed while people see its answers being written, on the emulators with the real clients. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startDiscord } from '@kikimimi/discord/testing'
import { startSlack } from '@kikimimi/slack/testing'
import { systemClock } from 'kikimimi'
import { testRounds } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../core/storage/database/database.ts'
import { startProcess } from './bot-process.ts'
import { wholeAnswer } from './streaming/answer.ts'
import { silent } from './support.ts'

const { rounds: kills } = testRounds({ few: 1, all: 30 })

const CHANNELS = ['general', 'dev', 'random']

/** A platform as the test uses it. */
interface Scene extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv
  ask(channel: string, text: string): Promise<unknown>
  posted(): readonly { readonly channel: string; readonly text: string }[]
  /** The times of the edits by channel, in milliseconds. */
  edits(): ReadonlyMap<string, readonly number[]>
}

async function onDiscord(): Promise<Scene> {
  const discord = await startDiscord({ guilds: [{ name: 'team', channels: CHANNELS.map(name => ({ name })) }] })
  return {
    env: { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl },
    ask: async (channel, text) => discord.say({ author: 'alice', channel, text: `@kiki ${text}` }),
    posted: () => discord.posted,
    edits: () =>
      timesBy(
        discord.calls.filter(({ method }) => method === 'PATCH').map(({ at, path }) => [path.split('/messages/')[0] ?? '', at]),
      ),
    [Symbol.asyncDispose]: () => discord.close(),
  }
}

async function onSlack(): Promise<Scene> {
  const slack = await startSlack()
  return {
    env: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    // A bot that is away gets the event once it is back, or reads it.
    ask: async (channel, text) => void slack.say({ author: 'alice', channel, text, mention: true }).catch(() => {}),
    posted: () => slack.posted,
    edits: () =>
      timesBy(slack.calls.filter(({ method }) => method === 'chat.update').map(({ at, args }) => [String(args.channel), at])),
    [Symbol.asyncDispose]: () => slack.close(),
  }
}

function timesBy(edits: readonly (readonly [string, Date])[]): ReadonlyMap<string, readonly number[]> {
  const groups = Map.groupBy(edits, ([channel]) => channel)
  return new Map([...groups].map(([channel, of]) => [channel, of.map(([, at]) => at.getTime())]))
}

describe.each([
  { platform: 'Discord', open: onDiscord },
  { platform: 'Slack', open: onSlack },
])('on $platform, killed while it writes', ({ open }) => {
  test('each question has one whole answer in the end, recorded as it stands there', async () => {
    await using scene = await open()
    await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-streaming-'))
    const database = join(scratch.path, 'data')
    const env = { ...scene.env, DATABASE_URL: database }
    const asked: string[] = []
    const isWhole = (text: string) => text.endsWith('ends here.')
    const texts = () =>
      scene
        .posted()
        .map(({ text }) => text)
        .toSorted()
    const allAnswered = () => bot.until(() => texts().length >= asked.length && texts().every(isWhole))
    let torsos = 0
    let bot = startProcess(env, 'test/streaming.config.ts')
    await bot.listening
    async function killAndStart(): Promise<void> {
      await pause(4_000 * Math.random())
      torsos += texts().filter(text => !isWhole(text)).length
      await bot.kill()
      bot = startProcess(env, 'test/streaming.config.ts')
      await bot.listening
    }
    for (let round = 1; round <= kills; round++) {
      for (const channel of CHANNELS) {
        asked.push(`question-${round}-${channel}`)
        await scene.ask(channel, `what about question-${round}-${channel}`)
      }
      await killAndStart()
      // In some rounds it is killed again, while it answers anew.
      if (round % 3 === 0) await killAndStart()
      await allAnswered()
    }
    const whole = asked.map(wholeAnswer).toSorted()
    await pause(2_000)
    expect(texts()).toEqual(whole)
    expect((await bot.stop()).code).toBe(0)

    const db = await openDatabase(database, { clock: systemClock, log: silent })
    const { rows } = await db.query<{ text: string }>('select text from kikimimi.message where own and deleted_at is null')
    const { rows: cut } = await db.query(`select 1 from kikimimi.trace where data->>'why' like '%while it wrote the answer%'`)
    const { rows: shown } = await db.query<{ ms: number }>(
      `select (data->'shown'->>'afterMs')::int as ms from kikimimi.trace where data ? 'shown' order by 1`,
    )
    await db.close()
    expect(rows.map(({ text }) => text).toSorted()).toEqual(whole)
    const gaps = [...scene.edits().values()].flatMap(times => times.slice(1).map((at, index) => at - (times[index] ?? 0)))
    if (kills > 1) {
      process.stdout.write(
        `${kills} kills, ${asked.length} questions, ${torsos} unfinished answers at a kill, ${cut.length} in traces, ${gaps.length} edits, shortest gap ${Math.min(...gaps)} ms, first words after ${shown[shown.length >> 1]?.ms} ms (p50), ${shown.at(-1)?.ms} ms (most)\n`,
      )
    }
    // A killed process and the next one do not know each other's edits.
    expect(gaps.filter(gap => gap < 900).length).toBeLessThanOrEqual(kills)
  })
})
