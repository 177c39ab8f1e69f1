// postgres: faults of a server and its sessions
/** Faults that are really there, found and repaired on the command line. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTestDatabase } from 'kikimimi/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { clockDifference } from './database/server.ts'
import { databaseKind, killed, type PlantedBot, plantedBot } from './test-patient.ts'

/** The lines that are not `ok`, without the summary. */
const wrongIn = (out: string) =>
  out
    .split('\n\n')[0]
    ?.split(/\n(?! {3})/)
    .filter(line => !line.startsWith('ok ')) ?? []
const summaryIn = (out: string) => out.trimEnd().split('\n').at(-1)

const SLEEPING = `select pid from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid() and datname = current_database()`

const kind = databaseKind()

describe(`a bot on ${kind}`, () => {
  let bot: PlantedBot
  beforeAll(async () => {
    bot = await plantedBot(kind)
  }, 60_000)
  afterAll(() => bot[Symbol.asyncDispose]())

  const sick = async () => {
    const { code, out } = await bot.run(['doctor'])
    expect({ code, out }).toMatchObject({ code: 1 })
    return wrongIn(out)
  }
  const repair = async () => {
    const { code, out, err } = await bot.run(['doctor', '--fix'])
    expect({ code, out, err }).toMatchObject({ code: 0 })
    return out
  }
  const healthy = async () => {
    const { code, out } = await bot.run(['doctor'])
    expect({ wrong: wrongIn(out), summary: summaryIn(out), code }).toEqual({ wrong: [], summary: 'Nothing is wrong.', code: 0 })
  }

  test('without a fault', healthy)

  test('an invalid index that no migration makes, an answer that hangs, and vectors of two models', async () => {
    // The messages are in the partition of this month when the prepared database is of an earlier one.
    let partition = ''
    await bot.open(async db => {
      const { rows } = await db.query<{ name: string }>('select tableoid::regclass::text as name from kikimimi.message limit 1')
      partition = rows[0]?.name ?? ''
      const build = db.query(`create unique index concurrently only_one on ${partition} (conversation)`)
      await expect(build).rejects.toThrow(/could not create unique index/)
      await db.query(
        `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, state, at, until, handles)
         select 'hangs', id, 'turn-1', 0, 'text', 'hello', 'sending', now() - interval '2 hours', now(), false from kikimimi.conversation limit 1`,
      )
      await db.query(
        `insert into facts.scope (workspace, channel, place, visibility, realm) values ('w', 'c', 'p', 'public', 77)`,
      )
      await db.query(
        `insert into facts.item (kind, scope, at, tokens, words, space)
         select 'message', (select id from facts.scope where place = 'p'), now(), '', 0, space from unnest(array['old', 'new']) space`,
      )
    })
    const index = ` ! the index kikimimi.only_one is invalid: its build was interrupted, and queries do not use it (${partition})\n   Drop it: no migration makes it. \`--fix\` does it.`
    const others = [
      expect.stringMatching(/^ ! 1 part of answers in the state "sending" since .* UTC \(kikimimi\.delivery\)/),
      expect.stringMatching(/^ ! facts: memories: \d+, 2 of them with a vector, of 2 models\n {3}Let the bot run/),
    ]
    expect(await sick()).toEqual([index, ...others])
    // Only the index can be repaired.
    const { code, out } = await bot.run(['doctor', '--fix'])
    expect(code).toBe(1)
    expect(out).toContain('Repaired: dropped the index kikimimi.only_one.')
    expect(wrongIn(out)).toEqual(expect.arrayContaining(others))
    await bot.open(async db => {
      await db.query(`delete from kikimimi.delivery where nonce = 'hangs'`)
      await db.query(`delete from facts.item where space in ('old', 'new')`)
    })
  })

  test('an invalid and a missing index of the bot are built', async () => {
    await bot.open(async db => {
      await db.query(
        `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, state, at)
         select nonce, min(id), 'one', 0, 'text', 'sent', now() from kikimimi.conversation, unnest(array['a', 'b']) nonce group by nonce`,
      )
      // As a killed build leaves it: another index of this name, which cannot be built.
      await db.query('drop index kikimimi.delivery_turn')
      const build = db.query('create unique index concurrently delivery_turn on kikimimi.delivery (turn)')
      await expect(build).rejects.toThrow(/could not create unique index/)
      await db.query(`delete from kikimimi.delivery where turn = 'one' and nonce = 'b'`)
      await db.query('drop index kikimimi.message_turn')
    })
    const found = await sick()
    expect(found).toContainEqual(expect.stringContaining('the index kikimimi.delivery_turn is invalid'))
    expect(found).toContainEqual(
      expect.stringContaining('the index kikimimi.message_turn is missing: its queries read whole tables'),
    )
    const out = await repair()
    expect(out).toContain('Repaired: built the index kikimimi.delivery_turn again.')
    // Its table has partitions, which all get the index.
    expect(out).toContain('Repaired: built the index kikimimi.message_turn.')
    await healthy()
  })

  test('a table that is gone is an error that only a backup repairs', async () => {
    await bot.open(db => db.query('alter table kikimimi.setting rename to setting_elsewhere'))
    const { code, out } = await bot.run(['doctor', '--fix'])
    expect(code).toBe(1)
    expect(wrongIn(out)).toContainEqual(
      '!! the table or view kikimimi.setting is missing (kikimimi.setting)\n   Restore a backup: a program other than the bot has changed the tables.',
    )
    await bot.open(db => db.query('alter table kikimimi.setting_elsewhere rename to setting'))
  })

  test('rows of a conversation that is gone get it back, and none is deleted', async () => {
    const messages = () => bot.open(db => db.query<{ text: string }>('select text from kikimimi.message order by seq'))
    const before = (await messages()).rows
    expect(before.length).toBeGreaterThan(0)
    await bot.open(db => db.query('delete from kikimimi.conversation'))
    expect(await sick()).toContainEqual(
      expect.stringMatching(/^ ! \d rows? of 1 conversation that is gone \(kikimimi\.message\)/),
    )
    expect(await repair()).toContain('Repaired: made 1 conversation again.')
    expect((await messages()).rows).toEqual(before)
  })

  describe('with jobs', () => {
    const head = `
import { appendFileSync } from 'node:fs'
const work = definePlugin({
  name: 'work',
  setup(ctx) {
    const job = ctx.job('report', async () => {
      if (process.env.WORK === 'fails') throw new Error('the printer is out of paper')
      appendFileSync('done.txt', 'done ')
      if (process.env.WORK === 'hangs') await new Promise(() => {})
    }, { retries: 0 })
    return {
      async score() {
        if (process.env.WORK !== 'turn') return
        appendFileSync('turn.txt', '')
        await new Promise(() => {})
      },
      after: () => process.env.WORK && job.schedule({}, { key: 'daily' }),
    }
  },
})`
    beforeAll(() => bot.configure({ head, plugins: 'work' }))
    const done = () => readFile(join(bot.folder, 'done.txt'), 'utf8').catch(() => '')
    /** The queue gives a repeated job up that was killed several times. */
    afterEach(() => bot.open(db => db.query(`delete from pgboss.job where state = 'failed'`)))
    const jobs = (state: string) => bot.open(db => db.query('select id from pgboss.job where state = $1', [state]))

    test('a job that failed in every attempt is listed, and runs again when it is replayed', async () => {
      const child = bot.spawn({ WORK: 'fails', LOG_LEVEL: 'warn' })
      let log = ''
      child.stderr?.on('data', (data: Buffer) => {
        log += data.toString()
      })
      child.stdin?.write('alice: @kiki are you there?\n')
      await vi
        .waitFor(() => expect(log).toContain('job work/report failed'), 20_000)
        .catch(() => expect(log).toContain('report failed'))
      child.stdin?.end()
      await killed(child)

      expect(await sick()).toContainEqual(
        expect.stringMatching(/^ ! 1 job ".*report" failed in every attempt, the last time with: Error/),
      )
      const listed = await bot.run(['doctor', 'dead-letters'])
      expect(listed).toMatchObject({
        code: 1,
        out: expect.stringMatching(/^[\da-f-]{36} {2}20.* UTC {2}\S*report daily: Error/),
      })
      expect((await bot.run(['doctor', 'dead-letters', '--replay', 'ffff-none'])).err).toMatch(
        /^No dead letter has the id ffff-none/,
      )
      const id = listed.out.slice(0, 36)
      expect((await bot.run(['doctor', 'dead-letters', '--replay', id])).out).toMatch(/report daily {2}is in the queue again/)
      expect((await bot.run(['doctor', 'dead-letters'])).out).toBe('There is no dead letter.\n')

      const again = bot.spawn()
      await vi.waitFor(async () => expect(await done()).toBe('done '), { timeout: 20_000, interval: 200 })
      await killed(again)
      await bot.run(['doctor', '--fix'])
    }, 90_000)

    test('a job of a killed process goes back into the queue', async () => {
      const child = bot.spawn({ WORK: 'hangs' })
      child.stdin?.write('alice: @kiki are you there?\n')
      await vi.waitFor(async () => expect(await done()).toBe('done done '), { timeout: 20_000, interval: 200 })
      await killed(child)
      // A server waits a minute for a sign of life.
      if (kind === 'postgres')
        await bot.open(db =>
          db.query(
            `update pgboss.job set heartbeat_on = heartbeat_on - interval '5 minutes', started_on = started_on - interval '5 minutes' where state = 'active'`,
          ),
        )
      expect(await sick()).toContainEqual(
        expect.stringMatching(/^ ! \d jobs? of a process that has ended \(.*report.*\) \(pgboss\.job\)/),
      )
      const { out } = await bot.run(['doctor', '--fix'])
      expect(out).toMatch(/Repaired: put \d jobs? back into the queue\./)
      expect((await jobs('active')).rows).toEqual([])
      const again = bot.spawn()
      await vi.waitFor(async () => expect(await done()).toBe('done done done '), { timeout: 20_000, interval: 200 })
      await killed(again)
    }, 90_000)

    test('a turn of a killed process goes back into the queue', async () => {
      const child = bot.spawn({ WORK: 'turn' })
      child.stdin?.write('alice: @kiki are you there?\n')
      await vi.waitFor(() => stat(join(bot.folder, 'turn.txt')), { timeout: 20_000, interval: 200 })
      await killed(child)
      // A server waits a minute for a sign of life.
      if (kind === 'postgres')
        await bot.open(db => db.query(`update kikimimi.conversation set leased_until = leased_until - interval '5 minutes'`))
      expect(await sick()).toContainEqual(
        ' ! 1 turn of a process that has ended (kikimimi.conversation)\n   Put it back into the queue: the next start does it too. `--fix` does it.',
      )
      const { out } = await bot.run(['doctor', '--fix'])
      expect(out).toContain('Repaired: put 1 turn back into the queue.')
      const { rows } = await bot.open(db =>
        db.query('select id from kikimimi.conversation where leased_by is null and due_at <= now()'),
      )
      expect(rows).toHaveLength(1)
    }, 90_000)
  })

  test('a turn that was given up is listed, and is taken again when it is replayed', async () => {
    const plant = `update kikimimi.conversation set failed_at = now(), failure = 'MODEL_DOWN', due_at = null where id = (select max(id) from kikimimi.conversation)`
    await bot.open(db => db.query(plant))
    expect(await sick()).toContainEqual(
      expect.stringMatching(/^ ! 1 turn failed in every attempt, the last time with: MODEL_DOWN \(kikimimi\.conversation\)/),
    )
    const { out } = await bot.run(['doctor', 'dead-letters'])
    expect(out).toMatch(/^terminal\/\S+ {2}20.* UTC {2}turn: MODEL_DOWN\n/)
    expect((await bot.run(['doctor', 'dead-letters', '--replay', 'all'])).out).toMatch(
      /^terminal\/\S+ {2}turn {2}is in the queue again/,
    )
    const { rows } = await bot.open(db =>
      db.query('select attempts, failure from kikimimi.conversation where due_at is not null'),
    )
    expect(rows).toEqual([{ attempts: 0, failure: null }])
    expect((await bot.run(['doctor', 'dead-letters'])).out).toBe('There is no dead letter.\n')
    await healthy()
  })

  test('an upgrade whose process was killed is finished', async () => {
    const folder = join(bot.folder, 'migrations')
    await mkdir(folder)
    await writeFile(join(folder, '001-first.sql'), 'create table notes.one (id int)')
    // The embedded database answers nobody while it sleeps, so it writes a file before.
    const sign = join(bot.folder, 'data/sign')
    const before = kind === 'pglite' ? `copy (select 1) to '/pglite/data/sign';` : ''
    await writeFile(join(folder, '002-second.sql'), `${before} create table notes.two (id int); select pg_sleep(600)`)
    const head = `const notes = definePlugin({ name: 'notes', migrations: new URL('./migrations/', import.meta.url), setup() {} })`
    await bot.configure({ head, plugins: 'notes' })
    const child = bot.spawn()
    const isSleeping = async () => {
      if (kind === 'pglite') return (await stat(sign).catch(() => undefined)) !== undefined
      const { rowCount } = await bot.open(db => db.query(SLEEPING))
      return rowCount > 0
    }
    await vi.waitFor(async () => expect(await isSleeping()).toBe(true), { timeout: 30_000, interval: 100 })
    await killed(child)
    await rm(sign, { force: true })
    if (kind === 'postgres') await bot.open(db => db.query(SLEEPING.replace('pid', 'pg_terminate_backend(pid)')))
    await writeFile(join(folder, '002-second.sql'), 'create table notes.two (id int)')
    expect(await sick()).toContainEqual(
      ' ! the upgrade of notes is not finished: 1 of 2 steps have run, the next one is 002-second.sql (kikimimi.migration)\n   Run the steps: the next start does it too. `--fix` does it.',
    )
    expect(await repair()).toContain('Repaired: ran 1 step of notes: 002-second.sql.')
    await healthy()
  }, 90_000)
})

describe('the files and the process', () => {
  let bot: PlantedBot
  beforeAll(async () => {
    bot = await plantedBot('pglite')
  }, 60_000)
  afterAll(() => bot[Symbol.asyncDispose]())

  test('data and backups that others can read become private', async () => {
    await chmod(join(bot.folder, 'data'), 0o755)
    await writeFile(join(bot.folder, 'old.backup'), '', { mode: 0o644 })
    const { code, out } = await bot.run(['doctor'])
    expect(code).toBe(1)
    expect(wrongIn(out)).toEqual([
      expect.stringMatching(
        /^!! all users of this machine can read it \(755\) \(\.?\S*data\)\n {3}Give it to its owner alone: chmod 700/,
      ),
      expect.stringMatching(/^!! all users of this machine can read it \(644\) \(\S*old\.backup\)/),
    ])
    expect(summaryIn(out)).toBe('2 errors. `--fix` repairs all.')
    const fixed = await bot.run(['doctor', '--fix'])
    expect(fixed).toMatchObject({ code: 0, out: expect.stringContaining('2 repairs. Nothing else is wrong.') })
    expect((await stat(join(bot.folder, 'data'))).mode & 0o777).toBe(0o700)
    expect((await bot.run(['doctor'])).code).toBe(0)
  })

  test('it refuses a data folder that another process uses, also with --fix', async () => {
    const child = bot.spawn({ LOG_LEVEL: 'info' })
    const listening = new Promise<void>(resolve => {
      child.stderr?.on('data', (data: Buffer) => data.toString().includes('listening') && resolve())
    })
    await listening
    for (const args of [['doctor'], ['doctor', '--fix']]) {
      const { code, out } = await bot.run(args)
      expect(code).toBe(2)
      expect(wrongIn(out)).toEqual([
        expect.stringMatching(
          /^!! the database was not examined: Another process uses the data folder .*\n {3}Stop the bot, and run this again\.$/,
        ),
      ])
    }
    await killed(child)
  }, 60_000)

  test('a configuration that does not load is not examined further', async () => {
    await bot.configure({ rest: 'concurrency: 0' })
    const { code, out } = await bot.run(['doctor', '--json'])
    expect(code).toBe(2)
    const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ check: 'database', severity: 'error', unexamined: true, fixable: false })
  })

  test('options that do not fit together are refused', async () => {
    expect(await bot.run(['doctor', '--replay', 'all'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('dead-letters --replay all'),
    })
    expect(await bot.run(['doctor', 'dead-letters', '--fix'])).toMatchObject({ code: 2 })
    expect(await bot.run(['doctor', 'everything'])).toMatchObject({ code: 2 })
  })
})

test('the clock of the database is compared with that of the machine', async () => {
  const db = await openTestDatabase()
  try {
    const off = async (ms: number) => {
      const clock = { now: () => Date.now() + ms }
      const patient = { db, clock } as unknown as Parameters<typeof clockDifference>[0]
      return (await clockDifference(patient))[0]
    }
    expect(await off(0)).toMatchObject({ severity: 'ok' })
    expect(await off(-10_000)).toMatchObject({
      severity: 'warning',
      what: 'the clock of this machine differs by 10 s from that of the database',
    })
    expect(await off(120_000)).toMatchObject({ severity: 'error' })
  } finally {
    await db.close()
  }
})
