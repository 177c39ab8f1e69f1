// postgres: several processes share turns
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { conversationId, type Message } from '../../api/index.ts'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { createReloadBarrier } from '../../base/reload-barrier.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { silentLog as log } from '../../testing/test-log.ts'
import { migrate } from '../database/migrate.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createSqlStore } from '../store/sql.ts'
import type { Store } from '../store/store.ts'
import type { LeasedTurn, NextTurn, Wait } from '../store/turn-store.ts'
import { createTurnQueue, type TakeTurn, type TurnQueue } from './turn-queue.ts'

const SECOND = 1_000
const decision = { kind: 'full', why: 'test' } as const

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('../migrations/', import.meta.url), systemClock)
})
afterAll(() => db.close())

function place(channel: string) {
  const conversation = { platform: 'test', workspace: '', channel, name: channel, visibility: 'public' } as const
  return { id: conversationId(conversation), ...conversation }
}

function said(id: string, at: number): Message {
  return { id, author: { id: 'alice', name: 'alice' }, text: id, at: new Date(at), mentions: [], attachments: [], own: false }
}

describe.each(['memory', 'a database'] as const)('turns in %s', kind => {
  let store: Store
  let clock: VirtualClock
  let queues: TurnQueue[]
  let took: { readonly channel: string; readonly at: number; readonly turn: LeasedTurn }[]
  let count = 0

  beforeEach(async () => {
    await db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation, kikimimi.delivery, kikimimi.trace')
    clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
    store = kind === 'memory' ? createMemoryStore() : createSqlStore(db, log, clock)
    queues = []
    took = []
  })
  afterEach(() => Promise.all(queues.map(queue => queue.stop(0))))

  /** A queue on the same data, like another process or a later start. */
  function open(concurrency = 4, of: Store = store): TurnQueue {
    const queue = createTurnQueue({
      ...{ store: of, clock, pollClock: clock.lazily(), log, concurrency },
      barrier: createReloadBarrier(clock),
      shared: undefined,
      settings: { current: { turns: { memory: { size: 50, ttlMs: 3_600_000 } } } },
    })
    queues.push(queue)
    return queue
  }

  async function settle(): Promise<void> {
    for (let round = 0; round < 20; round++) {
      await setImmediate()
      if (db.inFlight > 0) round = -1
    }
  }
  const pass = (ms: number) => clock.advance(clock.now() + ms, { settle })

  async function say(
    queue: TurnQueue,
    channel: string,
    over: { ms?: number; mostMs?: number; urgent?: boolean } = {},
  ): Promise<void> {
    const { ms = 0, mostMs = 60 * SECOND, urgent = false } = over
    const now = clock.now()
    const wait: Wait = {
      due: new Date(now + ms),
      latest: new Date(now + mostMs),
      ...{ urgent, vary: 1, movesSince: new Date(now) },
    }
    const recorded = await store.receive(place(channel), said(`m${++count}`, now), new Date(now), wait)
    if (recorded?.dueAt) queue.expect(place(channel).id, recorded.dueAt)
  }

  /** Notes the turn and marks its batch as processed. */
  const taking =
    (more: (turn: LeasedTurn, signal: AbortSignal) => unknown = () => {}): TakeTurn =>
    async (turn, signal) => {
      took.push({ channel: turn.state.conversation.channel, at: clock.now(), turn })
      const next = await more(turn, signal)
      if (next === undefined) await store.markProcessed(turn.conversation, turn.state.lastSeq)
      return next as NextTurn | undefined
    }

  const channels = () => took.map(({ channel }) => channel)

  it('a turn is taken at its time, with the messages until then', async () => {
    const queue = open()
    await queue.start(taking())
    const start = clock.now()
    await say(queue, 'dev', { ms: 5 * SECOND })
    await pass(4 * SECOND)
    expect(took).toEqual([])
    await pass(2 * SECOND)
    expect(took).toMatchObject([{ channel: 'dev', at: start + 5 * SECOND, turn: { attempts: 0, state: { batch: [{}] } } }])
    await pass(60 * SECOND)
    expect(took).toHaveLength(1)
    expect(await queue.state()).toEqual({ due: 0, active: 0 })
  })

  it('a further message moves the turn, up to the longest wait', async () => {
    const queue = open()
    await queue.start(taking())
    const start = clock.now()
    for (let second = 0; second < 14; second++) {
      await say(queue, 'dev', { ms: 4 * SECOND, mostMs: 10 * SECOND })
      await pass(SECOND)
    }
    expect(took.map(({ at }) => at - start)).toEqual([10 * SECOND])
    expect(took[0]?.turn.state.batch).toHaveLength(10)
    await pass(60 * SECOND)
    expect(took.map(({ at }) => at - start)).toEqual([10 * SECOND, 17 * SECOND])
  })

  it('a call is taken at once, and further messages do not move it', async () => {
    const first = Promise.withResolvers<undefined>()
    const queue = open(1)
    await queue.start(taking(({ state }) => (state.conversation.channel === 'busy' ? first.promise : undefined)))
    await say(queue, 'busy')
    await pass(0)
    await say(queue, 'ops')
    await say(queue, 'dev', { urgent: true })
    await say(queue, 'dev', { ms: 30 * SECOND })
    await pass(SECOND)
    expect(channels()).toEqual(['busy'])
    first.resolve(undefined)
    await pass(SECOND)
    expect(channels()).toEqual(['busy', 'dev', 'ops'])
  })

  it('of one conversation at most one runs, and what comes meanwhile gets the next', async () => {
    const first = Promise.withResolvers<undefined>()
    const queue = open()
    await queue.start(taking(() => (took.length === 1 ? first.promise : undefined)))
    await say(queue, 'dev')
    await pass(0)
    await say(queue, 'dev')
    await say(queue, 'ops')
    await pass(5 * SECOND)
    expect(channels()).toEqual(['dev', 'ops'])
    expect(await queue.state()).toMatchObject({ due: 0, active: 1 })
    first.resolve(undefined)
    await pass(SECOND)
    expect(channels()).toEqual(['dev', 'ops', 'dev'])
  })

  it('a turn names the turn that follows', async () => {
    const queue = open()
    const delayed = { decision, lastSeq: 1, at: clock.now() + 20 * SECOND }
    await queue.start(taking(turn => (turn.delayed ? undefined : { at: delayed.at, vary: 2, delayed })))
    await say(queue, 'dev')
    await pass(0)
    expect(await queue.waiting({ limit: 10 })).toEqual([
      { conversation: place('dev').id, at: new Date(delayed.at), vary: 2, delayed },
    ])
    await pass(21 * SECOND)
    expect(took.map(({ turn }) => turn.delayed)).toEqual([undefined, delayed])
    expect(await queue.waiting({ limit: 10 })).toEqual([])
  })

  it('a delayed answer is decided again, when something came during its decision', async () => {
    const queue = open()
    const thinking = Promise.withResolvers<void>()
    await queue.start(
      taking(async () => {
        if (took.length > 1) return undefined
        await thinking.promise
        const at = clock.now() + 60 * SECOND
        return { at, vary: 1, delayed: { decision, lastSeq: 1, at } }
      }),
    )
    await say(queue, 'dev')
    await pass(0)
    await queue.schedule(place('dev').id, { at: clock.now() + 5 * SECOND, vary: 1 }, 'instead')
    thinking.resolve()
    await pass(6 * SECOND)
    expect(took.map(({ turn }) => turn.delayed)).toEqual([undefined, undefined])
  })

  it('`sooner` keeps a turn that is due earlier, and `instead` replaces it', async () => {
    const queue = open()
    await queue.start(taking())
    const start = clock.now()
    const { id } = place('dev')
    await say(queue, 'dev', { ms: 10 * SECOND })
    await queue.schedule(id, { at: start + 20 * SECOND, vary: 1 }, 'sooner')
    expect((await queue.waiting({ in: id, limit: 1 }))[0]?.at).toEqual(new Date(start + 10 * SECOND))
    await queue.schedule(id, { at: start + 5 * SECOND, vary: 1 }, 'sooner')
    expect((await queue.waiting({ in: id, limit: 1 }))[0]?.at).toEqual(new Date(start + 5 * SECOND))
    await queue.schedule(id, { at: start + 30 * SECOND, vary: 1 }, 'instead')
    await pass(29 * SECOND)
    expect(took).toEqual([])
    await pass(2 * SECOND)
    expect(took).toHaveLength(1)
  })

  it('a failed turn is tried ten times with growing pauses, and the next message takes its batch again', async () => {
    const queue = open()
    let isBroken = true
    await queue.start(
      taking(() => {
        if (isBroken) throw new TypeError('what somebody said')
      }),
    )
    const start = clock.now()
    await say(queue, 'dev')
    await pass(1_500)
    expect(took.map(({ at }) => at - start)).toEqual([0, SECOND])
    expect((await queue.queue()).failed).toEqual([{ kind: 'turn', retrying: 1, deadLetters: 0, why: 'TypeError' }])
    await pass(3_600 * SECOND)
    expect(took).toHaveLength(11)
    expect((await queue.queue()).failed).toEqual([
      { kind: 'turn', retrying: 0, deadLetters: 1, why: 'TypeError', last: expect.any(Date) },
    ])
    isBroken = false
    await say(queue, 'dev')
    await pass(SECOND)
    expect(took.at(-1)?.turn.state.batch).toHaveLength(2)
    expect((await queue.queue()).failed).toEqual([])
  })

  it('the number of turns that run can grow and shrink', async () => {
    let open_ = Promise.withResolvers<undefined>()
    const queue = open(2)
    await queue.start(taking(() => open_.promise))
    for (let channel = 0; channel < 6; channel++) await say(queue, `c${channel}`)
    await pass(SECOND)
    expect(took).toHaveLength(2)
    queue.setConcurrency(5)
    await pass(SECOND)
    expect(await queue.state()).toMatchObject({ due: 1, active: 5 })
    queue.setConcurrency(1)
    open_.resolve(undefined)
    await pass(SECOND)
    expect(took).toHaveLength(6)
    open_ = Promise.withResolvers()
    open_.resolve(undefined)
  })

  it('delayed answers are dropped where they name a person, and their batches are judged again', async () => {
    const queue = open()
    await queue.start(
      taking(turn => {
        if (took.length > 2) return undefined
        const at = clock.now() + 60 * SECOND
        return { at, vary: 1, delayed: { decision: { ...decision, why: turn.state.conversation.name }, lastSeq: 1, at } }
      }),
    )
    await say(queue, 'bob')
    await say(queue, 'dev')
    await pass(SECOND)
    await queue.dropDelayed(delayed => delayed.decision.why === 'bob')
    expect((await queue.waiting({ delayed: true, limit: 9 })).map(({ conversation }) => conversation)).toEqual([place('dev').id])
    await pass(70 * SECOND)
    expect(took.slice(2).map(({ channel, turn }) => [channel, turn.delayed?.decision.why])).toEqual([
      ['bob', undefined],
      ['dev', 'dev'],
    ])
  })

  it('a stopped queue begins no turn, and aborts those that do not end', async () => {
    const queue = open()
    await queue.start(
      taking((_turn, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))),
    )
    await say(queue, 'dev')
    await pass(0)
    await queue.stop(10)
    await say(queue, 'ops')
    await pass(60 * SECOND)
    expect(channels()).toEqual(['dev'])
    const later = open()
    await later.start(taking())
    await pass(SECOND)
    expect(channels().toSorted()).toEqual(['dev', 'dev', 'ops'])
  })

  it('an idle queue takes no turns, and another one does', async () => {
    const idle = open()
    await idle.start(taking(), true)
    await say(idle, 'dev')
    await pass(60 * SECOND)
    expect(took).toEqual([])
    await open().start(taking())
    await pass(SECOND)
    expect(channels()).toEqual(['dev'])
  })

  it.skipIf(kind === 'memory')(
    'a turn of a dead process is taken over, with its delayed answer, and a death costs an attempt',
    async () => {
      const dead = createSqlStore(db, log, clock)
      const at = clock.now()
      await say(open(), 'dev')
      const { id } = place('dev')
      const delayed = { decision, lastSeq: 1, at }
      await dead.turns.schedule(id, { at, vary: 1, delayed }, 'instead')
      const memory = { size: 50, since: new Date(0) }
      const lease = { now: new Date(at), by: 'dead', ended: [], running: [], limit: 9, memory }
      expect((await dead.turns.exchange(lease)).leased).toMatchObject([{ conversation: id, attempts: 0, delayed }])
      await db.query(`update kikimimi.conversation set leased_until = now() - interval '1 second'`)
      await open().start(taking())
      await pass(SECOND)
      expect(took).toMatchObject([{ turn: { attempts: 1, delayed } }])
      // The dead process lives on: it ends no lease of another one.
      await dead.turns.exchange({ ...lease, ended: [{ conversation: id, attempts: 5 }], running: [id], limit: 0 })
      const { rows } = await db.query('select attempts from kikimimi.conversation')
      expect(rows).toEqual([{ attempts: 0 }])
    },
  )
})

describe.runIf(testServer())('turns of several processes', () => {
  const memory = { size: 50, since: new Date(0) }
  const AT = new Date('2026-01-05T10:00:00Z')
  const wait: Wait = { due: AT, latest: AT, urgent: false, vary: 1, movesSince: AT }
  const lease = (by: string, limit = 9) => ({ now: AT, by, ended: [], running: [], limit, memory })

  beforeEach(() => db.script('truncate kikimimi.message, kikimimi.tombstone, kikimimi.conversation'))

  it('each is leased once, however many ask at the same time', async () => {
    const stores = Array.from({ length: 4 }, () => createSqlStore(db, log, new VirtualClock(AT)))
    const [one] = stores
    for (let channel = 0; channel < 40; channel++) await one?.receive(place(`c${channel}`), said(`m${channel}`, 0), AT, wait)
    const leased: string[] = []
    for (let round = 0; round < 30 && leased.length < 40; round++) {
      const got = await Promise.all(stores.map((store, index) => store.turns.exchange(lease(`p${index}`, 3))))
      leased.push(...got.flatMap(({ leased }) => leased.map(({ conversation }) => conversation)))
    }
    expect(leased).toHaveLength(40)
    expect(new Set(leased).size).toBe(40)
  })

  it('a message that is being recorded belongs to the turn or to the next one', async () => {
    const stores = Array.from({ length: 3 }, () => createSqlStore(db, log, new VirtualClock(AT)))
    const { id } = place('dev')
    const seen: string[] = []
    let isOver = false
    const recording = stores.slice(1).map(async (store, process) => {
      for (let n = 0; n < 150; n++) await store.receive(place('dev'), said(`m${process}-${n}`, 0), AT, wait)
    })
    const all = Promise.all(recording).then(() => {
      isOver = true
    })
    const [reader] = stores
    // A batch has the latest messages only, and all may wait at once.
    const all300 = { ...memory, size: 300 }
    for (let last = false; ; last = isOver) {
      const { leased } = (await reader?.turns.exchange({ ...lease('reader'), memory: all300 })) ?? { leased: [] }
      for (const { state } of leased) {
        seen.push(...state.batch.map(({ message }) => message.id))
        await reader?.markProcessed(id, state.lastSeq)
      }
      if (leased.length > 0)
        await reader?.turns.exchange({ ...lease('reader', 0), ended: [{ conversation: id, attempts: 0 }], running: [id] })
      if (last && leased.length === 0) break
    }
    await all
    expect(seen).toHaveLength(300)
    expect(new Set(seen).size).toBe(300)
  })
})
