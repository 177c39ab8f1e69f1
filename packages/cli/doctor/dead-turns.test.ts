import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { deadLettersIn, replay } from './database/dead-letters.ts'

test('a turn that was given up is a dead letter until it is replayed', async () => {
  await using bot = await testBot({ storage: 'pglite', pacing: { minWait: '10s', jitter: 0 } })
  await bot.say('alice', 'hello', { channel: 'dev' })
  await bot.say('alice', 'hello', { channel: 'dev', thread: 't1' })
  await bot.db.query(`update kikimimi.conversation set due_at = null, failed_at = now(), failure = 'SyntaxError'`)
  await bot.pass('1h')
  expect(await bot.traces()).toEqual([])
  const id = 'test/team/dev'
  expect(await deadLettersIn(bot.db)).toMatchObject([
    { kind: 'turn', id, why: 'SyntaxError' },
    { kind: 'turn', id: `${id}/t1` },
  ])
  expect(await replay(bot.db, id)).toMatchObject([{ id, isBack: true }])
  expect(await deadLettersIn(bot.db)).toMatchObject([{ id: `${id}/t1` }])
  await bot.db.query(`update kikimimi.conversation set due_at = '2026-01-05T10:00:00Z' where due_at is not null`)
  await bot.restart()
  await bot.pass('1s')
  expect(await bot.traces()).toMatchObject([{ conversation: id, outcome: 'silent' }])
})
