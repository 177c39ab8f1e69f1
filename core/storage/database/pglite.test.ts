import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, rmdir, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { openDatabase } from './database.ts'
import type { PgliteDatabase } from './pglite/database.ts'
import { openPglite } from './pglite.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const deps = { log, clock: systemClock }

let home: string
/** In memory, for all tests that need no folder. They make no tables. */
let memory: PgliteDatabase
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'kikimimi-pglite-'))
  memory = await openPglite(deps)
})
afterAll(async () => {
  await memory.close()
  await rm(home, { recursive: true, force: true })
})

/** Another process with `openPglite`, `log` and `clock` in scope. It prints its result. */
function elsewhere(code: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const imports = `
    import { openPglite } from ${JSON.stringify(new URL('./pglite.ts', import.meta.url))}
    import { createLogger } from ${JSON.stringify(new URL('../../base/log.ts', import.meta.url))}
    import { systemClock as clock } from ${JSON.stringify(new URL('../../base/clock.ts', import.meta.url))}
    const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock })
`
  return spawn(process.execPath, ['--input-type=module', '-e', imports + code], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
}

async function outcome(child: ChildProcess): Promise<{ said: string; code: number | null }> {
  const [said, [code]] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
  return { said, code }
}

const open = (dir: string) => JSON.stringify({ dir }).replace('}', ', log, clock}')

it('a series of statements does not block other work', async () => {
  await using scope = new AsyncDisposableStack()
  let ticks = 0
  scope.adopt(
    setInterval(() => ticks++, 1),
    timer => clearInterval(timer),
  )
  for (let count = 0; count < 10; count++) await memory.query('select count(*) from generate_series(1, 200000)')
  expect(ticks).toBeGreaterThan(2)
})

describe('statements stay prepared', () => {
  const prepared = async (db: PgliteDatabase) => {
    const { rows } = await db.query<{ statement: string; plans: number }>(
      'select statement, generic_plans::int as plans from pg_prepared_statements order by prepare_time',
    )
    return rows
  }

  it('and are planned once, until the next maintenance', async () => {
    for (let count = 0; count < 10; count++)
      expect((await memory.query('select $1::int + 1 as next', [count])).rows).toEqual([{ next: count + 1 }])
    expect(await prepared(memory)).toContainEqual({ statement: 'select $1::int + 1 as next', plans: 5 })
    await memory.maintain()
    expect((await prepared(memory)).map(({ statement }) => statement)).not.toContain('select $1::int + 1 as next')
  })

  it('up to a number, those that were used last', async () => {
    for (let count = 0; count < 600; count++) {
      if (count % 100 === 0) await memory.query('select 1 as one')
      await memory.query(`select ${count} as number`)
    }
    const statements = (await prepared(memory)).map(({ statement }) => statement)
    expect(statements.length).toBeLessThan(510)
    expect(statements).toContain('select 1 as one')
    expect(statements).toContain('select 599 as number')
    expect(statements).not.toContain('select 100 as number')
  })
})

describe('statements on tables that change', () => {
  const all = async () => (await memory.query('select * from shelf')).rows

  beforeEach(() => memory.script('create table shelf (id int); insert into shelf values (1)'))
  afterEach(() => memory.script('drop table shelf'))

  it('give the new columns', async () => {
    expect(await all()).toEqual([{ id: 1 }])
    await memory.script(`alter table shelf add column name text default 'tea'`)
    expect(await all()).toEqual([{ id: 1, name: 'tea' }])
    await memory.query('alter table shelf drop column id')
    expect(await all()).toEqual([{ name: 'tea' }])
  })

  it.each([false, true])('give the old ones after a rollback, of a nested transaction: %s', async isNested => {
    const change = async () => {
      await memory.script(`alter table shelf add column name text default 'tea'`)
      expect(await all()).toEqual([{ id: 1, name: 'tea' }])
      throw new Error('not now')
    }
    const failing = () => expect(memory.transaction(change)).rejects.toThrow('not now')
    await (isNested ? memory.transaction(failing) : failing())
    expect(await all()).toEqual([{ id: 1 }])
  })

  it('a statement that failed is followed by others, also in its transaction', async () => {
    await expect(memory.query('select * from shelf where id = $1', ['one'])).rejects.toThrow('invalid input syntax')
    await memory.transaction(async () => {
      await expect(memory.transaction(() => memory.query('select nothing from shelf'))).rejects.toThrow('does not exist')
      expect(await all()).toEqual([{ id: 1 }])
    })
    expect(await all()).toEqual([{ id: 1 }])
  })
})

describe('a data folder', () => {
  it('keeps its rows from one start to the next', async () => {
    const dir = join(home, 'not', 'yet', 'there')
    const first = await openPglite({ dir, ...deps })
    await first.script(`create table note (text text); insert into note values ('tea')`)
    await first.close()
    const second = await openDatabase(dir, deps)
    expect((await second.query('select * from note')).rows).toEqual([{ text: 'tea' }])
    await second.close()
    await second.close()
  })

  it('refuses a second process with one sentence', async () => {
    const dir = join(home, 'locked')
    const db = await openPglite({ dir, ...deps })
    const { said } = await outcome(
      elsewhere(`await openPglite(${open(dir)}).catch(error => console.log(error.code, error.message))`),
    )
    expect(said).toBe(
      `DATABASE_LOCKED Another process uses the data folder ${dir}. Stop that one, or give this one another folder or a DATABASE_URL.\n`,
    )
    await expect(openPglite({ dir: `${dir}/.`, ...deps })).rejects.toMatchObject({ code: 'DATABASE_LOCKED' })
    await db.close()
  })

  it('is free again when its process is killed, with every acknowledged row', async () => {
    const dir = join(home, 'killed')
    const child = elsewhere(`
      const db = await openPglite(${open(dir)})
      await db.script("create table note (n int); insert into note select generate_series(1, 1000)")
      console.log('written')`)
    if (child.stdout) await once(child.stdout, 'data')
    await expect(openPglite({ dir, ...deps })).rejects.toMatchObject({ code: 'DATABASE_LOCKED' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const db = await openPglite({ dir, ...deps })
    expect((await db.query('select count(*) from note')).rows).toEqual([{ count: 1000 }])
    await db.close()
  })

  it('can go back to the state before an upgrade whose process was killed', async () => {
    const dir = join(home, 'upgraded')
    const child = elsewhere(`
      const db = await openPglite(${open(dir)})
      await db.script("create table note (text text); insert into note values ('tea')")
      await db.beginUpgrade()
      await db.script('alter table note rename column text to words')
      console.log('upgraded')`)
    if (child.stdout) await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    // As a second attempt that fails.
    const again = await openPglite({ dir, ...deps })
    expect((await again.query('select words from note')).rows).toEqual([{ words: 'tea' }])
    expect(again.isUpgrading).toBe(true)
    await again.beginUpgrade()
    await again.close()
    const db = await openPglite({ dir, ...deps })
    expect((await db.query('select text from note')).rows).toEqual([{ text: 'tea' }])
    expect(db.isUpgrading).toBe(false)
    await db.close()
  })

  it('lets its process end after it is closed', async () => {
    const { said, code } = await outcome(
      elsewhere(`await (await openPglite(${open(join(home, 'ends'))})).close(); console.log('closed')`),
    )
    expect({ said, code }).toEqual({ said: 'closed\n', code: 0 })
  })

  it('begins again when the first start was cut short', async () => {
    const dir = join(home, 'half')
    await mkdir(join(dir, 'base'), { recursive: true })
    await writeFile(join(dir, '.filling'), '')
    await writeFile(join(dir, 'PG_VERSION'), '18')
    const db = await openPglite({ dir, ...deps })
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await db.close()
  })

  it('can be the root of a file system', async () => {
    await mkdir(join(home, 'volume', 'lost+found'), { recursive: true })
    const db = await openPglite({ dir: join(home, 'volume'), ...deps })
    await db.close()
  })

  it('with other files is not touched', async () => {
    const dir = join(home, 'photos')
    await mkdir(dir)
    await writeFile(join(dir, 'cat.jpg'), '')
    await expect(openPglite({ dir, ...deps })).rejects.toMatchObject({
      code: 'DATABASE_BROKEN',
      message: `${dir} holds other files and no database (cat.jpg). Choose an empty folder for the data.`,
    })
    expect(await readdir(dir)).toEqual(['cat.jpg'])
  })

  it('that is broken reports the error of Postgres, and the remedy', async () => {
    const whole = join(home, 'whole')
    await (await openPglite({ dir: whole, ...deps })).close()
    const spoil: Record<string, (dir: string) => Promise<void>> = {
      'global/pg_control': dir => truncate(join(dir, 'global', 'pg_control'), 100),
      'checkpoint record': async dir => {
        const segments = await readdir(join(dir, 'pg_wal'))
        await Promise.all(segments.map(name => rm(join(dir, 'pg_wal', name), { recursive: true })))
        await mkdir(join(dir, 'pg_wal', 'archive_status'))
      },
      'version 17': dir => writeFile(join(dir, 'PG_VERSION'), '17\n'),
    }
    for (const [finding, apply] of Object.entries(spoil)) {
      const dir = join(home, `broken ${finding.replace('/', ' ')}`)
      await cp(whole, dir, { recursive: true })
      await apply(dir)
      const refused = openPglite({ dir, ...deps })
      await expect(refused).rejects.toMatchObject({ code: 'DATABASE_BROKEN', message: expect.stringContaining(finding) })
      await expect(refused).rejects.toThrow(/^Cannot open the database in .*Move the folder away and restore a backup/)
    }
  })

  it('cannot be a file, or in a read-only place', async () => {
    const file = join(home, 'file')
    await writeFile(file, '')
    await expect(openPglite({ dir: file, ...deps })).rejects.toMatchObject({
      code: 'DATABASE_BROKEN',
      message: `${file} is a file. The data needs a folder: choose another path, or move the file away.`,
    })
    await expect(openPglite({ dir: join(file, 'data'), ...deps })).rejects.toMatchObject({
      code: 'DATABASE_UNREACHABLE',
      message: expect.stringMatching(/^Cannot write to .*Give this user the right to, or choose another folder/),
    })
  })
})

describe('the prepared database', { timeout: 180_000 }, () => {
  it('is made by the first process, and again when it is damaged', async () => {
    const cache = join(home, 'cache')
    const code = `const db = await openPglite({ log, clock }); console.log((await db.query('select version from pgboss.version')).rows.length); await db.close()`
    const children = Array.from({ length: 2 }, () => outcome(elsewhere(code, { KIKIMIMI_CACHE: cache })))
    expect(await Promise.all(children)).toEqual(Array(2).fill({ said: '1\n', code: 0 }))
    const files = await readdir(cache)
    expect(files).toEqual([expect.stringMatching(/^template-.*\.tar\.gz$/)])

    await truncate(join(cache, files[0] ?? ''), 100_000)
    const db = await openPglite({ ...deps, cacheDir: cache })
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await db.close()
  })

  it('is not kept in a read-only place', async () => {
    const file = join(home, 'no-folder')
    await writeFile(file, '')
    const db = await openPglite({ ...deps, cacheDir: join(file, 'cache') })
    await db.close()
  })
})

describe('PGlite', () => {
  it('is vacuumed once a day, also when it was restarted in between', async () => {
    const dir = join(home, 'vacuum')
    let hours = 0
    const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 1, hours) }
    const first = await openPglite({ dir, log, clock })
    await first.script('create table note (n int)')
    const vacuums = async (db = first) =>
      (await db.query(`select vacuum_count as n from pg_stat_user_tables where relname = 'note'`)).rows[0]?.n
    await first.maintain()
    expect(await vacuums()).toBe(1)
    hours += 23
    await first.maintain()
    expect(await vacuums()).toBe(1)
    await first.close()

    const second = await openPglite({ dir, log, clock })
    const before = Number(await vacuums(second))
    await second.maintain()
    expect(await vacuums(second)).toBe(before)
    hours += 2
    await second.maintain()
    expect(await vacuums(second)).toBe(before + 1)
    await second.close()
  })

  it('refuses every statement after a panic of Postgres, and is complete at the next start', async () => {
    const dir = join(home, 'panic')
    const db = await openPglite({ dir, ...deps })
    await db.script(`create table note (text text); insert into note values ('kept')`)
    // A folder where a checkpoint writes a file: it fails like a full disk.
    const obstacle = join(dir, 'pg_logical', 'replorigin_checkpoint.tmp')
    await mkdir(obstacle)
    const stopped = {
      code: 'DATABASE_BROKEN',
      message: expect.stringMatching(/^The embedded database stopped: .* Start the bot again/),
    }
    await expect(db.maintain()).rejects.toMatchObject(stopped)
    await expect(db.query('select * from note')).rejects.toMatchObject(stopped)
    await expect(db.transaction(() => db.query('select * from note'))).rejects.toMatchObject(stopped)
    await db.close()

    await rmdir(obstacle)
    const again = await openPglite({ dir, ...deps })
    expect((await again.query('select * from note')).rows).toEqual([{ text: 'kept' }])
    await again.close()
  })

  it('counts the statements of the job queue', async () => {
    const before = memory.statements
    const running = [memory.lite.query('select 1'), memory.lite.exec('select 1')]
    expect(memory.inFlight).toBe(2)
    await Promise.all(running)
    expect(memory.statements).toBe(before + 2)
  })

  it('refuses values that a server would refuse or misread', async () => {
    await expect(memory.query('select $1::jsonb', [[]])).rejects.toThrow('JSON.stringify')
    await expect(memory.query('select $1::timestamptz', [Date.UTC(2026, 0, 1)])).rejects.toThrow(
      'a Date or ISO text, not a number',
    )
    await expect(memory.query('select $1::date', [new Date()])).rejects.toThrow('would shift with the time zone')
    expect((await memory.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('keeps texts of people out of its errors', async () => {
    for (const run of [
      memory.query.bind(memory),
      (sql: string, params: unknown[]) => memory.transaction(() => memory.query(sql, params)),
    ]) {
      const error = await run('select $1::int', ['a secret']).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: '22P02' })
      expect(error).not.toHaveProperty('params')
    }
  })
})
