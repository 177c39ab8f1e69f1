// postgres: migrations and their locks
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../api/index.ts'
import { VirtualClock } from '../../base/clock.ts'
import { openTestDatabase, testServer } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

describe('migrations', () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1))
  let db: Database
  let folder: string

  beforeAll(async () => {
    db = await openTestDatabase({ clock })
  })
  afterAll(() => db.close())
  // Each test begins with a database in which no migration has run.
  beforeEach(async () => {
    await db.script('drop schema if exists kikimimi, kikimimi_v1, judge_rules, facts, "order" cascade')
    folder = await mkdtemp(join(tmpdir(), 'kikimimi-migrate-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
  const [here, kind] = testServer() ? ['this database', 'database'] : ['this data folder', 'folder']
  const run = (owner = 'judge-rules') => migrate(db, owner, pathToFileURL(`${folder}/`), clock)

  it('run in order in a schema of the owner, and are recorded with the time of the clock', async () => {
    await write('002-fill.sql', `insert into judge_rules.rule values ('quiet'), ('polite');`)
    await write('001-rule.sql', 'create table judge_rules.rule (name text);')
    await write('notes.md', 'not SQL')
    expect(await run()).toEqual(['001-rule.sql', '002-fill.sql'])
    expect((await db.query('select name from judge_rules.rule')).rowCount).toBe(2)
    const { rows } = await db.query('select owner, name, at from kikimimi.migration order by name')
    expect(rows).toEqual([
      { owner: 'judge-rules', name: '001-rule.sql', at: new Date('2026-01-01') },
      { owner: 'judge-rules', name: '002-fill.sql', at: new Date('2026-01-01') },
    ])
  })

  it('run once, and later ones when they are added', async () => {
    await write('001-rule.sql', 'create table judge_rules.rule (name text);')
    expect(await run()).toEqual(['001-rule.sql'])
    expect(await run()).toEqual([])
    await write('002-more.sql', 'alter table judge_rules.rule add weight int;')
    expect(await run()).toEqual(['002-more.sql'])
  })

  it('of two owners are separate', async () => {
    await write('001-table.sql', 'select 1;')
    expect(await run('order')).toEqual(['001-table.sql'])
    expect(await run('kikimimi')).toEqual(['001-table.sql'])
  })

  it('that fail name owner, file and reason, and earlier ones stay', async () => {
    await write('001-rule.sql', 'create table judge_rules.rule (name text);')
    await write('002-broken.sql', `insert into judge_rules.rule values ('half');\n\nselect * form judge_rules.rule;`)
    await expect(run()).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: '[judge-rules] 002-broken.sql, line 3: syntax error at or near "form"',
    })
    expect((await db.query('select * from judge_rules.rule')).rows).toEqual([])

    await write('002-broken.sql', 'create table judge_rules.rule (name text);')
    await expect(run()).rejects.toThrow('[judge-rules] 002-broken.sql: relation "rule" already exists')
    await write('002-broken.sql', 'select 1;')
    expect(await run()).toEqual(['002-broken.sql'])
  })

  it('that have run must not change, except their line ends', async () => {
    await write('001-rule.sql', 'create table judge_rules.rule (name text);\n-- two lines')
    await run()
    await write('001-rule.sql', 'create table judge_rules.rule (name text);\r\n-- two lines')
    expect(await run()).toEqual([])

    await write('001-rule.sql', 'create table judge_rules.rule (name text, weight int);')
    await write('002-next.sql', 'create table judge_rules.next (name text);')
    await expect(run()).rejects.toMatchObject({
      code: 'MIGRATION_CHANGED',
      message: `[judge-rules] 001-rule.sql made tables in ${here}, and was edited since. Bring the old file back, and write the change as a new migration. While you write the plugin, you can also begin with an empty ${kind}.`,
    })
    expect((await db.query(`select 1 from pg_tables where tablename = 'next'`)).rowCount).toBe(0)
  })

  it('of a later version are refused before any migration runs', async () => {
    await write('001-rule.sql', 'create table judge_rules.rule (name text);')
    await write('002-later.sql', 'alter table judge_rules.rule add weight int;')
    await run()
    await rm(join(folder, '002-later.sql'))
    await write('003-other.sql', 'create table judge_rules.other (name text);')
    await expect(run()).rejects.toMatchObject({
      code: 'MIGRATION_UNKNOWN',
      message: `[judge-rules] 002-later.sql made tables in ${here}, and is missing in ${folder}/. Bring it back, or use the version of judge-rules that has it. While you write the plugin, you can also begin with an empty ${kind}.`,
    })
    expect((await db.query(`select 1 from pg_tables where tablename = 'other'`)).rowCount).toBe(0)
  })

  describe('of another version of the bot', () => {
    const installed = () => join(folder, 'node_modules/@kikimimi/facts')
    const start = () => migrate(db, 'facts', pathToFileURL(`${installed()}/`), clock)
    const [name, argument] = testServer() ? ['This database', 'URL'] : ['This data folder', 'FOLDER']

    beforeEach(async () => {
      await mkdir(installed(), { recursive: true })
      await write('node_modules/@kikimimi/facts/001-facts.sql', 'create table facts.fact (item int);')
      await start()
    })

    it('are refused with what a person can do, if they are earlier', async () => {
      // All files of such a version have other names, too.
      await write('node_modules/@kikimimi/facts/002-index.sql', 'create table facts.posting (item int);')
      await start()
      await rm(join(installed(), '002-index.sql'))
      await write('node_modules/@kikimimi/facts/001-facts.sql', 'create table facts.fact (item bigint);')
      await expect(start()).rejects.toMatchObject({
        code: 'MIGRATION_CHANGED',
        message: `[facts] ${name} is of a version before 0.1.0, or 001-facts.sql was edited since: this version cannot use it, and has changed nothing in it. Take what people said and what the bot remembers along: \`kikimimi rescue ${argument} --to FILE\`, then \`kikimimi restore FILE\` into an empty folder or database. Or use the version that made it.`,
      })
      const backup = new Map([['001-facts.sql', 'of an earlier version']])
      await expect(migrate(db, 'facts', pathToFileURL(`${installed()}/`), clock, backup)).rejects.toThrow(
        '[facts] This backup is of a version before 0.1.0, or 001-facts.sql was edited since: this version cannot use it, and has changed nothing in it. Take what people said and what the bot remembers along: `kikimimi rescue BACKUP --to FILE`',
      )
    })

    it('are refused with what a person can do, if they are later', async () => {
      await write('node_modules/@kikimimi/facts/002-later.sql', 'create table facts.later (item int);')
      await start()
      await rm(join(installed(), '002-later.sql'))
      await expect(start()).rejects.toMatchObject({
        code: 'MIGRATION_UNKNOWN',
        message: `[facts] ${name} is of a later version, which has run 002-later.sql: this version cannot use it, and has changed nothing in it. Use that version or a later one, or restore a backup from before the upgrade into an empty folder or database.`,
      })
    })
  })

  it.each([['rule.sql'], ['1-rule.sql'], ['001 rule.sql'], ['003-same-number.sql']])('are not named %s', async name => {
    await write('003-zero.sql', 'select 1;')
    await write(name, 'select 1;')
    await expect(run()).rejects.toThrow('migrations are named 001-what-it-does.sql, each number once')
  })

  it('need a file', async () => {
    const empty = pathToFileURL(`${await mkdtemp(join(folder, 'empty-'))}/`)
    await expect(migrate(db, 'facts', empty, clock)).rejects.toThrow(/^\[facts\] .* has no SQL file\. Add 001-what-it-does\.sql/)
  })

  it('need their folder', async () => {
    await expect(migrate(db, 'facts', pathToFileURL(join(folder, 'gone/')), clock)).rejects.toThrow(
      /^\[facts\] cannot read its migrations: ENOENT/,
    )
  })
})
