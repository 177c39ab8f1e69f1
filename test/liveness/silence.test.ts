// postgres: a server falls silent
/** Statements of a Postgres database at the other end of a link that breaks without an error. */
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../core/base/clock.ts'
import { openDatabase } from '../../core/storage/database/database.ts'
import { isAway } from '../../core/storage/database/unavailable.ts'
import { silent, until } from '../support.ts'
import { type Fault, type Link, openLink } from './link.ts'

describe.skipIf(!testServer())('a Postgres server', { timeout: 60_000 }, () => {
  /** A database through a link, and the same one past it. */
  async function open() {
    await using opened = new AsyncDisposableStack()
    const direct = await openTestDatabase()
    opened.defer(() => direct.close())
    if (direct.kind !== 'postgres') throw new Error('not a server')
    const link: Link = opened.use(await openLink(direct.url))
    const db = await openDatabase(link.url, { log: silent, clock: systemClock })
    opened.defer(async () => {
      link.heal()
      await db.close()
    })
    const scope = opened.move()
    return { direct, link, db, [Symbol.asyncDispose]: () => scope.disposeAsync() }
  }
  const failure = (statement: Promise<unknown>) => statement.then(() => undefined).catch((error: unknown) => error)

  test.each<Fault>(['freeze', 'swallow', 'swallow answers', 'swallow statements'])(
    'that falls silent (%s) fails the statement within five seconds, and the next one works when it is back',
    async fault => {
      await using there = await open()
      const { db, link } = there
      await db.query('select 1')
      link.break(fault)
      const began = Date.now()
      expect(isAway(await failure(db.query('select 1')))).toBe(true)
      expect(Date.now() - began).toBeLessThan(5_500)
      link.heal()
      expect((await db.query('select 2 as two')).rows).toEqual([{ two: 2 }])
    },
  )

  test('that works on a statement for long is not disturbed', async () => {
    await using there = await open()
    expect((await there.db.query(`select pg_sleep(6), 'done' as slept`)).rows).toMatchObject([{ slept: 'done' }])
  })

  test('that does not know of one statement any more fails this one, and keeps no locks of it', async () => {
    await using there = await open()
    const { db, link, direct } = there
    await db.script('create table note (n int primary key); insert into note values (1)')
    const lost = db.transaction(async () => {
      await db.query('update note set n = 2')
      link.break('swallow')
      setTimeout(() => link.heal(), 500)
      await db.query('select 1')
    })
    expect(isAway(await failure(lost))).toBe(true)
    await db.query('update note set n = 3')
    expect((await direct.query('select n from note')).rows).toEqual([{ n: 3 }])
  })

  test('that falls silent is listened to again when it is back', async () => {
    await using there = await open()
    const { db, link, direct } = there
    const heard: string[] = []
    await db.listen('news', payload => heard.push(payload))
    link.break('swallow')
    await until(() => db.kind === 'postgres' && db.deaf !== undefined)
    link.heal()
    await until(async () => {
      await direct.query(`select pg_notify('news', 'again')`)
      return heard.includes('again')
    })
    expect(db.kind === 'postgres' && db.deaf).toBeUndefined()
  })
})
