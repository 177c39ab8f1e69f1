import type { TestBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { remembering } from './test-bot.ts'

const storage = 'pglite'
const ANSWERED = /^I am forgetting you: |^あなたのことを忘れます。/

/** The whole content of the database, as one text. */
async function dump({ db }: TestBot): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
  )
  const tables = await Promise.all(rows.map(({ name }) => db.query(`select * from ${name}`)))
  return JSON.stringify(tables.map(table => table.rows))
}

test.each(['@kiki forget me', '@kiki 私のことは忘れて'])(
  'says what happens, without a name or a word of theirs, and it does: %s',
  async text => {
    await using m = await remembering({ storage })
    await m.bot.say('eve-1234', 'my parrot is called Xenophon')
    await m.bot.say('eve-1234', '@kiki remember that my parrot is called Xenophon')
    await m.bot.say('bob', 'the train leaves at ten')
    await m.bot.say('eve-1234', text)
    expect(m.bot.sent.filter(one => ANSWERED.test(one))).toHaveLength(1)
    expect(m.bot.sent.at(-1)).not.toMatch(/eve|parrot|Xenophon/)
    await m.bot.pass('10m')
    expect(await m.facts()).toEqual([])
    const left = await dump(m.bot)
    expect(left.includes('the train leaves at ten')).toBe(true)
    expect(left.match(/parrot|Xenophon/g)).toBe(null)
    expect(m.bot.sent.filter(one => ANSWERED.test(one))).toHaveLength(1)
  },
)

test('all accounts of the person', async () => {
  await using m = await remembering({ storage })
  await m.bot.say('alice', '@kiki remember that I play the cello')
  await m.bot.say('alice-at-work', '@kiki remember that I work on Sundays')
  await m.people().link({ platform: 'test', id: 'alice' }, { platform: 'test', id: 'alice-at-work' })
  await m.bot.say('alice', '@kiki forget me')
  await m.bot.pass('10m')
  expect(await m.facts()).toEqual([])
})

test('an order that is deleted while its answer is sent is answered once and carried out', async () => {
  const thinking = Promise.withResolvers<string>()
  await using m = await remembering({ storage })
  await m.bot.say('alice', '@kiki remember that I play the cello')
  m.hold(thinking.promise)
  const id = await m.bot.say('alice', '@kiki forget me')
  expect(m.bot.sent.filter(one => ANSWERED.test(one))).toEqual([])
  await m.bot.remove(id)
  thinking.resolve('')
  await m.bot.pass('10m')
  expect(m.bot.sent.filter(one => ANSWERED.test(one))).toHaveLength(1)
  expect(await m.facts()).toEqual([])
})

test('an order that is edited into another text is not carried out', async () => {
  const thinking = Promise.withResolvers<string>()
  await using m = await remembering({ storage })
  await m.bot.say('alice', '@kiki remember that I play the cello')
  m.hold(thinking.promise)
  await m.bot.say('alice', '@kiki forget me', { id: 'order' })
  await m.bot.edit('order', '@kiki forget me not is a flower')
  thinking.resolve('')
  await m.bot.pass('10m')
  expect(m.bot.sent.filter(one => ANSWERED.test(one))).toEqual([])
  expect(await m.facts()).toHaveLength(1)
})

test('the person is forgotten, even if the process dies after the answer', async () => {
  await using m = await remembering({ storage })
  await m.bot.say('alice', '@kiki remember that I play the cello')
  const sent = Promise.withResolvers<void>()
  m.bot.platform.faults.push(sent.promise)
  await m.bot.say('alice', '@kiki forget me')
  await m.bot.restart()
  sent.resolve()
  await m.bot.pass('10m')
  expect(await m.facts()).toEqual([])
})

test('other people are not forgotten', async () => {
  await using m = await remembering({ storage })
  await m.bot.say('bob', '@kiki remember that the train leaves at ten')
  await m.bot.say('alice', '@kiki forget me')
  await m.bot.pass('10m')
  expect(await m.facts()).toHaveLength(1)
})
