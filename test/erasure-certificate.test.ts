/** What `kikimimi forget` says that it has erased is what is gone. */
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import type { TestBot } from 'kikimimi/testing'
import { scriptedModel, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const ALICE = { platform: 'test', id: 'alice' }

interface Counts {
  readonly messages: number
  readonly own: number
  readonly traces: number
}

async function counts({ db }: TestBot): Promise<Counts> {
  const { rows } = await db.query<Counts>(
    `select count(*) filter (where author_id = 'alice')::int as messages, count(*) filter (where own and deleted_at is null)::int as own,
       (select count(*)::int from kikimimi.trace) as traces
     from kikimimi.message`,
  )
  return rows[0] ?? { messages: 0, own: 0, traces: 0 }
}

test.each([
  ['short', 0],
  ['so long that it is searched in two passes', 200_000],
])('the numbers are those of what is gone from a log that is %s', async (_what, gap) => {
  await using bot = await testBot({ plugins: [addressing(), reply()], model: scriptedModel('I see.'), storage: 'pglite' })
  await bot.say('alice', '@kiki the boathouse opens with zubakedimo')
  // Its turn reads the answer to alice.
  await bot.say('bob', '@kiki and the safe?')
  await bot.db.query(
    `select setval(pg_get_serial_sequence('kikimimi.message', 'seq'), (select max(seq) + $1::int + 1 from kikimimi.message))`,
    [gap],
  )
  await bot.say('carol', '@kiki nothing of that kind', { channel: 'random' })
  const before = await counts(bot)
  const { messages, own, traces } = await bot.bot.forget(ALICE)
  const after = await counts(bot)
  expect(before.own).toBe(3)
  expect({ messages, own, traces }).toEqual({
    messages: before.messages - after.messages,
    own: before.own - after.own,
    traces: before.traces - after.traces,
  })
  expect(own).toBeGreaterThan(1)
})
