import { systemClock, type Database } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { createLogger, KERNEL_MIGRATIONS, migrate, openDatabase } from 'kikimimi/host'
import { mkdtemp, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import discord from '@kikimimi/discord'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reply from '@kikimimi/reply'
import slack from '@kikimimi/slack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dump, restore } from '@kikimimi/backup'
import { exportTo } from './export.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const kernel = KERNEL_MIGRATIONS
const plugins = [facts, memorySummary, profiles]
const folders = new Map([
  ['kikimimi', kernel],
  ...plugins.flatMap(({ definition: { name, migrations } }) => (migrations ? [[name, migrations] as const] : [])),
])

/** In memory, also when other tests use a server: the backup moves between the two kinds of database. */
const empty = () => openDatabase('memory', { clock: systemClock, log })

async function dumped(db: Database): Promise<string[]> {
  const lines: string[] = []
  await dump(db, systemClock, async line => void lines.push(line))
  return lines
}

async function* from(lines: readonly string[]) {
  yield* lines
}

/** A bot that has recorded, remembered and counted something, and has a waiting turn. */
let lines: readonly string[]
beforeAll(async () => {
  await using bot = await testBot({ storage: 'pglite', plugins: [facts(), memorySummary(), profiles(), reply()] })
  await bot.say('alice', 'my cat is called “Momo” 🐈 and\nshe is 3.5 years old')
  await bot.say('bob', '@kiki うちの猫の名前は\\n ではなくタマです', { thread: 't1' })
  await bot.say('carol', 'nobody will hear of this', { channel: 'board', visibility: 'private' })
  await bot.pass('16m')
  await bot.say('alice', '@kiki what is my cat called?')
  await bot.say('bob', 'anybody?')
  lines = await dumped(bot.db)
})

describe('a backup', () => {
  test('has all data of the bot', () => {
    const tables = lines.flatMap(line => (line.startsWith('{"table"') ? [JSON.parse(line).table] : []))
    expect(tables).toEqual(
      expect.arrayContaining(['kikimimi.message', 'kikimimi.trace', 'facts.vector', 'memory_summary.memory']),
    )
    expect(lines.some(line => /"id":"test\/team\/general",.*"due_at":"/.test(line))).toBe(true)
    expect(lines.join('\n')).toContain('she is 3.5 years old')
  })

  describe('that is restored', () => {
    let db: Database
    let left: readonly string[]
    beforeAll(async () => {
      db = await empty()
      left = (await restore(db, from(lines), { clock: systemClock, folders })).left
    })
    afterAll(() => db.close())

    test('names each table with its schema, whatever the user of the database is called', async () => {
      await db.query('set search_path to kikimimi, facts, public')
      const again = await dumped(db)
      await db.query('reset search_path')
      const tables = again.flatMap(line => (line.startsWith('{"table"') ? [String(JSON.parse(line).table)] : []))
      expect(tables).toContain('kikimimi.message')
      expect(tables.filter(name => !name.includes('.'))).toEqual([])
    })

    test('is equal', async () => {
      expect(left).toEqual([])
      const again = await dumped(db)
      const data = (all: readonly string[]) => all.filter(line => line.startsWith('{"row"') || line.startsWith('{"table"'))
      expect(data(again)).toEqual(data(lines))
      // The next row gets the next number.
      const { rows } = await db.query<{ next: number; last: number }>(
        `select nextval(pg_get_serial_sequence('kikimimi.message', 'seq')) as next, max(seq) as last from kikimimi.message`,
      )
      expect(rows[0]?.next).toBe((rows[0]?.last ?? 0) + 1)
    })

    test('is not restored again', async () => {
      await expect(restore(db, from(lines), { clock: systemClock, folders })).rejects.toMatchObject({ code: 'BACKUP_UNFIT' })
    })
  })

  test('that is of unknown tables, is cut off or has lost a line restores nothing', async () => {
    const db = await empty()
    try {
      const head = JSON.parse(lines[0] ?? '')
      const newer = { ...head, migrations: [...head.migrations, { owner: 'facts', name: '900-later.sql', checksum: 'x' }] }
      await expect(
        restore(db, from([JSON.stringify(newer), ...lines.slice(1)]), { clock: systemClock, folders }),
      ).rejects.toThrow('[facts] This backup is of a later version, which has run 900-later.sql')
      const row = lines.findIndex(line => line.startsWith('{"row"'))
      for (const broken of [lines.slice(0, -1), lines.toSpliced(row, 1), ['hello'], [], lines.toSpliced(-1, 1, '{"end')]) {
        await expect(restore(db, from(broken), { clock: systemClock, folders })).rejects.toMatchObject({
          code: 'BACKUP_UNREADABLE',
        })
      }
      const { rows } = await db.query('select 1 from kikimimi.message')
      expect(rows).toEqual([])
      expect((await restore(db, from(lines), { clock: systemClock, folders })).rows).toBeGreaterThan(20)
    } finally {
      await db.close()
    }
  })

  test('is not restored into a database with later tables', async () => {
    const later = await empty()
    try {
      await migrate(later, 'discord', discord.definition.migrations ?? kernel, systemClock)
      await expect(restore(later, from(lines), { clock: systemClock, folders })).rejects.toMatchObject({ code: 'BACKUP_UNFIT' })
    } finally {
      await later.close()
    }
  })

  test('of a removed plugin is left out, and reported', async () => {
    const db = await empty()
    try {
      const fewer = new Map([...folders].filter(([name]) => name !== 'profiles'))
      const { left } = await restore(db, from(lines), { clock: systemClock, folders: fewer })
      expect(left).toEqual(expect.arrayContaining([expect.stringMatching(/^profiles\./)]))
    } finally {
      await db.close()
    }
  })

  test('has the tables of third-party plugins, with any columns', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kikimimi-till-'))
    await writeFile(
      join(folder, '001-till.sql'),
      `create table till.receipt (
         id bigserial primary key,
         cents int not null,
         euros numeric generated always as (cents / 100.0) stored,
         replaces bigint references till.receipt
       )`,
    )
    const theirs = new Map([...folders, ['till', pathToFileURL(`${folder}/`)]])
    const [db, other] = [await empty(), await empty()]
    try {
      for (const name of ['kikimimi', 'till']) await migrate(db, name, theirs.get(name) ?? kernel, systemClock)
      await db.query(`insert into till.receipt (cents) select n from generate_series(1, 600) n`)
      // An early one refers to a late one.
      await db.query('update till.receipt set replaces = 599 where id = 1')
      await restore(other, from(await dumped(db)), { clock: systemClock, folders: theirs })
      const receipts = 'select * from till.receipt order by id'
      expect((await other.query(receipts)).rows).toEqual((await db.query(receipts)).rows)
      const { rows } = await other.query<{ id: number }>(`insert into till.receipt (cents) values (5) returning id`)
      expect(rows).toEqual([{ id: 601 }])
    } finally {
      await Promise.all([db.close(), other.close(), rm(folder, { recursive: true })])
    }
  })

  test('has no credentials of the bot, and neither has an export', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'kikimimi-export-'))
    const db = await empty()
    try {
      await migrate(db, 'kikimimi', kernel, systemClock)
      for (const { definition } of [discord, slack]) {
        if (definition.migrations) await migrate(db, definition.name, definition.migrations, systemClock)
      }
      await db.query(`insert into discord.command values ('m1', 'app', 'secret token', now() + interval '15 minutes')`)
      await db.query(`insert into slack.command values ('m1', 'trigger', 'secret address', now() + interval '30 minutes')`)
      expect((await dumped(db)).join('\n')).not.toContain('secret')
      const files = await exportTo(folder.path, db, { clock: systemClock })
      expect(files.map(({ path }) => path).filter(path => path.includes('command'))).toEqual([])
    } finally {
      await db.close()
    }
  })
})
