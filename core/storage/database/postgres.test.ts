// postgres: the driver and its pool
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { KERNEL_MIGRATIONS } from '../kernel-migrations.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'

const refusal = (url: string) =>
  openPostgres({ url }).then(
    () => 'opened',
    (error: { code: string; message: string; cause?: unknown }) => error,
  )

describe('a server that cannot be reached', () => {
  it('is named, and its password is not', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    expect(await refusal(`postgres://bot:hush-hush@127.0.0.1:${port}/chat`)).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: `Cannot reach Postgres at 127.0.0.1:${port}, database "chat": nothing listens there. Start the server, or correct host and port in DATABASE_URL.`,
    })
  })

  it('says when the password is wrong', async () => {
    await using server = createServer(socket => {
      socket.once('data', () => {
        socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
        socket.once('data', () =>
          socket.end(errorResponse({ S: 'FATAL', C: '28P01', M: 'password authentication failed for user "bot"' })),
        )
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const error = await refusal(`postgres://bot:hush-hush@127.0.0.1:${port}/chat`)
    expect(error).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringContaining('wrong password for the user "bot". Correct it in DATABASE_URL.'),
    })
    expect(JSON.stringify(error)).not.toContain('hush')
  })

  it('says when it wants a password and there is none', async () => {
    await using server = createServer(socket => {
      const ask = (kind: number, text: string) =>
        socket.write(Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8 + text.length, 0, 0, 0, kind]), Buffer.from(text)]))
      socket.once('data', () => {
        ask(10, 'SCRAM-SHA-256\0\0')
        socket.once('data', () => {
          ask(11, 'r=nonce,s=c2FsdA==,i=4096')
          socket.end()
        })
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(await refusal(`postgres://bot@127.0.0.1:${port}/chat`)).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringContaining(
        'no password for the user "bot". DATABASE_URL has none: put it there, or into PGPASSWORD.',
      ),
    })
  })

  it('reports an invalid URL, without quoting it', async () => {
    const error = await refusal('postgres://bot:hush#hush@nowhere:port/chat')
    expect(error).toMatchObject({ code: 'DATABASE_UNREACHABLE', message: expect.stringContaining('percent-encoded (# is %23)') })
    expect(error).not.toHaveProperty('cause')
  })
})

describe.skipIf(!testServer())('a Postgres server', () => {
  it('without the database names the command that makes it', async () => {
    const url = new URL(testServer() ?? '')
    url.pathname = 'no_such_database'
    expect(await refusal(url.href)).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringContaining('no such database. Make it with: createdb no_such_database'),
    })
  })

  it('without the right to install pgvector names the remedy', async () => {
    const db = await openTestDatabase()
    if (db.kind !== 'postgres') throw new Error('not a server')
    const guest = `kikimimi_guest_${randomBytes(6).toString('hex')}`
    await db.script(`drop extension vector; create role ${guest} login password 'guest'`)
    const url = Object.assign(new URL(db.url), { username: guest, password: 'guest' })
    expect(await refusal(url.href)).toMatchObject({
      code: 'DATABASE_EXTENSION_MISSING',
      message: expect.stringMatching(
        /has no pgvector: permission denied .* run "create extension vector" in the database as its administrator/,
      ),
    })
    await db.query(`drop role ${guest}`)
    await db.close()
  })

  it('without the right to make tables names the remedy', async () => {
    const db = await openTestDatabase()
    if (db.kind !== 'postgres') throw new Error('not a server')
    const guest = `kikimimi_guest_${randomBytes(6).toString('hex')}`
    await db.script(`create role ${guest} login password 'guest'`)
    const url = Object.assign(new URL(db.url), { username: guest, password: 'guest' })
    const limited = await openPostgres({ url: url.href })
    await expect(migrate(limited, 'kikimimi', KERNEL_MIGRATIONS, systemClock)).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringMatching(/permission denied .* Make the user of DATABASE_URL the owner of the database/),
    })
    await limited.close()
    await db.query(`drop role ${guest}`)
    await db.close()
  })

  it('that is read-only is not called one without pgvector', async () => {
    const db = await openTestDatabase()
    if (db.kind !== 'postgres') throw new Error('not a server')
    const url = new URL(db.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    expect(await refusal(url.href)).toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringMatching(/^Cannot write to Postgres at .*: it is read-only\. Connect to the primary server/),
    })
    await db.close()
  })

  it('sets up all connections, present and later ones', async () => {
    const db = await openTestDatabase()
    if (db.kind !== 'postgres') throw new Error('not a server')
    const fonts = () =>
      Promise.all(Array.from({ length: 5 }, () => db.query(`select current_setting('shop.font', true) as font`)))
    await Promise.all([db.query('select 1'), db.query('select 1')])
    await db.addToSession([`set shop.font = 'mincho'`])
    expect((await fonts()).flatMap(({ rows }) => rows)).toEqual(Array(5).fill({ font: 'mincho' }))
    await db.close()
  })

  it('is listened to again after the connection broke', async () => {
    const db = await openTestDatabase()
    const heard: string[] = []
    const stop = await db.listen('news', payload => heard.push(payload))
    await db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    )
    await expect
      .poll(
        async () => {
          await db.query(`select pg_notify('news', 'again')`)
          return heard
        },
        { timeout: 10_000 },
      )
      .toContain('again')
    await stop()
    await db.close()
  })

  it('that breaks a connection in a transaction fails that transaction alone', async () => {
    const db = await openTestDatabase()
    await db.script('create table note (n int)')
    const broken = db.transaction(async () => {
      await db.query('insert into note values (1)')
      await db.query('select pg_terminate_backend(pg_backend_pid())')
    })
    await expect(broken).rejects.toThrow()
    expect((await db.query('select * from note')).rows).toEqual([])
    expect(db.inFlight).toBe(0)
    await db.close()
  })
})

function errorResponse(fields: Record<string, string>): Buffer {
  const body = Buffer.from(
    `${Object.entries(fields)
      .map(([key, value]) => `${key}${value}\0`)
      .join('')}\0`,
  )
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
