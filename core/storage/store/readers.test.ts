import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Conversation, conversationId, type Message } from '../../api/index.ts'
import { systemClock, VirtualClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { testRounds } from '../../testing/rounds.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { migrate } from '../database/migrate.ts'
import { createSqlStore } from './sql.ts'
import type { Store } from './store.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
// The time of the messages.
const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
const AT = new Date('2026-01-05T10:00:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
let store: Store
let count = 0

beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('../migrations/', import.meta.url), systemClock)
  store = createSqlStore(db, log, clock)
})
afterAll(() => db.close())

type Where = Partial<Omit<Conversation, 'id'>> & Pick<Conversation, 'visibility'>

/** Each scene has a workspace of its own. */
function scene() {
  const workspace = `w${++count}`
  const at = (channel: string, where: Where): Conversation => {
    const parts = { platform: 't', workspace, channel, name: channel, ...where }
    return { id: conversationId(parts), ...parts }
  }
  const say = async (where: Conversation) => {
    const id = `m${++count}`
    const message: Message = { id, author: { id: 'a', name: 'a' }, text: id, at: AT, mentions: [], attachments: [], own: false }
    await store.record(where, message, AT)
    return id
  }
  /** The ids of the messages of this workspace, and of another, that may be shown in a conversation. */
  const shown = async ({ id }: Conversation): Promise<string[]> => {
    const { rows } = await db.query<{ id: string }>(
      `with told as materialized (
         select m.id, m.seq, p.* from kikimimi_v1.message m, lateral kikimimi_v1.place_of(m.conversation, null, m.seq) p
         where starts_with(m.conversation, 't/${workspace}/')
       )
       select id from told where (place, visibility) in (
         select * from kikimimi_v1.readable($1, (select array_agg(place) from told), (select array_agg(visibility) from told)))
       order by seq`,
      [id],
    )
    return rows.map(row => row.id)
  }
  return { at, say, shown }
}

describe('what may be shown in a conversation', () => {
  it('in a private channel with two private threads: each thread what it and the channel say, the channel only its own', async () => {
    const { at, say, shown } = scene()
    const square = at('square', { visibility: 'public' })
    const shed = at('shed', { visibility: 'private' })
    const [one, two] = ['1', '2'].map(thread => at('shed', { visibility: 'private', thread, readers: { own: true } }))
    const open = at('shed', { visibility: 'private', thread: '3', readers: { own: false } })
    if (!one || !two) throw new Error('no threads')
    const [a, b, c, d, e] = [await say(square), await say(shed), await say(one), await say(two), await say(open)]
    expect(await shown(square)).toEqual([a])
    expect(await shown(shed)).toEqual([a, b, e])
    expect(await shown(open)).toEqual([a, b, e])
    expect(await shown(one)).toEqual([a, b, c, e])
    expect(await shown(two)).toEqual([a, b, d, e])
  })

  it('in a channel that outsiders read: only what was said to them', async () => {
    const { at, say, shown } = scene()
    const square = at('square', { visibility: 'public' })
    const shared = at('shared', { visibility: 'public', readers: { outsiders: true } })
    const guest = at('guest', { visibility: 'direct', readers: { outsiders: true } })
    const [a, b, c] = [await say(square), await say(shared), await say(guest)]
    expect(await shown(square)).toEqual([a, b])
    expect(await shown(shared)).toEqual([b])
    expect(await shown(guest)).toEqual([c])
  })

  it('in a channel that outsiders read from now on: not what was said before', async () => {
    const { at, say, shown } = scene()
    const before = at('c', { visibility: 'public' })
    const a = await say(before)
    const shared = at('c', { visibility: 'public', readers: { outsiders: true } })
    await store.describe(shared)
    const b = await say(at('c', { visibility: 'public', thread: '1', readers: { own: false, outsiders: true } }))
    expect(await shown(shared)).toEqual([b])
    expect(await shown(at('other', { visibility: 'public' }))).toEqual([a, b])
    await store.describe(before)
    expect(await shown(before)).toEqual([a, b])
  })

  it('of a public channel that became private: only there; what was said in private: nowhere once it is public', async () => {
    const { at, say, shown } = scene()
    const other = at('other', { visibility: 'public' })
    const [open, closed] = (['public', 'private'] as const).map(visibility => at('c', { visibility }))
    if (!open || !closed) throw new Error('no channel')
    const a = await say(open)
    const b = await say(closed)
    expect(await shown(closed)).toEqual([a, b])
    expect(await shown(other)).toEqual([])
    await store.describe(open)
    expect(await shown(open)).toEqual([a])
    expect(await shown(other)).toEqual([a])
  })

  it('of a channel whose threads alone tell that it is private now', async () => {
    const { at, say, shown } = scene()
    await say(at('c', { visibility: 'public' }))
    await say(at('c', { visibility: 'private', thread: '1', readers: { own: false } }))
    expect(await shown(at('other', { visibility: 'public' }))).toEqual([])
  })

  it('where the platform does not say: a private thread in a public channel has its own readers', async () => {
    const { at, say, shown } = scene()
    const channel = at('c', { visibility: 'public' })
    const thread = at('c', { visibility: 'private', thread: '1' })
    const [a, b] = [await say(channel), await say(thread)]
    expect(await shown(channel)).toEqual([a])
    expect(await shown(thread)).toEqual([a, b])
  })

  it('of a conversation of which nothing is recorded: what is public, and what was said in its channel', async () => {
    const { rows } = await db.query(
      `select * from kikimimi_v1.readable('t/new/c/1', array['t/new/c', 't/new/d', 't/new/e', 't/old/c'],
         array['private', 'private', 'public', 'public']) order by place`,
    )
    expect(rows).toEqual([
      { place: 't/new/c', visibility: 'private' },
      { place: 't/new/e', visibility: 'public' },
    ])
  })

  it('never more than everybody there could read then and can read now, in random histories', async () => {
    const { rounds, seed } = testRounds({ few: 6, all: 60 })
    for (let round = 0; round < rounds; round++) await history(seed + round)
  })
})

/** People by number: 0 to 5 belong to the workspace, 6 and 7 do not. */
const INSIDE = [0, 1, 2, 3, 4, 5]
const OUTSIDE = [6, 7]

/**
 * Random channels change while people talk. What is shown is compared with the sets of people: everybody who reads a
 * conversation must have been among the readers of what is shown, and must be among those of its place now.
 */
async function history(seed: number): Promise<void> {
  const { at, say, shown } = scene()
  let state = seed * 2_654_435_761
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const rooms = Array.from({ length: 3 }, (_, index) => {
    const members = INSIDE.filter(() => random(2) === 0)
    return {
      name: `c${index}`,
      visibility: (['public', 'private'] as const)[random(2)] ?? 'public',
      outsiders: random(4) === 0,
      members,
      circles: [1, 2].map(() => members.filter(() => random(2) === 0)),
    }
  })
  type Room = (typeof rooms)[number]
  const placeIn = (room: Room, thread: number): Conversation => {
    const outsiders = room.outsiders && { outsiders: true }
    if (thread === 0) return at(room.name, { visibility: room.visibility, readers: { ...outsiders } })
    const own = thread < 3
    return at(room.name, {
      visibility: own ? 'private' : room.visibility,
      thread: `${thread}`,
      readers: { own, ...(!own && outsiders) },
    })
  }
  const readersOf = (room: Room, thread: number): ReadonlySet<number> => {
    const all = [...(room.visibility === 'public' ? INSIDE : room.members), ...(room.outsiders ? OUTSIDE : [])]
    return new Set(room.circles[thread - 1] ?? all)
  }
  const said = new Map<string, { readonly room: Room; readonly thread: number; readonly before: ReadonlySet<number> }>()
  for (let step = 0; step < 12; step++) {
    const room = rooms[random(rooms.length)]
    if (!room) continue
    const thread = random(4)
    if (random(3) === 0) {
      if (random(2) === 0) room.visibility = room.visibility === 'public' ? 'private' : 'public'
      else room.outsiders = !room.outsiders
      await store.describe(placeIn(room, 0))
      if (random(2) === 0) await store.describe(placeIn(room, thread))
    }
    if (random(4) === 0) {
      const [left] = room.members
      room.members = room.members.filter(one => one !== left)
      room.circles = room.circles.map(circle => circle.filter(one => one !== left))
    }
    said.set(await say(placeIn(room, thread)), { room, thread, before: readersOf(room, thread) })
  }
  for (const room of rooms) {
    for (let thread = 0; thread < 4; thread++) {
      const readers = readersOf(room, thread)
      said.set(await say(placeIn(room, thread)), { room, thread, before: readers })
      for (const id of await shown(placeIn(room, thread))) {
        const told = said.get(id)
        if (!told) throw new Error(`${id} was never said`)
        const now = readersOf(told.room, told.thread)
        const leaked = [...readers].filter(one => !told.before.has(one) || !now.has(one))
        expect(leaked, `seed ${seed}: ${id}, said in ${told.room.name}/${told.thread}, in ${room.name}/${thread}`).toEqual([])
      }
    }
  }
}
