// postgres: the contract of stores, and locks
import { afterAll, beforeAll, expect, it } from 'vitest'
import { conversationId } from '../../api/index.ts'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { storeContract } from '../../testing/store-contract.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { migrate } from '../database/migrate.ts'
import { createMemoryStore } from './memory.ts'
import { createSqlStore } from './sql.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
// The time of the messages.
const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))

beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('../migrations/', import.meta.url), systemClock)
})
afterAll(() => db.close())

storeContract('memory', async () => createMemoryStore())

storeContract('a database', async () => {
  await db.script(
    'truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.trace, kikimimi.forgetting, kikimimi.source cascade',
  )
  return createSqlStore(db, log, clock)
})

it.runIf(testServer())('a process records behind another that has not committed', async () => {
  await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation')
  const place = { platform: 'test', workspace: '', channel: 'c', name: 'c', visibility: 'public' } as const
  const conversation = { id: conversationId(place), ...place }
  const message = (id: string) => ({
    id,
    author: { id: 'alice', name: 'alice' },
    text: id,
    at: new Date(0),
    mentions: [],
    attachments: [],
    own: false,
  })
  const [one, other] = [createSqlStore(db, log, clock), createSqlStore(db, log, clock)]
  await one.record(conversation, message('before'), new Date(0))
  await other.record(conversation, message('before too'), new Date(0))
  const begun = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const first = one.record(conversation, message('first'), new Date(0), () => {
    begun.resolve()
    return commit.promise
  })
  await begun.promise
  let recorded = false
  const second = other.record(conversation, message('second'), new Date(0)).then(() => {
    recorded = true
  })
  const waits = async () => (await db.query('select 1 from pg_locks where not granted')).rows.length > 0
  while (!(await waits()) && !recorded);
  expect(recorded).toBe(false)
  commit.resolve()
  await Promise.all([first, second])
  const look = await one.loadTurn(conversation.id, 50, new Date(0))
  expect(look?.batch.map(entry => entry.message.id)).toEqual(['before', 'before too', 'first', 'second'])
})

it.runIf(testServer())('an answer in a new thread locks its channel first, as a batch of messages does', async () => {
  await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery')
  const channel = { platform: 'test', workspace: '', channel: 'c', name: 'c', visibility: 'public' } as const
  const thread = { ...channel, thread: 't' }
  const store = createSqlStore(db, log, clock)
  const said = (id: string, own: boolean) => ({
    ...{ id, text: id, at: new Date(0), mentions: [], attachments: [], own },
    author: { id: 'alice', name: 'alice' },
  })
  const [inChannel, inItsThread] = [channel, thread].map(place => ({ id: conversationId(place), ...place }))
  if (!inChannel || !inItsThread) throw new Error('no places')
  await store.record(inChannel, said('call', false), new Date(0))
  await store.record(inItsThread, said('before', true), new Date(0))
  const lock = (id: string, how = '') =>
    db.query(`select id from kikimimi.conversation where id = $1 for no key update ${how}`, [id])
  await store.enqueue(inChannel, [{ nonce: 'n', turn: 't', kind: 'text', body: 'answer' }], new Date(0), [], async () => {})
  const isLocked = Promise.withResolvers<void>()
  const isWaiting = Promise.withResolvers<void>()
  const batch = db.transaction(async () => {
    await lock(inChannel.id)
    isLocked.resolve()
    await isWaiting.promise
    // The other one has no lock yet, so this does not wait for it.
    expect((await lock(inItsThread.id, 'nowait')).rows).toHaveLength(1)
  })
  await isLocked.promise
  const answer = store.record(inItsThread, said('answer', true), new Date(0), () => store.sent('n', 'answer', new Date(0)))
  const waits = async () => (await db.query('select 1 from pg_locks where not granted')).rows.length > 0
  let isDone = false
  void answer.then(() => {
    isDone = true
  })
  while (!(await waits()) && !isDone);
  isWaiting.resolve()
  await batch
  expect(await answer).toBe(true)
})

it('a message that is made from words of a person who has opted out is refused', async () => {
  await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.source')
  const place = { platform: 'test', workspace: '', channel: 'silent', name: 'silent', visibility: 'public' } as const
  const conversation = { id: conversationId(place), ...place }
  const store = createSqlStore(db, log, clock)
  const author = { id: 'mute', name: 'mute' }
  const message = { id: 'one', author, text: 'one', at: new Date(0), mentions: [], attachments: [], own: false }
  await store.record(conversation, message, new Date(0))
  await db.query(`insert into kikimimi.opt_out (platform, person, since) values ('test', 'mute', $1)`, [new Date(0)])
  const sources = [{ channel: conversation.id, messages: ['one'] }]
  const send = store.enqueue(
    conversation,
    [{ nonce: 'n', turn: 'send-1', kind: 'text', body: 'one' }],
    new Date(1),
    sources,
    async () => {},
  )
  await expect(send).rejects.toMatchObject({ code: 'SOURCES_LOST' })
})

it('a message that is made from a range is refused only for what happens since', async () => {
  await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.source')
  const place = { platform: 'test', workspace: '', channel: 'range', name: 'range', visibility: 'public' } as const
  const conversation = { id: conversationId(place), ...place }
  const store = createSqlStore(db, log, clock)
  const author = { id: 'alice', name: 'alice' }
  const message = { id: 'one', author, text: 'one', at: new Date(0), mentions: [], attachments: [], own: false }
  for (const id of ['one', 'two']) await store.record(conversation, { ...message, id }, new Date(0))
  await store.remove(conversation, 'one', new Date(10))
  const range = [{ conversation: conversation.id, first: 0, last: 1_000_000 }]
  const send = (turn: string, at: number) =>
    store.enqueue(conversation, [{ nonce: turn, turn, kind: 'text', body: turn }], new Date(at), range, async () => {})
  await expect(send('send-1', 10)).rejects.toMatchObject({ code: 'SOURCES_LOST' })
  await send('send-2', 11)
  expect(await store.unfinished(conversation.id)).toMatchObject([{ nonce: 'send-2' }])
})

it.runIf(testServer())('a message that is recorded while its source is deleted leaves no words', async () => {
  await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.source')
  const place = { platform: 'test', workspace: '', channel: 'c', name: 'c', visibility: 'public' } as const
  const conversation = { id: conversationId(place), ...place }
  const store = createSqlStore(db, log, clock)
  const at = new Date(clock.now())
  const said = { author: { id: 'alice', name: 'alice' }, at, mentions: [], attachments: [] }
  await store.record(conversation, { ...said, id: 'one', text: 'one', own: false }, at)
  const sources = [{ channel: conversation.id, messages: ['one'] }]
  await store.enqueue(conversation, [{ nonce: 'n', turn: 'send-1', kind: 'text', body: 'one' }], at, sources, async () => {})
  await store.sending('n', 'pending', at)
  const begun = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const posted = store.record(conversation, { ...said, id: 'posted', text: 'one', own: true }, at, async () => {
    await store.sent('n', 'posted', at)
    begun.resolve()
    await commit.promise
  })
  await begun.promise
  const removed = store.remove(conversation, 'one', at)
  while ((await db.query('select 1 from pg_locks where not granted')).rows.length === 0);
  commit.resolve()
  await Promise.all([posted, removed])
  const { rows } = await db.query<{ id: string; text: string }>('select id, text from kikimimi.message order by seq')
  expect(rows).toEqual([
    { id: 'one', text: '' },
    { id: 'posted', text: '' },
  ])
})
