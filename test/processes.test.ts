// postgres: two processes
/** Two processes of one bot on one Postgres server, of which one is killed. */

import { startDiscord } from '@kikimimi/discord/testing'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { measured } from '../bench/faults/processes/measured.ts'
import { startProcess } from './bot-process.ts'

/** A longer run: npm run bench:processes */
const load = { seconds: 10, perSecond: 100, kills: 1, idempotent: true }

describe.skipIf(!testServer())('one of two processes is killed', { timeout: 200_000 }, () => {
  async function server(scope: AsyncDisposableStack): Promise<string> {
    const db = scope.adopt(await openTestDatabase(), opened => opened.close())
    if (db.kind !== 'postgres') throw new Error('not a server')
    return db.url
  }

  test('each message is recorded once, and each mention is answered once', async () => {
    await using scope = new AsyncDisposableStack()
    const { messages, questions, unasked } = await measured({ ...load, database: await server(scope) })
    expect(messages).toMatchObject({ said: 1_000, recorded: 1_000 })
    expect(questions).toMatchObject({ answeredOnce: questions.asked, unanswered: 0, answeredTwice: 0 })
    expect(unasked).toBe(0)
  })

  test('the other process takes its Discord shards and answers mentions of that time', async () => {
    await using scope = new AsyncDisposableStack()
    const guilds = ['team', 'club'].map(name => ({ name, channels: [name] }))
    const discord = scope.use(await startDiscord({ shards: 2, guilds }))
    const env = {
      DATABASE_URL: await server(scope),
      DISCORD_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
    }
    async function ask(author: string): Promise<void> {
      const wanted = discord.posted.length + 2
      for (const channel of ['team', 'club']) discord.say({ author, channel, text: '@kiki hello' })
      await discord.until(() => discord.posted.length >= wanted)
    }
    const one = scope.use(startProcess(env))
    await one.listening
    scope.use(startProcess(env))
    // Each shard once, and the moved one twice.
    await discord.until(() => discord.calls.filter(({ method }) => method === 'IDENTIFY').length === 3 && discord.online === 2)
    await ask('alice')
    await one.kill()
    const killed = performance.now()
    await ask('bob')
    expect(performance.now() - killed).toBeLessThan(40_000)
    expect(discord.posted.map(({ text }) => text)).toEqual(['alice', 'alice', 'bob', 'bob'].map(name => `yes, ${name}`))
  })
})
