/** A log with many messages that an index or a follower has passed already: what it reads for a few new ones. */
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import type { Database } from '../../api/index.ts'
import { findDue, readNext } from './due.ts'
import { messageLogOf } from './index.ts'
import { begin, findPlace, markNews } from './marks.ts'

const INDEXED = 5_000
/** On a server, the index examines its last messages again. */
const EXAMINED_AGAIN = 500

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Plan[]
}

/** How many rows of messages a plan has read. */
function messagesRead(plan: Plan): number {
  const { 'Relation Name': relation = '', 'Actual Rows': rows, 'Actual Loops': loops, Plans: inner = [] } = plan
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = relation.startsWith('message') ? (rows + removed) * loops : 0
  return own + inner.reduce((sum, one) => sum + messagesRead(one), 0)
}

/** A database that notes how many messages the plans of statements read that choose messages. */
function explaining(db: Database): { readonly db: Database; readonly read: number[] } {
  const read: number[] = []
  const query: Database['query'] = async (sql, values) => {
    if (/^\s*with (?:m|marked) as/.test(sql)) {
      const { rows } = await db.query<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        `explain (analyze, timing off, format json) ${sql}`,
        values,
      )
      for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) read.push(messagesRead(plan))
    }
    return db.query(sql, values)
  }
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'query') return query
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: watched, read }
}

const PEOPLE =
  'kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, at, received_at)'

/** A bot with a log of many messages, and a database that notes what is read of it. */
async function large() {
  const bot = await testBot({ storage: 'pglite' })
  const { db } = bot
  await bot.say('alice', 'the cat is called Momo')
  const insert = (name: string, count: number) =>
    db.query(
      `insert into ${PEOPLE}
       select conversation, channel, $1 || n, author_id, author_name, false, false, false, 'message ' || n, '[]', '[]', at, received_at
       from kikimimi.message, generate_series(1, $2::int) n where text like 'the cat%'`,
      [name, count],
    )
  await insert('many', INDEXED)
  const edit = () => db.query(`update kikimimi.message set text = text || '!' where id in ('many1', 'many2')`)
  return { ...explaining(db), bot, plain: db, insert, edit, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const NEWS = ['many1', 'many2', 'new1', 'new2', 'new3', 'new4', 'new5']

test('an index reads new messages from its mark, and edited ones by their numbers', async () => {
  await using log = await large()
  const { db, plain, read } = log
  const stored: string[] = []
  const index = messageLogOf(db).index({
    ...{ name: 'reader', most: 1_000, again: 'edited' },
    store: async messages => void stored.push(...messages.map(({ id }) => id)),
  })
  expect(await index.run()).toBe(INDEXED + 1)
  await plain.script('analyze kikimimi.message; analyze kikimimi.follower_mark')

  await log.edit()
  await log.insert('new', 5)
  read.length = 0
  stored.length = 0
  expect(await index.waiting()).toBe(7)
  expect(await index.run()).toBe(7)
  expect(stored.toSorted()).toEqual(NEWS)
  expect(read).toHaveLength(2)
  const examined = plain.kind === 'postgres' ? EXAMINED_AGAIN : 0
  expect(read.reduce((sum, one) => sum + one)).toBeLessThan(2 * examined + 50)
  expect(await index.waiting()).toBe(0)
})

test('a follower reads as many messages after its mark as a batch has, and edited ones by their numbers', async () => {
  await using log = await large()
  const { db, plain, read } = log
  await begin(plain, 'reader', 'edited')
  await plain.query(`update kikimimi.follower set began = 0, seq = 0`)
  await markNews(plain, { name: 'reader' })
  const middle = `(select seq from kikimimi.message where id = 'many${INDEXED / 2}')`
  await plain.query(`update kikimimi.follower_mark set upto = ${middle}`)
  await plain.script('analyze kikimimi.message; analyze kikimimi.follower_mark')
  await log.edit()
  const { now } = await findDue(db, 'reader', new Date(), { most: 10, lull: 0 })
  const [place = ''] = now
  const next = await readNext(db, await findPlace(plain, 'reader', place), 5)
  expect(next.map(({ id }) => id)).toEqual(['many1', 'many2', 'many2501', 'many2502', 'many2503'])
  expect(read).toHaveLength(2)
  expect(read.reduce((sum, one) => sum + one)).toBeLessThan(100)
})

test.each(['operator', { id: 'test/team/general' }] as const)(
  'a place is read from its end, and nothing before a time: %j',
  async readers => {
    await using log = await large()
    const { db, plain, bot, read } = log
    await bot.pass('1h')
    const receivedSince = new Date(bot.clock.now() - 1)
    for (const text of ['one', 'two']) await bot.say('alice', text)
    await plain.script('analyze kikimimi.message')
    const [{ channel = '' } = {}] = (await plain.query<{ channel: string }>('select channel from kikimimi.message limit 1')).rows
    for (const query of [
      { conversations: [channel], receivedSince, first: true, limit: 2 },
      { conversations: [channel, 'test/team/random'], receivedSince, limit: 100 },
      { channel, limit: 2 },
    ]) {
      const found = await messageLogOf(db).read({ ...query, readers })
      expect(found.map(({ text }) => text)).toEqual(['one', 'two'])
    }
    expect(read).toHaveLength(3)
    expect(read.reduce((sum, one) => sum + one)).toBeLessThan(50)
  },
)
