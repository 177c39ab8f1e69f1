// postgres: partitions and their locks
/** Months of the log: recorded once, dropped as a whole, with all that follows the log. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Conversation, conversationId, type Message } from '../../api/index.ts'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { connectTestDatabase, openTestDatabase, testServer } from '../../testing/test-database.ts'
import { createSqlStore } from './sql.ts'
import { addMonths } from './sweep.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
// Later than the migration, which takes all months until the next as one.
const MARCH = new Date('2040-03-10T00:00:00Z')
const MAY = new Date('2040-05-10T00:00:00Z')
const clock = new VirtualClock(MAY.getTime())

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase({ migrations: {} })
  await db.script(`
    create schema shop;
    create table shop.gone (id text);
    create function shop.purged() returns trigger language plpgsql as $$
    begin
      insert into shop.gone select id from gone;
      return null;
    end $$;
    select kikimimi_v1.after_message_purge('shop.purged');`)
})
afterAll(() => db.close())
beforeEach(() => db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, shop.gone'))

const rows = async (sql: string) => (await db.query(sql)).rows
const months = () => rows(`select name from kikimimi.partitions_of('kikimimi.message') where name ~ '2040' order by name`)
const where = async (id: string) =>
  (await db.query<{ table: string }>('select tableoid::regclass::text as table from kikimimi.message where id = $1', [id])).rows

it('a message of a month without a partition moves into it when that is added', async () => {
  const store = createSqlStore(db, log, clock)
  await store.record(place, message('m1', MARCH), MARCH)
  expect(await where('m1')).toEqual([{ table: 'kikimimi.message_other' }])
  await addMonths(db, MARCH)
  await addMonths(db, MARCH)
  expect(await where('m1')).toEqual([{ table: 'kikimimi.message_2040_03' }])
  expect(await months()).toHaveLength(3)
  expect(await store.record(place, message('m1', MARCH), MARCH)).toBe(false)
})

it('a month that is too old leaves the log, the counters and the plugins, and its table is gone', async () => {
  const store = createSqlStore(db, log, clock)
  await addMonths(db, MARCH)
  await store.record(place, message('m1', MARCH), MARCH)
  await store.record(place, message('m2', MAY), MAY)
  await store.sweep(new Date('2040-04-20T00:00:00Z'), new Date('2040-04-20T00:00:00Z'))
  expect(await rows('select id from kikimimi_v1.message')).toEqual([{ id: 'm2' }])
  expect(await rows('select month::text from kikimimi_v1.author')).toEqual([{ month: '2040-05-01' }])
  expect(await rows('select id from shop.gone')).toEqual([{ id: 'm1' }])
  expect(await rows(`select 1 from pg_class where relname ~ '_gone_'`)).toEqual([])
  expect((await months()).map(({ name }) => name)).not.toContain('kikimimi.message_2040_03')
})

it.runIf(testServer())('messages are recorded while a month waits for a reader of the log before it leaves', async () => {
  const store = createSqlStore(db, log, clock)
  await addMonths(db, MARCH)
  await store.record(place, message('m1', MARCH), MARCH)
  const [reads, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reader = db.transaction(async () => {
    await db.query('select count(*) from kikimimi.message')
    reads.resolve()
    await ended.promise
  })
  await reads.promise
  const sweeping = store.sweep(new Date('2040-04-20T00:00:00Z'), new Date('2040-04-20T00:00:00Z'))
  const asked = `select 1 from pg_stat_activity where datname = current_database() and state = 'active' and wait_event_type = 'Lock'
    and query like '%detach_months%' and pid <> pg_backend_pid()`
  while ((await db.query(asked)).rowCount === 0) await pause(10)
  expect(await store.record(place, message('m2', MAY), MAY)).toBe(true)
  ended.resolve()
  await Promise.all([reader, sweeping])
  expect(await rows('select id from kikimimi_v1.message')).toEqual([{ id: 'm2' }])
})

it('the table of a dropped month that a crash left is deleted by the next sweep', async () => {
  const store = createSqlStore(db, log, clock)
  await addMonths(db, MAY)
  await store.record(place, message('m1', MAY), MAY)
  await db.query('select kikimimi.detach_months($1, $2)', ['message', new Date('2040-06-01T00:00:00Z')])
  expect(await rows('select id from kikimimi_v1.message')).toEqual([])
  await store.sweep(new Date(0), new Date(0))
  expect(await rows('select id from shop.gone')).toEqual([{ id: 'm1' }])
  expect(await rows(`select 1 from pg_class where relname ~ '_gone_'`)).toEqual([])
})

it('what concerns one message of the last days reads two months at most, and an older one is found too', async () => {
  await db.query(`select kikimimi.add_months($1, $1::timestamptz + interval '24 months')`, [MARCH])
  const store = createSqlStore(db, log, clock)
  const own = (id: string, said: Date) => ({ ...message(id, said), own: true })
  for (const [id, said] of [
    ['new', MAY],
    ['old', MARCH],
  ] as const) {
    await store.record(place, message(id, said), MAY)
    await store.record(place, own(`${id} own`, said), MAY)
    await db.query(`update kikimimi.message set answered_by = 'turn of ' || id where id = $1`, [id])
    await db.query(
      `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, state, at) values ($1, $2, 'turn of ' || $1, 0, 'text', 'sent', $3)`,
      [id, place.id, said],
    )
  }
  const concerning = (id: string) => ({
    find: () => store.find(place, [id]),
    isOwn: () => store.isOwn(place, `${id} own`),
    edit: () => store.edit(place, id, { text: `${id} edited` }, MAY),
    readdress: () => store.readdress(place, id, 'mention'),
    react: () => store.react(place, id, { emoji: '👍', by: 'ann' }),
    reopen: () => store.reopen(place, `turn of ${id}`),
    rewrite: () => store.rewrite(place, `${id} own`, `${id} rewritten`, MAY),
    retract: () => store.retract(place, `${id} own`, MAY),
    remove: () => store.remove(place, id, MAY),
  })
  const read: Record<string, number> = {}
  const seen: unknown[] = []
  for (const [what, run] of Object.entries(concerning('new'))) read[what] = await monthsRead(run)
  for (const run of Object.values(concerning('old'))) {
    await run()
    seen.push(
      ...(await rows(
        `select text, answered_by, addressed, reactions, deleted_at is null as there from kikimimi.message where id = 'old'`,
      )),
    )
  }
  expect(Object.entries(read).filter(([, months]) => months > 2)).toEqual([])
  expect(seen.at(-2)).toEqual({
    text: 'old edited',
    answered_by: null,
    addressed: 'mention',
    reactions: [{ emoji: '👍', by: ['ann'] }],
    there: true,
  })
  expect(await rows(`select id, text from kikimimi.message where deleted_at is not null order by id`)).toEqual(
    ['new', 'new own', 'old', 'old own'].map(id => ({ id, text: '' })),
  )
})

it('a turn moves with its month, stays counted and indexed, and leaves the index with it', async () => {
  await db.script('truncate kikimimi.trace')
  const store = createSqlStore(db, log, clock)
  const at = new Date('2043-03-10T00:00:00Z')
  const turn = {
    turn: 't1',
    conversation: place.id,
    at,
    outcome: 'silent',
    messages: [],
    trigger: '',
    sent: [],
    sections: [],
  } as const
  await store.keepTrace({ ...turn, models: [], problems: [], ms: {} })
  const index = async () => [
    ...(await rows(`select tableoid::regclass::text as table from kikimimi.trace`)),
    ...(await rows(`select distinct tableoid::regclass::text as table from kikimimi.turn_facet`)),
    ...(await rows(`select sum(turns)::int as turns from kikimimi.turn_hour`)),
  ]
  expect(await index()).toEqual([{ table: 'kikimimi.trace_other' }, { table: 'kikimimi.turn_facet_other' }, { turns: 1 }])
  await addMonths(db, at)
  expect(await index()).toEqual([{ table: 'kikimimi.trace_2043_03' }, { table: 'kikimimi.turn_facet_2043_03' }, { turns: 1 }])
  await store.ended(place, 't1', { outcome: 'replied', sent: [] })
  await store.sweep(new Date(0), new Date('2043-04-20T00:00:00Z'))
  expect(await index()).toEqual([{ turns: null }])
  expect(await rows(`select 1 from pg_class where relname ~ '_gone_'`)).toEqual([])
})

it('a message that comes again with another time is recorded once', async () => {
  const store = createSqlStore(db, log, clock)
  await addMonths(db, MAY)
  const again = (hours: number) => message('m1', new Date(MAY.getTime() - hours * 3_600_000))
  expect(await store.record(place, again(0), MAY)).toBe(true)
  expect(await store.record(place, again(0), MAY)).toBe(false)
  expect(await store.record(place, again(30), MAY)).toBe(false)
})

it('the own message, which the sending and the event of the platform record with two times, is recorded once', async () => {
  const store = createSqlStore(db, log, clock)
  const own = { ...message('own', MAY), own: true }
  // The first takes the recorder, so that the others are one batch.
  const told = await Promise.all([
    store.record(place, message('m1', MAY), MAY),
    store.record(place, own, MAY),
    store.record(place, { ...own, at: new Date(MAY.getTime() + 7) }, MAY),
  ])
  expect(told).toEqual([true, true, false])
  expect(await rows(`select id from kikimimi.message where own`)).toEqual([{ id: 'own' }])
})

it.runIf(testServer()).each([true, false])(
  'two processes that record a message (own: %s) with two times record it once',
  async own => {
    await using beside = await connectTestDatabaseTo(db)
    const processes = [createSqlStore(db, log, clock), createSqlStore(beside, log, clock)]
    for (let round = 0; round < 50; round++) {
      const one = { ...message(`${own}-${round}`, MAY), own }
      const told = await Promise.all(
        processes.map((store, n) => store.record(place, { ...one, at: new Date(MAY.getTime() + n) }, MAY)),
      )
      expect([round, told.toSorted()]).toEqual([round, [false, true]])
    }
    expect(await rows('select count(*)::int as n from kikimimi.message')).toEqual([{ n: 50 }])
  },
)

it.runIf(testServer())('of two processes that record the same messages at once, one records each', async () => {
  await using other = await connectTestDatabaseTo(db)
  const stores = [createSqlStore(db, log, clock), createSqlStore(other, log, clock)]
  await addMonths(db, MAY)
  const results = await Promise.all(
    Array.from({ length: 200 }, (_, n) => Promise.all(stores.map(store => store.record(place, message(`m${n}`, MAY), MAY)))),
  )
  expect(results.map(both => both.filter(Boolean).length)).toEqual(results.map(() => 1))
  expect(await rows('select count(*)::int as count from kikimimi.message')).toEqual([{ count: 200 }])
})

/** The largest number of months in the plan of a statement that runs meanwhile. */
async function monthsRead(run: () => Promise<unknown>): Promise<number> {
  const query = db.query.bind(db)
  const counts: number[] = []
  db.query = async (sql, params) => {
    const { rows } = await query<{ 'QUERY PLAN': string }>(`explain ${sql}`, params)
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    counts.push(new Set(plan.match(/ on message_(\d{4}_\d\d|earlier|other)/g)).size)
    return query(sql, params)
  }
  try {
    await run()
  } finally {
    db.query = query
  }
  return Math.max(...counts)
}

async function connectTestDatabaseTo(one: typeof db) {
  const other = await connectTestDatabase('url' in one ? one.url : '')
  return Object.assign(other, { [Symbol.asyncDispose]: () => other.close() })
}

const at = { platform: 'test', workspace: 'w', channel: 'c', name: 'c', visibility: 'public' } as const
const place: Conversation = { ...at, id: conversationId(at) }

function message(id: string, said: Date): Message {
  return { id, author: { id: 'ann', name: 'Ann' }, text: id, at: said, mentions: [], attachments: [], own: false }
}
