// postgres: several processes update the summary
/** Several processes share one memory. Needs a Postgres server: the embedded database has one process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bot, startBot } from 'kikimimi'
import { openTestDatabase, promptOf, type ScriptedModel, scriptedModel, testPlatform, testServer } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import memorySummary from './index.ts'
import { noted } from './test-memory.ts'

const CHANNELS = ['general', 'random']

test.runIf(testServer())('each message is read once, and one memory is written at a time', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  let writing = 0
  let most = 0
  const read: string[] = []
  const model = (): ScriptedModel =>
    scriptedModel(async request => {
      const prompt = promptOf(request)
      most = Math.max(most, ++writing)
      await sleep(20)
      writing--
      read.push(...(prompt.match(/word\d+/g) ?? []))
      return noted('a note')
    })
  const processes: { bot: Bot; platform: ReturnType<typeof testPlatform> }[] = []
  for (let at = 0; at < 2; at++) {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = {
      persona: { name: 'kiki' },
      pacing: { minWait: 0 },
      models: { chat: scriptedModel('unused'), summary: model() },
      plugins: [memorySummary({ everyMessages: 5, workspaceEvery: '1d' })],
    }
    const bot = scope.use(await startBot(config, { db, platforms: [platform], env: {} }))
    processes.push({ bot, platform })
  }

  let count = 0
  const said: string[] = []
  for (let round = 0; round < 10; round++) {
    for (const { bot, platform } of processes) {
      for (const channel of CHANNELS) {
        const text = `word${++count}`
        said.push(text)
        const conversation = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' } as const
        await bot.receive(platform, { id: text, conversation, author: { id: 'alice', name: 'alice' }, text, at: new Date() })
      }
    }
  }
  const left = async () => {
    const { rows } = await db.query<{ left: number }>(
      `select count(*)::int as left from kikimimi_v1.message m
       where seq > coalesce((
         select upto from kikimimi.follower_mark k where k.follower = 'memory-summary' and k.conversation = m.conversation
       ), 0)`,
    )
    return rows[0]?.left
  }
  // Fewer than five messages of a channel wait for more.
  await vi.waitFor(async () => expect(await left()).toBeLessThan(10), { timeout: 120_000, interval: 100 })
  expect(most).toBe(1)
  expect(read.length).toBeGreaterThan(30)
  expect(new Set(read).size).toBe(read.length)
  expect(said).toEqual(expect.arrayContaining(read))
})
