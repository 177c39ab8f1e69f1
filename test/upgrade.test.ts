// postgres: the upgrade of a server
/** The current bot with data of each release, and of this version, in whose release the same data are kept. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, globSync } from 'node:fs'
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createGunzip } from 'node:zlib'
import type { Trace } from 'kikimimi'
import { systemClock } from 'kikimimi'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesOf } from '../core/base/text/lines.ts'
import { openDatabase } from '../core/storage/database/database.ts'
import { migrate, pendingMigrations } from '../core/storage/database/migrate.ts'
import { type Restored, restore } from '../packages/backup/data/restore.ts'
import { scheduleJobs } from '../packages/cli/data/schedule-jobs.ts'
import { silent } from './support.ts'
import { botOn, plugins } from './upgrade/bot.ts'
import { makeBackup } from './upgrade/make.ts'

/** Data of releases: see make.ts there. */
const kept = join(import.meta.dirname, 'upgrade')

test('an interrupted migration is repeated completely by the next start', async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), 'kikimimi-upgrade-'))
  const steps = join(scratch.path, 'steps/')
  await mkdir(steps)
  await writeFile(join(steps, '001-item.sql'), 'create table shop.item (id int primary key);')
  await writeFile(join(steps, '002-fill.sql'), '-- cut here\ninsert into shop.item select generate_series(1, 300000);')
  await writeFile(join(steps, '003-price.sql'), 'alter table shop.item add price int not null default 1;')
  await using opened = new AsyncDisposableStack()
  const server = testServer() ? opened.adopt(await openTestDatabase(), one => one.close()) : undefined
  const home = server && 'url' in server ? server.url : join(scratch.path, 'data')

  const start = spawn(process.execPath, [join(kept, 'migrating.ts'), home, steps])
  const ended = once(start, 'exit')
  for await (const sql of start.stdout) if (String(sql).includes('cut here')) start.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])

  const db = opened.adopt(await openDatabase(home, { clock: systemClock, log: silent }), one => one.close())
  expect(await migrate(db, 'shop', pathToFileURL(steps), systemClock)).toEqual(['002-fill.sql', '003-price.sql'])
  expect((await db.query('select sum(price) as sum from shop.item')).rows).toEqual([{ sum: 300_000 }])
})

const PRESENT = 'a backup of this version'

describe.each([...globSync('*.backup', { cwd: kept }).sort(), PRESENT])('over %s, the bot of today', backup => {
  const folders = new Map([
    ['kikimimi', new URL('../core/storage/migrations/', import.meta.url)],
    ...plugins.flatMap(({ definition: { name, migrations } }) => (migrations ? [[name, migrations] as const] : [])),
  ])
  const opened = new AsyncDisposableStack()
  afterAll(() => opened.disposeAsync())

  // The time at which the old bot was stopped.
  const stopped = new Date('2026-01-06T12:33:40Z')
  let db: Awaited<ReturnType<typeof openTestDatabase>>
  let restored: Restored
  let bot: Awaited<ReturnType<typeof botOn>>

  beforeAll(async () => {
    db = opened.adopt(await openTestDatabase(), one => one.close())
    const file = createReadStream(await fileOf(backup)).pipe(createGunzip())
    restored = await restore(db, linesOf(file), { clock: systemClock, folders })
    bot = opened.use(await botOn(db, stopped))
    await scheduleJobs(bot.bot, restored.jobs)
  })

  async function fileOf(name: string): Promise<string> {
    if (name !== PRESENT) return join(kept, name)
    const made = join(opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-present-'))).path, 'present.backup')
    expect(await makeBackup(made)).toBeGreaterThan(0)
    return made
  }

  const latest = async (): Promise<Trace | undefined> => (await bot.bot.traces(1))[0]

  test('applies all migrations', async () => {
    expect(restored.left).toEqual([])
    for (const [owner, folder] of folders) expect(await pendingMigrations(db, owner, folder)).toEqual([])
  })

  test('judges pending messages of the old bot', async () => {
    await bot.pass('10s')
    // The channel was silent: what the forgotten Erin said, and the answer to it, do not count.
    expect(await latest()).toMatchObject({ conversation: 'test/team/general', decision: { plugin: 'proactive' } })
  })

  test('has its facts and summaries', async () => {
    expect(await bot.say('Alice', '@kiki where is the spare key?')).toEqual([expect.stringContaining('under the blue pot')])
    const sections = (await latest())?.sections.map(({ plugin }) => plugin)
    expect(new Set(sections)).toEqual(new Set(['memory-summary', 'profiles', 'facts']))
  })

  test('has its profiles', async () => {
    const [told] = await bot.say('Alice', '@kiki what do you know about me?')
    expect(told).toContain('my cat is called Momo')
    expect(told).toContain('Alice lives in Osaka')
    const [carol] = await bot.say('Carol', '@kiki 私のこと何知ってる？')
    expect(carol).toContain('うちの犬の名前はポチです')
  })

  test('counts and indexes each message once', async () => {
    await bot.pass('20m')
    const { rows } = await db.query(
      `select s.author_id, s.said::int, c.counted::int from (
         select author_id, count(*) as said from kikimimi_v1.message
         where not own and not author_bot and author_id <> '' and not being_forgotten group by author_id
       ) s left join (select person, sum(messages) as counted from profiles.activity group by person) c on c.person = s.author_id
       where s.said is distinct from c.counted`,
    )
    expect(rows).toEqual([])
    const { rows: twice } = await db.query('select channel, id from facts.message group by 1, 2 having count(*) > 1')
    expect(twice).toEqual([])
    const { rows: lost } = await db.query(
      'select 1 from facts.message m left join kikimimi.message l using (seq) where l.seq is null',
    )
    expect(lost).toEqual([])
  })

  test('keeps private data private', async () => {
    const question = '@kiki where is the password?'
    expect((await bot.say('Carol', question)).join()).not.toContain('drawer')
    expect((await bot.say('Alice', question, { channel: 'board', visibility: 'private' })).join()).toContain('drawer')
  })

  test('respects opt-outs', async () => {
    expect(await bot.say('Dave', '@kiki hello')).toEqual([])
    const { rows } = await db.query(`select 1 from kikimimi.message where author_id = 'dave' and text like '%hello%'`)
    expect(rows).toEqual([])
  })

  test('respects mutes', async () => {
    expect(await bot.say('Alice', 'does anybody know when the train leaves?', { channel: 'office' })).toEqual([])
    await bot.pass('10s')
    expect(await latest()).toMatchObject({ conversation: 'test/team/office', decision: { why: 'was asked to be quiet' } })
  })

  test('continues to remember', async () => {
    await bot.say('Bob', '@kiki remember that the ladder is behind the shed')
    // Long enough for summaries, profiles and the reflection.
    await bot.pass('20m')
    expect(await bot.say('Alice', '@kiki where is the ladder?')).toEqual([expect.stringContaining('behind the shed')])
    expect(bot.warnings).toEqual([])
  })
})
