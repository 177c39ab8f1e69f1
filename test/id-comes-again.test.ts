/** A message that comes again is the same message, however late, and whatever reads the log goes on. */
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import reply from '@kikimimi/reply'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const FIRST = 'my cat is called Momo'

/** Every plugin has read everything since the last message, and knows what it says. */
async function playedWith(days: number, text: string, messages: '90d' | '500d') {
  await using bot = await testBot({
    storage: 'pglite',
    retention: { messages },
    plugins: [facts(), memorySummary(), profiles(), reflection(), reply()],
  })
  await bot.say('alice', FIRST, { id: 'again' })
  for (let n = 0; n < 12; n++) await bot.say('bob', `the ladder of shed ${n} is broken`)
  await bot.pass('1h')
  await bot.restart(`${days}d`)
  await bot.say('alice', text, { id: 'again' })
  await bot.pass('1h')
  const later: string[] = []
  for (let n = 0; n < 11; n++) later.push(await bot.say('carol', `the boat ${n} is called Neptune`))
  later.push(await bot.say('carol', 'I live in Neptune Street'))
  await bot.pass('4h')
  const rows = async (sql: string) => (await bot.db.query<{ value: unknown }>(sql)).rows.map(({ value }) => value)
  return {
    same: await rows(`select text as value from kikimimi_v1.message where id = 'again' and deleted_at is null order by seq`),
    indexed: await rows(`select id as value from facts.message where id = any ('{${later.join()}}') order by seq`),
    later,
    counted: await rows(`select sum(messages)::int as value from profiles.activity where person = 'carol'`),
    summed: await rows(`select recent like '%Neptune%' as value from memory_summary.memory where id like '%general'`),
    learned: await rows(`select count(*) > 0 as value from facts.fact where content like '%Neptune%'`),
    warnings: bot.log,
  }
}

test.each([
  [9, FIRST, '90d', [FIRST]],
  [9, 'the mill is closed', '90d', [FIRST]],
  [40, FIRST, '90d', [FIRST]],
  [40, 'the mill is closed', '90d', [FIRST]],
  [400, FIRST, '500d', [FIRST]],
  [400, 'the mill is closed', '500d', [FIRST]],
  // Retention has removed the first.
  [400, 'the mill is closed', '90d', ['the mill is closed']],
] as const)('after %i days, with the text "%s", kept for %s', async (days, text, messages, same) => {
  const { later, ...played } = await playedWith(days, text, messages)
  expect(played).toEqual({
    ...{ same, indexed: later, counted: [12], summed: [true], learned: [true], warnings: [] },
  })
})
