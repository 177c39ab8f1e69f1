// postgres: an upgrade beside running processes
/** An online migration is killed in each kind of step, and started by several processes at once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from 'kikimimi'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../core/storage/database/database.ts'
import type { OpenDatabase } from '../core/storage/database/open-database.ts'
import { pgBouncerProgram, startPgBouncer } from '../core/testing/pgbouncer.ts'
import { silent } from './support.ts'

const ITEMS = 5_000
const FILES: Readonly<Record<string, string>> = {
  '001-item.sql': `
    create table shop.item (id int, price int not null);
    insert into shop.item select n, n % 90 from generate_series(1, ${ITEMS}) n;`,
  '002-cents.sql': `-- kikimimi: online
-- Prices become cents.

-- step: concurrently
create unique index concurrently item_id on shop.item (id)
-- step
alter table shop.item add column cents int;
-- step: repeat
with next as (select id from shop.item where cents is null order by id limit 500)
  update shop.item i set cents = price * 100 from next where next.id = i.id returning 1
-- step
alter table shop.item alter column cents set not null, drop column price;
`,
  '003-sum.sql': 'create table shop.total as select sum(cents) as cents from shop.item;',
}

let opened: AsyncDisposableStack
let files: string
beforeEach(async () => {
  opened = new AsyncDisposableStack()
  files = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-shop-'))).path
  for (const [name, sql] of Object.entries(FILES)) await writeFile(join(files, name), sql)
})
afterEach(() => opened.disposeAsync())

async function home(): Promise<{ readonly target: string; open(): Promise<OpenDatabase> }> {
  const server = testServer() ? opened.adopt(await openTestDatabase(), one => one.close()) : undefined
  const folder = opened.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-online-')))
  const target = server && 'url' in server ? server.url : join(folder.path, 'data')
  return { target, open: () => openDatabase(target, { clock: systemClock, log: silent }) }
}

/** @param last text of the statement after which it waits to be killed */
function start(target: string, last?: string): ChildProcess {
  const args = [
    join(import.meta.dirname, 'upgrade/migrating.ts'),
    target,
    join(files, '/'),
    'shop',
    ...(last === undefined ? [] : [last]),
  ]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
}

async function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly told: string }> {
  child.stdout?.resume()
  const [told, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')])
  return { code, told }
}

/** Each item has its price in cents, and nothing is unfinished. */
async function upgraded(db: OpenDatabase): Promise<void> {
  const { rows } = await db.query(
    `select count(*) as items, count(*) filter (where cents = id % 90 * 100) as right from shop.item`,
  )
  expect(rows).toEqual([{ items: ITEMS, right: ITEMS }])
  expect((await db.query('select cents from shop.total')).rows).toEqual([{ cents: sumOfCents() }])
  const { rows: left } = await db.query(`
    select 'index ' || indexrelid::regclass as one from pg_index where not indisvalid
    union all select 'step ' || name from kikimimi.migration_step`)
  expect(left).toEqual([])
}

function sumOfCents(): number {
  let sum = 0
  for (let id = 1; id <= ITEMS; id++) sum += (id % 90) * 100
  return sum
}

it('a start that is killed in a step is continued by the next one', async () => {
  const { target, open } = await home()
  for (const marker of [
    'item_id on shop.item',
    'add column cents',
    'limit 500',
    'drop column price',
    'create table shop.total',
  ]) {
    const child = start(target, marker)
    const exited = once(child, 'exit')
    let out = ''
    for await (const sql of child.stdout ?? []) {
      out += sql
      if (out.includes(marker)) child.kill('SIGKILL')
    }
    expect([marker, ...(await exited)]).toEqual([marker, null, 'SIGKILL'])
  }
  expect((await ended(start(target))).code).toBe(0)
  await upgraded(opened.adopt(await open(), one => one.close()))
})

const program = pgBouncerProgram()
describe.skipIf(!testServer())('three processes that start at once', () => {
  it.each(program ? [false, true] : [false])('migrate once (through PgBouncer: %s)', async pooled => {
    const { target, open } = await home()
    const pooler = pooled ? opened.use(await startPgBouncer(program ?? '', target)) : undefined
    const processes = Array.from({ length: 3 }, () => ended(start(pooler ? pooler.through(target) : target)))
    const results = await Promise.all(processes)
    expect(results.map(({ code, told }) => (code === 0 ? code : told))).toEqual([0, 0, 0])
    const ran = results.flatMap(({ told }) => JSON.parse(told) as string[])
    expect(ran.sort()).toEqual(Object.keys(FILES))
    await upgraded(opened.adopt(await open(), one => one.close()))
  })
})
