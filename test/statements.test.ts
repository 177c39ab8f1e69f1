/** What a message that the bot ignores costs the database, with all plugins of bot.config.ts. */

import { type TestBot, testBot } from 'kikimimi/testing'
import { afterEach, expect, test, vi } from 'vitest'
import config from '../bot.config.ts'

/** Statements of the test: its clock tells the database the time, and it asks whether work is done. */
const OF_TEST = [/__pgboss_test_clock/, /count\(\*\) filter \(where state = 'active'\)/]

/** Counts the statements of the bot from now on. */
function countStatements(db: TestBot['db']): () => number {
  const spies = [vi.spyOn(db, 'query'), vi.spyOn(db, 'script')]
  // The job queue uses the embedded database directly.
  if ('lite' in db) {
    const { lite } = db as { readonly lite: Pick<TestBot['db'], 'query'> & { exec(sql: string): Promise<unknown> } }
    spies.push(vi.spyOn(lite, 'query'), vi.spyOn(lite, 'exec') as unknown as (typeof spies)[number])
  }
  return () => spies.flatMap(({ mock }) => mock.calls).filter(([sql]) => !OF_TEST.some(pattern => pattern.test(sql))).length
}
afterEach(() => vi.restoreAllMocks())

const { database: _, ...bot } = config
const open = () => testBot({ ...bot, models: {}, storage: 'pglite' })

test('a message that the bot ignores costs three statements at most in a busy channel', async () => {
  await using bot = await open()
  const talk = async (messages: number) => {
    for (let at = 0; at < messages; at++) {
      await bot.say('alice', `the train number ${at} is late`)
      await bot.pass('1s')
    }
  }
  await talk(20)
  await bot.pass('10m')
  const statements = countStatements(bot.db)
  await talk(60)
  await bot.pass('20s')
  expect(statements() / 60).toBeLessThanOrEqual(3)
  expect((await bot.trace()).messages.length).toBeGreaterThan(20)
})

test('a message that the bot ignores costs six statements at most where each is judged alone', async () => {
  await using bot = await open()
  // First in new channels.
  for (const what of ['train', 'bus']) {
    await bot.pass('10m')
    const statements = countStatements(bot.db)
    for (let channel = 0; channel < 100; channel++) {
      await bot.say('alice', `the ${what} number ${channel} is late`, { channel: `c${channel}` })
      await bot.pass('100ms')
    }
    await bot.pass('20s')
    expect(statements() / 100, what).toBeLessThanOrEqual(6)
    vi.restoreAllMocks()
  }
  expect(await bot.traces()).toHaveLength(200)
})
