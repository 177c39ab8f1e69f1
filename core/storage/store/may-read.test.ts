import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openTestDatabase } from '../../testing/test-database.ts'
import { migrate } from '../database/migrate.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('../migrations/', import.meta.url), systemClock)
})
afterAll(() => db.close())

async function answer<T>(call: string, values: readonly (string | null)[]): Promise<T | undefined> {
  const { rows } = await db.query<{ answer: T }>(`select kikimimi_v1.${call} as answer`, values)
  return rows[0]?.answer
}

describe('the place of what is said', () => {
  it.each([
    { in: 'a channel', conversation: 't/w/c', visibility: 'public', channel: 'public', place: 't/w/c' },
    { in: 'a public thread', conversation: 't/w/c/1', visibility: 'public', channel: 'public', place: 't/w/c' },
    {
      in: 'a private thread in a public channel',
      conversation: 't/w/c/1',
      visibility: 'private',
      channel: 'public',
      place: 't/w/c/1',
    },
    {
      in: 'a private thread in a private channel',
      conversation: 't/w/c/1',
      visibility: 'private',
      channel: 'private',
      place: 't/w/c',
    },
    { in: 'a private thread in who knows what', conversation: 't/w/c/1', visibility: 'private', channel: null, place: 't/w/c/1' },
    { in: 'a thread of a direct message', conversation: 't//d/1', visibility: 'direct', channel: null, place: 't/w/c' },
  ])('$in is $place', async ({ conversation, visibility, channel, place }) => {
    expect(await answer('place_of($1, $2, $3, $4)', ['t/w/c', conversation, visibility, channel])).toBe(place)
  })
})

describe('what was said in t/w/c', () => {
  it.each([
    { told: 'public', now: 'public', read: 't/w/c', may: true },
    { told: 'public', now: 'public', read: 't/w/other', may: true },
    { told: 'public', now: null, read: 't/w/other', may: true },
    { told: 'public', now: 'public', read: 't/elsewhere/c', may: false },
    { told: 'public', now: 'private', read: 't/w/other', may: false },
    { told: 'public', now: 'private', read: 't/w/c/1', may: true },
    { told: 'private', now: 'private', read: 't/w/c', may: true },
    { told: 'private', now: 'private', read: 't/w/c/1', may: true },
    { told: 'private', now: null, read: 't/w/c', may: true },
    { told: 'private', now: 'private', read: 't/w/other', may: false },
    { told: 'private', now: 'public', read: 't/w/other', may: false },
    { told: 'private', now: 'public', read: 't/w/c', may: false },
    { told: 'direct', now: 'direct', read: 't/w/c', may: true },
    { told: 'direct', now: 'direct', read: 't/w/other', may: false },
  ])('that was $told then, may be read in $read, where it is $now now: $may', async ({ told, now, read, may }) => {
    const [platform, workspace, channel] = read.split('/')
    const reader = [`${platform}/${workspace}`, [platform, workspace, channel].join('/'), read]
    expect(await answer('may_read($1, $2, $3, $4, $5, $6, $7)', ['t/w', 't/w/c', told, now, ...reader])).toBe(may)
  })
})
