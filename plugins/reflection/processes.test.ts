// postgres: several processes share batches
/** Several processes of one bot share one memory. Needs a Postgres server: the embedded database has one process. */

import { setTimeout as sleep } from 'node:timers/promises'
import facts from '@kikimimi/facts'
import { type Bot, startBot } from 'kikimimi'
import { readTranscript } from 'kikimimi/model'
import { openTestDatabase, promptOf, type ScriptedModel, scriptedModel, testPlatform, testServer } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import reflection from './index.ts'
import { answer, found } from './test-bot.ts'

const CHANNELS = ['general', 'random']

test.runIf(testServer())('each message is processed once, one batch at a time', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  let thinking = 0
  let most = 0
  const read: string[] = []
  const model = (): ScriptedModel =>
    scriptedModel(async request => {
      most = Math.max(most, ++thinking)
      await sleep(20)
      thinking--
      const lines = readTranscript(promptOf(request))
      read.push(...lines.map(({ text }) => text))
      return answer(lines.map(({ text, id = '' }) => found(text, { message: id })))
    })
  const processes: { bot: Bot; platform: ReturnType<typeof testPlatform> }[] = []
  for (let at = 0; at < 2; at++) {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = {
      persona: { name: 'kiki' },
      models: { chat: scriptedModel('unused'), reflection: model() },
      plugins: [facts(), reflection({ minMessages: 1, maxMessages: 5 })],
    }
    const bot = scope.use(await startBot(config, { db, platforms: [platform], env: {} }))
    processes.push({ bot, platform })
  }

  const said: string[] = []
  for (let round = 0; round < 10; round++) {
    for (const { bot, platform } of processes) {
      for (const channel of CHANNELS) {
        const text = `word${said.length}`
        said.push(text)
        const conversation = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' } as const
        await bot.receive(platform, { id: text, conversation, author: { id: 'alice', name: 'alice' }, text, at: new Date() })
      }
      // As if the conversations had become quiet.
      await bot.jobs.schedule('reflection.reflect', {}, { key: 'reflect' })
    }
  }
  await vi.waitFor(
    async () => {
      await processes[0]?.bot.jobs.schedule('reflection.reflect', {}, { key: 'reflect' })
      // Five messages of each channel wait for more, or for silence.
      expect(read.length).toBeGreaterThanOrEqual(said.length - 10)
      expect(thinking).toBe(0)
    },
    { timeout: 120_000, interval: 100 },
  )
  expect(most).toBe(1)
  expect(new Set(read).size).toBe(read.length)
  await vi.waitFor(
    async () => {
      const { rows } = await db.query<{ content: string }>('select content from facts.fact')
      expect(rows.map(({ content }) => content).sort()).toEqual(read.toSorted())
    },
    { timeout: 60_000, interval: 100 },
  )
})
