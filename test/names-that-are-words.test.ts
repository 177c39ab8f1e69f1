/** A person who chose a common word, or the name of another member, and asks to be forgotten: others lose nothing. */
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import promises from '@kikimimi/promises'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import words from '@kikimimi/words'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

/** What another person says, and what is read again after the erasure. */
const SAID = [
  'the release is on Friday and the venue is the old mill',
  'Mark the date: we will meet in May, and Will Smith may sing',
  '会議は火曜の十時からです。ひかりが丘で花を見ながら、はなしましょう',
  'the rope is in the shed, and x marks the spot',
  'carol brings the soup',
  'İrem and ΑΛΕΞΗΣ come by train',
] as const

const NAMES = ['the', 'です', 'Will', 'Mark', 'May', 'はな', 'ひかり', 'x', 'carol', 'rope', 'irem', 'αλεξης'] as const

test.each(['first', 'last'] as const)('people who chose words as names, and came %s', async comes => {
  await using bot = await testBot({
    persona: { name: 'kiki' },
    plugins: [remember(), facts(), memorySummary(), profiles(), promises(), words(), reply()],
  })
  const meet = async () => {
    for (const name of NAMES) await bot.say(`id-${name}`, 'nice to meet you', { name })
  }
  if (comes === 'first') await meet()
  await bot.say('carol', 'hello all')
  await bot.say('member-1', 'good morning', { name: 'İREM' })
  await bot.say('member-2', 'good morning', { name: 'Αλέξης' })
  await bot.say('member-3', 'good morning', { name: 'ΑΛΕΞΗΣ' })
  for (const text of SAID) await bot.say('bobby', text)
  await bot.say('bobby', '@kiki remember that the release of May needs Mark and a rope by carol, 火曜です')
  await bot.say('bobby', '@kiki remember that irem, αλεξης and Will like x, ひかり and はな')
  await bot.say('bobby', '@kiki remind me in 20 days to buy the rope for Will and carol')
  const all = async () => ({
    messages: (
      await bot.db.query(`select text from kikimimi.message where author_id = 'bobby' and deleted_at is null order by seq`)
    ).rows,
    facts: (await bot.db.query(`select content from facts.fact where content not like '%Xenophon%'`)).rows,
    reminders: (await bot.db.query('select content from promises.reminder')).rows,
  })
  const before = await all()
  expect([before.messages.length, before.facts.length, before.reminders.length]).toEqual([SAID.length + 3, 2, 1])
  if (comes === 'last') await meet()

  for (const name of NAMES) await bot.say(`id-${name}`, '@kiki remember that my cat is called Xenophon', { name })
  for (const name of NAMES) await bot.say(`id-${name}`, '@kiki forget me', { name })
  await bot.pass('10m')
  expect(await all()).toEqual(before)
  const own = `select 1 from kikimimi.message where author_id like 'id-%' and deleted_at is null`
  expect((await bot.db.query(own)).rowCount).toBe(0)
  const { rows: tables } = await bot.db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname !~ '^(pg_|information_schema|pgboss)'`,
  )
  for (const { name } of tables)
    expect((await bot.db.query(`select 1 from ${name} t where t::text ~* 'xenophon'`)).rowCount, name).toBe(0)
})
