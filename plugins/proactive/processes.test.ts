// postgres: two processes share a limit
/** Several processes of one bot. Needs a Postgres server: the embedded database has one process. */
import reply from '@kikimimi/reply'
import { type Bot, conversationId, startBot } from 'kikimimi'
import { openTestDatabase, scriptedModel, type TestPlatform, testPlatform, testServer } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import type { FactStore } from '../facts/api/facts.ts'
import { borrowedFacts } from '../facts/test-memory.ts'
import proactive from './index.ts'

const DAY = 24 * 60 * 60_000

test.runIf(testServer())('two processes say the same thing once, and together no more than may be said', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const processes: { bot: Bot; platform: TestPlatform }[] = []
  const stores: FactStore[] = []
  for (let at = 0; at < 2; at++) {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const { plugins, store } = borrowedFacts()
    const config = {
      persona: { name: 'kiki' },
      pacing: { minWait: 0 },
      models: { chat: scriptedModel({ value: { remark: 'By the way' } }) },
      plugins: [plugins, proactive({ interval: 0, delay: 0, perDay: { channel: 1, bot: 2 } }), reply()],
    }
    const bot = scope.use(await startBot(config, { db, platforms: [platform], env: {} }))
    processes.push({ bot, platform })
    stores.push(store())
  }
  const where = (channel: string, thread?: string) =>
    ({
      ...{ platform: 'test', workspace: 'team', channel, ...(thread !== undefined && { thread }), name: channel },
      visibility: 'public',
    }) as const
  const random = { ...where('random'), id: conversationId(where('random')) }
  for (const thing of ['stove', 'tent', 'map', 'lamp', 'knife', 'chair']) {
    const [store] = stores
    const at = new Date(Date.now() - 3 * DAY)
    await store?.add({ conversation: random, content: `erin bought a ${thing} for camping`, shareable: true, at })
  }
  let count = 0
  const hear = async (channel: string, thread: string | undefined, text: string, at: Date, process: number) => {
    const { bot, platform } = processes[process] ?? {}
    if (!bot || !platform) throw new Error('no such process')
    const id = `m${++count}`
    await bot.receive(platform, { id, conversation: where(channel, thread), author: { id: 'alice', name: 'alice' }, text, at })
  }
  const channels = ['general', 'dev', 'ops']
  for (const channel of channels) await hear(channel, undefined, 'hi', new Date(Date.now() - 2 * DAY), 0)
  const judged = async () =>
    (await db.query<{ count: number }>('select count(*)::int as count from kikimimi_v1.trace')).rows[0]?.count
  await vi.waitFor(async () => expect(await judged()).toBe(channels.length), { timeout: 120_000, interval: 100 })

  // All threads of all channels become active at the same moment, in both processes.
  const at = new Date()
  const threads = channels.flatMap(channel => ['t1', 't2', 't3', 't4'].map(thread => ({ channel, thread })))
  await Promise.all(threads.map(({ channel, thread }, nth) => hear(channel, thread, 'who comes camping?', at, nth % 2)))
  const settled = channels.length + threads.length
  await vi.waitFor(async () => expect(await judged()).toBe(settled), { timeout: 120_000, interval: 100 })

  const posted = processes.flatMap(({ platform }) => platform.posted)
  const { rows } = await db.query<{ channel: string; fact: number }>('select channel, fact from proactive.shared')
  expect(posted).toHaveLength(2)
  expect(rows.map(({ channel }) => channel).toSorted()).toEqual(posted.map(({ channel }) => `test/team/${channel}`).toSorted())
  expect(new Set(posted.map(({ channel }) => channel)).size).toBe(2)
})
