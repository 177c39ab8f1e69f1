/** A bot that is stopped while it works. */
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval as ticks } from 'node:timers/promises'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { expect } from 'vitest'
import { startProcess } from '../bot-process.ts'
import { until } from '../support.ts'

const CHANNELS = Array.from({ length: 10 }, (_, at) => `channel-${at}`)
/** Number of messages. One in five addresses the bot. */
const MESSAGES = 200
const PER_SECOND = 50

/** The bot stops after half of the messages. The rest arrive during the stop or after it. */
export async function stopsUnderLoad(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const scratch = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-drain-')))
  const db = testServer() ? opened.adopt(await openTestDatabase(), one => one.close()) : undefined
  const discord = opened.use(await startDiscord({ guilds: [{ name: 'team', channels: CHANNELS }] }))
  const DATABASE = db && 'url' in db ? db.url : join(scratch.path, 'data')
  const start = () => {
    const env = { DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl, DATABASE, LOG_FORMAT: 'json' }
    return opened.use(startProcess(env, 'test/faults/drain.config.ts'))
  }

  const first = start()
  await first.listening
  const calls: string[] = []
  let stopped: ReturnType<typeof first.stop> | undefined
  let number = 0
  for await (const _ of ticks(1_000 / PER_SECOND)) {
    number++
    const isCall = number % 5 === 0
    if (isCall) calls.push(`${number}`)
    discord.say({ author: 'alice', channel: CHANNELS[number % 7] ?? '', text: `${isCall ? '@kiki ' : ''}${number}` })
    if (number === MESSAGES / 2) stopped = first.stop()
    if (number === MESSAGES) break
  }
  expect(await stopped).toMatchObject({ code: 0, out: '' })
  expect(answered(discord).length).toBeGreaterThan(0)
  expect(answered(discord).length).toBeLessThan(calls.length)

  const second = start()
  await until(() => answered(discord).length >= calls.length)
  expect(await second.stop()).toMatchObject({ code: 0 })
  expect(answered(discord)).toEqual(calls.toSorted())
}

/** The messages that answers name, with repetitions. */
function answered({ posted }: DiscordEmulator): readonly string[] {
  return posted.flatMap(({ text }) => text.split(' ')).toSorted()
}
