import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../api/index.ts'
import { VirtualClock } from '../base/clock.ts'
import { migrate } from '../storage/database/migrate.ts'

/** What every database guarantees. `open` gives an empty one. */
export function databaseContract(name: string, open: () => Promise<Database>): void {
  describe(name, () => {
    let db: Database

    beforeAll(async () => {
      db = await open()
    })
    afterAll(() => db.close())
    beforeEach(() =>
      db.script('drop schema if exists shop cascade; create schema shop; create table shop.item (name text primary key)'),
    )

    const add = (item: string) => db.query('insert into shop.item values ($1)', [item])
    const items = async () =>
      (await db.query<{ name: string }>('select name from shop.item order by name')).rows.map(row => row.name)

    describe('values', () => {
      const echo = async (type: string, value: unknown) =>
        (await db.query<{ value: unknown }>(`select $1::${type} as value`, [value])).rows[0]?.value

      it.each<[type: string, value: unknown]>([
        ['text', `it's "quoted", {in braces} \\ 聞き耳`],
        ['text', null],
        ['bool', false],
        ['int', -7],
        ['float8', 0.1],
        ['bigint', Number.MAX_SAFE_INTEGER],
        ['bigint', 9_223_372_036_854_775_807n],
        ['bigint[]', [1, null, 9_223_372_036_854_775_807n]],
        ['numeric', '0.30'],
        ['timestamptz', new Date('2026-07-01T12:34:56.789Z')],
        ['date', '2026-07-01'],
        ['date[]', ['2026-07-01', null]],
        ['text[]', ['', 'null', null, 'a,b', '"', '{}', '\\']],
        ['timestamptz[]', [new Date(0), null]],
        ['jsonb', { text: 'はい', list: [1, { deep: null }] }],
        ['vector', new Float32Array([1, -0.5, 0.25])],
      ])('%s comes back as it went in: %o', async (type, value) => {
        expect(await echo(type, value)).toEqual(value)
      })

      it('jsonb goes in as text, with any content', async () => {
        for (const value of [[], [1, 'two'], 'three', 4, null, true])
          expect(await echo('jsonb', JSON.stringify(value))).toEqual(value)
      })

      it('bytes come back', async () => {
        expect(Buffer.from((await echo('bytea', Buffer.from([0, 255, 92]))) as Uint8Array)).toEqual(Buffer.from([0, 255, 92]))
      })

      it('undefined is null', async () => {
        expect(await echo('text', undefined)).toBeNull()
      })

      it('a day is the same day in any time zone of the machine', async () => {
        const { rows } = await db.query(`select ($1::timestamptz)::date as day`, [new Date('2026-07-01T23:59:00Z')])
        expect(rows).toEqual([{ day: '2026-07-01' }])
      })

      it('columns of arrays become rows, in their order', async () => {
        const { rows } = await db.query(
          `select * from unnest($1::text[], $2::timestamptz[], $3::bool[]) with ordinality as t(name, at, sold, place) order by place`,
          [
            ['tea', 'rice, "white"'],
            [new Date(0), null],
            [true, false],
          ],
        )
        expect(rows).toEqual([
          { name: 'tea', at: new Date(0), sold: true, place: 1 },
          { name: 'rice, "white"', at: null, sold: false, place: 2 },
        ])
      })

      it('vectors are found by distance, nearest first', async () => {
        await db.script('create table shop.taste (name text, e vector(3))')
        for (const [name, e] of Object.entries({ sweet: [1, 0, 0], sour: [0, 1, 0], 'sweet-sour': [0.7, 0.7, 0] })) {
          await db.query('insert into shop.taste values ($1, $2)', [name, new Float32Array(e)])
        }
        const { rows } = await db.query<{ name: string; e: Float32Array }>(
          'select name, e from shop.taste order by e <=> $1 limit 2',
          [new Float32Array([0.9, 0.2, 0])],
        )
        expect(rows.map(row => row.name)).toEqual(['sweet', 'sweet-sour'])
        expect(rows[0]?.e).toEqual(new Float32Array([1, 0, 0]))
      })

      it('every bit of a vector comes back, in half precision the nearest number', async () => {
        const vector = Float32Array.from({ length: 1_536 }, (_, at) => Math.sin(at) / 3)
        expect(await echo('vector', vector)).toEqual(vector)
        expect(await echo('vector::halfvec::vector', vector)).toEqual(vector.map(Math.f16round))
      })

      it.each([
        [[Number.NaN, 1], 'vector', 'NaN not allowed in vector'],
        [[Number.POSITIVE_INFINITY, 1], 'vector', 'infinite value not allowed in vector'],
        [[70_000, 1], 'vector::halfvec', '"70000" is out of range for type halfvec'],
      ])('a vector with %j as %s is refused', async (elements, type, message) => {
        await expect(echo(type, new Float32Array(elements))).rejects.toThrow(message)
      })
    })

    describe('statements', () => {
      it('count the rows they touched or found', async () => {
        expect((await db.query(`insert into shop.item values ('a'), ('b'), ('c')`)).rowCount).toBe(3)
        expect((await db.query(`update shop.item set name = name || '!' where name <> 'c' returning name`)).rowCount).toBe(2)
        expect((await db.query('select * from shop.item')).rowCount).toBe(3)
        expect((await db.query('delete from shop.item where false')).rowCount).toBe(0)
        expect(await db.query('create table shop.other (id int)')).toEqual({ rows: [], rowCount: 0 })
      })

      it('fail with the code that Postgres gives them, and the next one works', async () => {
        await add('tea')
        await expect(add('tea')).rejects.toMatchObject({ code: '23505' })
        await expect(db.query('select * from shop.nothing')).rejects.toThrow('relation "shop.nothing" does not exist')
        expect(await items()).toEqual(['tea'])
      })

      it('find the columns that a table has now', async () => {
        await add('tea')
        const all = () => db.query('select * from shop.item')
        expect((await all()).rows).toEqual([{ name: 'tea' }])
        await db.script('alter table shop.item add column price int')
        expect((await all()).rows).toEqual([{ name: 'tea', price: null }])
        await db.query('alter table shop.item alter column price type text using $$free$$')
        expect((await all()).rows).toEqual([{ name: 'tea', price: 'free' }])
        await expect(
          db.transaction(async () => {
            await db.query('alter table shop.item drop column price')
            expect((await all()).rows).toEqual([{ name: 'tea' }])
            await add('tea')
          }),
        ).rejects.toMatchObject({ code: '23505' })
        expect((await all()).rows).toEqual([{ name: 'tea', price: 'free' }])
      })

      it('work again after their parameters were wrong', async () => {
        const half = (value: unknown) => db.query('select $1::int / 2 as half', [value])
        expect((await half(8)).rows).toEqual([{ half: 4 }])
        await expect(half('eight')).rejects.toThrow('eight')
        expect((await half(6)).rows).toEqual([{ half: 3 }])
      })

      it('are one for each query', async () => {
        await expect(db.query('select 1; select 2')).rejects.toThrow('multiple commands')
      })

      it('are many in a script, which returns the rows of all', async () => {
        const { rows } = await db.script(`create table shop.x (n int); insert into shop.x values (1) returning n; select 2 as m`)
        expect(rows).toEqual([{ n: 1 }, { m: 2 }])
      })

      it('are counted, and are in flight until they end', async () => {
        const before = db.statements
        const running = Promise.all([add('tea'), db.transaction(() => add('rice'))])
        await Promise.resolve()
        expect(db.inFlight).toBeGreaterThan(0)
        await running
        expect(db.inFlight).toBe(0)
        expect(db.statements).toBe(before + 2)
      })
    })

    describe('a transaction', () => {
      it('is joined by functions called inside it', async () => {
        await expect(
          db.transaction(async inner => {
            await add('tea')
            await inner.query(`insert into shop.item values ('rice')`)
            await db.script(`insert into shop.item values ('salt')`)
            expect(await items()).toEqual(['rice', 'salt', 'tea'])
            throw new Error('no')
          }),
        ).rejects.toThrow('no')
        expect(await items()).toEqual([])
      })

      it('returns what its function returns', async () => {
        expect(await db.transaction(async () => (await add('tea')).rowCount)).toBe(1)
        expect(await items()).toEqual(['tea'])
      })

      it('is not seen from outside before its end', async () => {
        const begun = Promise.withResolvers<void>()
        const end = Promise.withResolvers<void>()
        const transaction = db.transaction(async () => {
          await add('tea')
          begun.resolve()
          await end.promise
          throw new Error('undone')
        })
        await begun.promise
        const seen = items()
        end.resolve()
        await expect(transaction).rejects.toThrow('undone')
        expect(await seen).toEqual([])
      })

      it('is undone by a failed statement even when the error is caught', async () => {
        const transaction = db.transaction(async () => {
          await add('tea')
          await add('tea').catch(() => {})
        })
        await expect(transaction).rejects.toMatchObject({ code: '23505' })
        expect(await items()).toEqual([])
      })

      it('runs parallel calls one after another', async () => {
        await db.transaction(() => Promise.all(['a', 'b', 'c', 'd'].map(add)))
        expect(await items()).toEqual(['a', 'b', 'c', 'd'])
      })

      it('waits for calls that were not awaited inside it', async () => {
        let forgotten: Promise<unknown> | undefined
        await db.transaction(async () => {
          forgotten = add('tea')
        })
        expect(await items()).toEqual(['tea'])
        await forgotten
      })

      it('is not joined by code that runs after its end', async () => {
        const over = Promise.withResolvers<void>()
        let late: Promise<unknown> | undefined
        const transaction = db.transaction(async () => {
          late = over.promise.then(() => add('late'))
          await add('tea')
          throw new Error('undone')
        })
        await expect(transaction).rejects.toThrow('undone')
        over.resolve()
        await late
        expect(await items()).toEqual(['late'])
      })

      it('is not joined by code of an ended transaction', async () => {
        const over = Promise.withResolvers<void>()
        let late: Promise<unknown> | undefined
        await db.transaction(async () => {
          late = over.promise.then(() => add('late'))
        })
        const second = db.transaction(async () => {
          await add('tea')
          over.resolve()
          throw new Error('undone')
        })
        await expect(second).rejects.toThrow('undone')
        await late
        expect(await items()).toEqual(['late'])
      })

      it('can be one of very many at once', async () => {
        await db.script('create table shop.till (total int); insert into shop.till values (0)')
        await Promise.all(
          Array.from({ length: 50 }, () =>
            db.transaction(async () => {
              const { rows } = await db.query<{ total: number }>('select total from shop.till for update')
              await db.query('update shop.till set total = $1', [(rows[0]?.total ?? 0) + 1])
            }),
          ),
        )
        expect((await db.query('select total from shop.till')).rows).toEqual([{ total: 50 }])
      })
    })

    describe('a transaction in a transaction', () => {
      it('is undone alone', async () => {
        await db.transaction(async () => {
          await add('tea')
          await expect(
            db.transaction(async () => {
              await add('rice')
              await add('rice')
            }),
          ).rejects.toMatchObject({ code: '23505' })
          await db.transaction(() => add('salt'))
        })
        expect(await items()).toEqual(['salt', 'tea'])
      })

      it('is undone with the outer one', async () => {
        const outer = db.transaction(async () => {
          await db.transaction(() => db.transaction(() => add('tea')))
          throw new Error('undone')
        })
        await expect(outer).rejects.toThrow('undone')
        expect(await items()).toEqual([])
      })

      it('does not undo statements that run beside it', async () => {
        await db.transaction(async () => {
          await Promise.allSettled([
            db.transaction(async () => {
              await add('rice')
              throw new Error('undone')
            }),
            db.transaction(() => add('salt')),
            add('tea'),
          ])
        })
        expect(await items()).toEqual(['salt', 'tea'])
      })
    })

    describe('listening', () => {
      it('gets notifications after the commit, until it stops', async () => {
        const heard: string[] = []
        const until = async (payload: string) => {
          await expect.poll(() => heard, { interval: 5 }).toContain(payload)
        }
        const notify = (payload: string) => db.query('select pg_notify($1, $2)', ['Shop-news', payload])
        const other = await db.listen('other', payload => heard.push(payload))
        const stop = await db.listen('Shop-news', payload => heard.push(payload))

        await notify('open')
        await until('open')
        await expect(
          db.transaction(async () => {
            await notify('undone')
            throw new Error('no')
          }),
        ).rejects.toThrow()
        await db.transaction(() => notify('closed'))
        await until('closed')

        await stop()
        await notify('unheard')
        await db.query(`select pg_notify('other', 'last')`)
        await until('last')
        await other()
        expect(heard).toEqual(['open', 'closed', 'last'])
      })

      it('runs outside the transaction of the sender', async () => {
        let written: Promise<unknown> | undefined
        const stop = await db.listen('news', () => {
          written = add('heard')
        })
        await db.transaction(() => db.query(`select pg_notify('news', '')`))
        await expect.poll(() => written, { interval: 5 }).toBeDefined()
        await written
        expect(await items()).toEqual(['heard'])
        await stop()
      })
    })

    describe('migrations', () => {
      it('run once when two processes start together', async () => {
        const folder = new URL('./contract-migrations/', import.meta.url)
        const clock = new VirtualClock(Date.UTC(2026, 0, 1))
        const runs = await Promise.all([migrate(db, 'corner-shop', folder, clock), migrate(db, 'corner-shop', folder, clock)])
        expect(runs.flat().sort()).toEqual(['001-counter.sql', '002-customer.sql'])
        expect((await db.query('select name from corner_shop.customer')).rows).toEqual([{ name: 'first' }])
        expect(await migrate(db, 'corner-shop', folder, clock)).toEqual([])
      })
    })
  })
}
