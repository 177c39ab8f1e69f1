/** A log with many messages that are indexed already: what the index reads for a few new ones. */
import type { Database } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts } from '../test-memory.ts'
import { indexMessages } from './messages.ts'

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

/** How many rows of messages, of the log and of the index, a plan has read. */
function messagesRead(plan: Plan): number {
  const { 'Relation Name': relation = '', 'Actual Rows': rows, 'Actual Loops': loops, Plans: inner = [] } = plan
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const own = relation.startsWith('message') ? (rows + removed) * loops : 0
  return own + inner.reduce((sum, one) => sum + messagesRead(one), 0)
}

/** A database that notes how many messages the plan of the statement for the next messages reads. */
function explaining(db: Database): { readonly db: Database; readonly read: number[] } {
  const read: number[] = []
  const query: Database['query'] = async (sql, values) => {
    if (/^\s*with next/.test(sql)) {
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

test('the index reads new messages from its mark, and edited ones by their numbers', async () => {
  await using bot = await testBot({ plugins: borrowedFacts().plugins })
  const { db } = bot
  await bot.say('alice', 'the cat is called Momo')
  await bot.pass('10s')
  await db.query(
    `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments,
       reactions, at, received_at)
     select conversation, channel, 'many' || n, author_id, author_name, false, false, false, 'message ' || n, '[]', '[]', '[]', at, received_at
     from kikimimi.message, generate_series(1, $1) n where id = (select id from facts.message)`,
    [INDEXED],
  )
  await db.query(
    `with made as (
       insert into facts.item (kind, scope, at, tokens, words)
       select i.kind, i.scope, i.at, i.tokens, i.words from facts.item i, generate_series(1, $1) returning id
     )
     insert into facts.message (item, seq, channel, id, author, sitting, line, asks)
     select i.id, l.seq, l.channel, l.id, l.author_id, i.id, 0, false
     from (select id, row_number() over (order by id) as n from made) i
       join (select *, row_number() over (order by seq) as n from kikimimi.message where id like 'many%') l using (n)`,
    [INDEXED],
  )
  await db.query('update facts.watermark set seq = (select max(seq) from kikimimi.message)')
  await db.script('analyze kikimimi.message; analyze facts.message; analyze facts.item')

  const examined = db.kind === 'postgres' ? EXAMINED_AGAIN : 0
  for (const id of ['many1', 'many2'])
    await db.query('insert into facts.edited (seq) select seq from kikimimi.message where id = $1', [id])
  await db.query(`delete from facts.item where id in (select item from facts.message where id in ('many1', 'many2'))`)
  await db.query(
    `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments,
       reactions, at, received_at)
     select conversation, channel, 'new' || n, author_id, author_name, false, false, false, 'new ' || n, '[]', '[]', '[]', at, received_at
     from kikimimi.message, generate_series(1, 5) n where id = 'many3'`,
  )
  const explained = explaining(db)
  expect(await indexMessages(explained.db)).toEqual({ count: 7, more: false })
  expect(explained.read).toHaveLength(1)
  // Of the log and of the index each, with the message before each new one.
  expect(explained.read[0]).toBeGreaterThanOrEqual(7)
  expect(explained.read[0]).toBeLessThan(2 * examined + 100)
})
