// postgres: rescue reads a server
/**
 * Data of earlier versions comes into this one. `testing/past` has backups that three earlier versions made of an invented talk, with
 * their own `kikimimi backup`, and the tables of the oldest as SQL.
 */
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Database, systemClock } from 'kikimimi'
import { createLogger, dropNewTables, openDatabase } from 'kikimimi/host'
import { openTestDatabase, testServer } from 'kikimimi/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { called } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const past = (name: string) => fileURLToPath(new URL(`../testing/past/${name}`, import.meta.url))
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

let folder: string
beforeAll(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/rescue-'))
  const config = (plugins: string) =>
    `import addressing from '@kikimimi/addressing'
     import facts from '@kikimimi/facts'
     import judgeRules from '@kikimimi/judge-rules'
     import profiles from '@kikimimi/profiles'
     import quiet from '@kikimimi/quiet'
     import reflection from '@kikimimi/reflection'
     import remember from '@kikimimi/remember'
     import reply from '@kikimimi/reply'
     import terminal from '@kikimimi/terminal'
     import { defineBot } from 'kikimimi'
     export default defineBot({ persona: { name: 'kiki' }, database: './data', plugins: [terminal(), ${plugins}] })`
  await writeFile(
    join(folder, 'bot.config.ts'),
    config('quiet(), remember(), addressing(), judgeRules(), profiles(), facts(), reflection(), reply()'),
  )
  await writeFile(join(folder, 'small.config.ts'), config('addressing(), judgeRules(), reply()'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Backups and folders are the same everywhere. */
const isRepeated = testServer() !== undefined

const run = (args: readonly string[], input = '') => called([...args], { cwd: folder, input })

type Row = Record<string, unknown>

async function tablesIn(file: string): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, Row[]>()
  let rows: Row[] = []
  for (const line of gunzipSync(await readFile(file))
    .toString()
    .trim()
    .split('\n')) {
    const { table, row } = JSON.parse(line)
    if (table !== undefined) {
      rows = []
      tables.set(table, rows)
    } else if (row !== undefined) rows.push(row)
  }
  return tables
}

/** What people said, asked and set, without what differs by design: the terminal was called console once. */
async function saidIn(file: string) {
  const tables = await tablesIn(file)
  const all = (name: string) => tables.get(name) ?? []
  const id = (value: unknown) =>
    String(value)
      .replace(/^console(?=\/|$)/, 'terminal')
      .replace(/^terminal\/\/console(?=\/|$)/, 'terminal//terminal')
  const time = (value: unknown) => value && Date.parse(String(value))
  const sorted = (rows: readonly unknown[][]) => rows.map(row => JSON.stringify(row)).sort()
  const items = new Map(all('facts.item').map(one => [one.id, one]))
  const scopes = new Map(all('facts.scope').map(one => [one.id, one]))
  return {
    messages: sorted(
      all('kikimimi.message').map(one => [
        ...[
          one.seq,
          id(one.conversation),
          id(one.channel),
          one.id,
          one.author_id,
          one.author_name,
          one.own,
          one.addressed,
          one.text,
        ],
        ...[
          time(one.at),
          time(one.received_at),
          time(one.edited_at),
          time(one.deleted_at),
          one.mentions,
          one.reactions,
          one.reply_to,
        ],
      ]),
    ),
    facts: sorted(
      all('facts.fact').map(one => {
        const item = items.get(one.item)
        const scope = scopes.get(item?.scope)
        return [
          ...[one.item, one.content, one.kind, one.people, one.pinned, one.shareable, one.confidence, one.strength],
          ...[time(item?.at), id(scope?.workspace), id(scope?.place), scope?.visibility],
          all('facts.fact_source')
            .filter(({ item }) => item === one.item)
            .map(({ channel, message, author, quote }) => [id(channel), message, author, quote]),
        ]
      }),
    ),
    optedOut: sorted(
      [...all('remember.opt_out'), ...all('kikimimi.opt_out')].map(one => [
        id(one.platform),
        one.person,
        time(one.since),
        time(one.until),
      ]),
    ),
    forgotten: sorted(all('profiles.forgotten').map(one => [id(one.platform), one.person, time(one.before)])),
    settings: sorted(
      all('kikimimi.setting').map(one => [id(one.place), one.plugin, one.key, one.value, one.by_id, time(one.at)]),
    ).map(one => one.replace('"judge-rules","chattiness"', '"addressing","chattiness"')),
    mutes: sorted(all('quiet.mute').map(one => [id(one.channel), time(one.until)])),
  }
}

describe.skipIf(isRepeated).for(['a658878', '65a703d0', 'ba82a1e2'])('a backup of version %s', version => {
  const rescued = `${version}.rescued`

  it('is rescued, with all messages, facts, opt-outs and settings', async () => {
    const { code, out, err } = await run(['rescue', past(`${version}.backup`), '--to', rescued])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const before = await saidIn(past(`${version}.backup`))
    expect(await saidIn(join(folder, rescued))).toEqual(before)
    expect(before.messages.length).toBeGreaterThan(20)
    for (const kind of ['facts', 'optedOut', 'forgotten', 'settings', 'mutes'] as const) expect(before[kind]).not.toEqual([])
    expect(out).toContain(`messages: ${before.messages.length} found, ${before.messages.length} taken\n`)
    expect(out).toMatch(/^Left, because it explains or counts past turns: .*kikimimi\.trace \d+/m)
  })

  it('is restored, and the bot works with it', async () => {
    for (const name of ['data', 'data.lock', 'data.erased']) await rm(join(folder, name), { recursive: true, force: true })
    expect(await run(['restore', rescued])).toMatchObject({ code: 0, err: '' })
    const talk = ['alice: /kiki what-do-you-know-about-me', 'mallory: @kiki the flamingo is pink', 'bob: one more line']
    const { out } = await run(['start'], `${talk.join('\n')}\n`)
    expect(out).toContain('the green key opens the boathouse')
    expect((await run(['facts', 'search', 'boathouse'])).out).toMatch(/pinned {2}#general {2}the green key opens the boathouse/)
    expect(await run(['backup', `${version}.after`])).toMatchObject({ code: 0, err: '' })
    const [before, after] = [await saidIn(past(`${version}.backup`)), await saidIn(join(folder, `${version}.after`))]
    expect(after.messages).toEqual(expect.arrayContaining(before.messages))
    expect(after.messages.join('\n')).toContain('one more line')
    expect(after.messages.join('\n')).not.toContain('flamingo')
    expect(after).toMatchObject({ optedOut: before.optedOut, settings: before.settings })
  })
})

it.skipIf(isRepeated)('what the bot had promised to forget is forgotten', async () => {
  const lines = gunzipSync(await readFile(past('ba82a1e2.backup')))
    .toString()
    .trim()
    .split('\n')
  const job = (finish: object) => ({
    job: { kind: 'remember.finish', key: null, payload: { finish, sent: [] }, at: new Date().toISOString(), urgent: false },
  })
  const people = (id: string) => [{ platform: 'terminal', id }]
  const jobs = [
    job({ kind: 'forget', people: people('bob') }),
    job({ kind: 'silence', people: people('carol'), before: new Date().toISOString() }),
  ]
  const { end } = JSON.parse(lines.pop() ?? '')
  const more = [...jobs, { end: { ...end, jobs: end.jobs + jobs.length } }].map(one => JSON.stringify(one))
  await writeFile(join(folder, 'waiting.backup'), gzipSync(`${[...lines, ...more].join('\n')}\n`))
  const authorsIn = async (name: string) => {
    const messages = (await tablesIn(join(folder, name))).get('kikimimi.message') ?? []
    return messages.filter(one => one.text !== '').map(one => one.author_id)
  }
  expect(await authorsIn('waiting.backup')).toEqual(expect.arrayContaining(['alice', 'bob', 'carol']))
  expect(await run(['rescue', 'waiting.backup', '--to', 'waiting.rescued'])).toMatchObject({ code: 0, err: '' })
  for (const name of ['data', 'data.lock', 'data.erased']) await rm(join(folder, name), { recursive: true, force: true })
  expect(await run(['restore', 'waiting.rescued'])).toMatchObject({ code: 0, err: '' })
  await run(['start'], 'alice: @kiki are you there?\n')
  expect(await run(['backup', 'waiting.after'])).toMatchObject({ code: 0, err: '' })
  const authors = await authorsIn('waiting.after')
  expect(authors).toContain('alice')
  expect(authors).not.toContain('bob')
  expect(authors).not.toContain('carol')
})

/** Makes the tables of the oldest version, with the rows of its backup. */
async function fillOld(db: Database): Promise<void> {
  await dropNewTables(db)
  await db.script(`create schema kikimimi;
    create table kikimimi.migration (owner text, name text, checksum text, at timestamptz not null default now(), primary key (owner, name))`)
  const lines = gunzipSync(await readFile(past('a658878.backup')))
    .toString()
    .split('\n')
  const { migrations } = JSON.parse(lines[0] ?? '')
  for (const owner of new Set(migrations.map((one: Row) => String(one.owner).replaceAll('-', '_'))))
    if (owner !== 'kikimimi') await db.script(`create schema "${owner}"`)
  await db.script(gunzipSync(await readFile(past('a658878.sql.gz'))).toString())
  await db.query(
    'insert into kikimimi.migration (owner, name, checksum) select owner, name, checksum from jsonb_populate_recordset(null::kikimimi.migration, $1::jsonb)',
    [JSON.stringify(migrations)],
  )
  const { rows } = await db.query<{ name: string }>(`select schemaname || '.' || tablename as name from pg_tables`)
  const here = new Set(rows.map(({ name }) => name))
  for (const [table, all] of await tablesIn(past('a658878.backup'))) {
    if (!here.has(table) || all.length === 0) continue
    await db.script(`alter table ${table} disable trigger all; delete from ${table}`)
    const columns = Object.keys(all[0] ?? {}).map(name => `"${name}"`)
    await db.query(
      `insert into ${table} (${columns.join(', ')}) overriding system value
       select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [JSON.stringify(all)],
    )
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  const files = await readdir(path, { recursive: true, withFileTypes: true })
  for (const file of files.map(one => join(one.parentPath, one.name)).sort())
    hash.update(file).update(await readFile(file).catch(() => 'a folder'))
  return hash.digest('hex')
}

describe.skipIf(isRepeated)('a data folder of the oldest version', () => {
  const open = (name: string) => openDatabase(join(folder, name), { clock: systemClock, log })
  let [fact, migration] = ['', '']
  beforeAll(async () => {
    const db = await open('old')
    await fillOld(db)
    const { rows } = await db.query<{ path: string }>(
      `select pg_relation_filepath(name) as path from unnest(array['facts.fact', 'kikimimi.migration']) name`,
    )
    ;[fact, migration] = rows.map(({ path }) => path) as [string, string]
    await db.close()
  })

  it('is rescued, and stays as it was', async () => {
    const before = await hashOf(join(folder, 'old'))
    expect(await run(['rescue', 'old', '--to', 'folder.rescued'])).toMatchObject({ code: 0, err: '' })
    expect(await saidIn(join(folder, 'folder.rescued'))).toEqual(await saidIn(past('a658878.backup')))
    expect(await hashOf(join(folder, 'old'))).toBe(before)
  })

  it('names what the bot has no plugin for', async () => {
    const { code, out } = await run(['rescue', 'old', '--to', 'small.rescued', '--config', 'small.config.ts'])
    expect(code).toBe(1)
    expect(out).toContain('messages: 25 found, 25 taken')
    expect(out).toMatch(/bot\.config\.ts has no plugin facts: add it, and rescue again: .*facts\.fact 3/)
    expect(out).toContain('opt-outs: 1 found, 1 taken')
  })

  it('gives the rest when the file of a table is missing', async () => {
    await cp(join(folder, 'old'), join(folder, 'broken'), { recursive: true })
    await rm(join(folder, 'broken', fact))
    const { code, out } = await run(['rescue', 'broken', '--to', 'broken.rescued'])
    expect(code).toBe(1)
    expect(out).toMatch(/^facts: .*0 taken\n {2}.* left, because facts\.fact cannot be read: could not open file/m)
    expect((await saidIn(join(folder, 'broken.rescued'))).messages).toEqual((await saidIn(past('a658878.backup'))).messages)
  })

  it('has the channel of its terminal under the name that the terminal has now', async () => {
    await cp(join(folder, 'old'), join(folder, 'channel'), { recursive: true })
    const db = await open('channel')
    await db.query(`update kikimimi.setting set place = 'console//console'`)
    await db.close()
    expect(await run(['rescue', 'channel', '--to', 'channel.rescued'])).toMatchObject({ code: 0, err: '' })
    const settings = (await tablesIn(join(folder, 'channel.rescued'))).get('kikimimi.setting') ?? []
    expect([...new Set(settings.map(({ place }) => place))]).toEqual(['terminal//terminal'])
  })

  it('is rescued when nothing tells its version', async () => {
    await cp(join(folder, 'old'), join(folder, 'unknown'), { recursive: true })
    await rm(join(folder, 'unknown', migration))
    expect(await run(['rescue', 'unknown', '--to', 'unknown.rescued'])).toMatchObject({ err: '' })
    expect((await saidIn(join(folder, 'unknown.rescued'))).messages).toEqual((await saidIn(past('a658878.backup'))).messages)
  })

  it('is refused while a bot uses it', async () => {
    const db = await open('old')
    onTestFinished(() => db.close())
    const { code, err } = await run(['rescue', 'old', '--to', 'used.rescued'])
    expect({ code, err }).toEqual({ code: 1, err: 'A bot uses old. Stop it: a copy of files that change is not a database.\n' })
  })
})

/** The versions of all rows and sequences by table. Every write makes another version, except the statistics of autovacuum. */
async function versionsIn(db: Database): Promise<readonly Row[]> {
  const { rows } = await db.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and not relisshared and relname !~ '^pg_statistic'`,
  )
  const tables = rows.map(
    ({ name }) => `select '${name}' as name, string_agg(ctid || ' ' || xmin, ', ' order by ctid) as versions from ${name}`,
  )
  const sequences = `select 'sequences', string_agg(s::text, ', ' order by s::text) from pg_sequences s`
  return (await db.query(`${tables.join(' union all ')} union all ${sequences}`)).rows
}

it.runIf(testServer())('a server is rescued while others use it, and stays as it was', async () => {
  const db = await openTestDatabase()
  onTestFinished(() => db.close())
  await fillOld(db)
  const before = await versionsIn(db)
  const url = db.kind === 'postgres' ? db.url : ''
  expect(await run(['rescue', url, '--to', 'server.rescued'])).toMatchObject({ code: 0, err: '' })
  expect(await saidIn(join(folder, 'server.rescued'))).toEqual(await saidIn(past('a658878.backup')))
  expect(await versionsIn(db)).toEqual(before)
})

describe('one sentence and nothing else comes of', () => {
  beforeAll(async () => {
    const [whole, ...lines] = [await readFile(past('a658878.backup'))]
    const text = gunzipSync(whole).toString().split('\n')
    await mkdir(join(folder, 'bad/empty'), { recursive: true })
    await mkdir(join(folder, 'bad/other'))
    await writeFile(join(folder, 'bad/other/photo.jpg'), '')
    await mkdir(join(folder, 'bad/half'))
    for (const name of ['PG_VERSION', '.filling']) await writeFile(join(folder, 'bad/half', name), '18\n')
    await mkdir(join(folder, 'bad/former'))
    await writeFile(join(folder, 'bad/former/PG_VERSION'), '9\n')
    const db = await openDatabase(join(folder, 'bad/stranger'), { clock: systemClock, log })
    const { rows } = await db.query<{ version: string }>(
      `select current_setting('server_version_num')::int / 10000 || '' as version`,
    )
    await db.close()
    await mkdir(join(folder, 'bad/torn'))
    await writeFile(join(folder, 'bad/torn/PG_VERSION'), `${rows[0]?.version}\n`)
    await writeFile(join(folder, 'bad/cut.backup'), whole.subarray(0, whole.length / 2))
    await writeFile(join(folder, 'bad/short.backup'), gzipSync(text.slice(0, -5).join('\n')))
    await writeFile(join(folder, 'bad/unknown.backup'), 'hello')
    await writeFile(join(folder, 'bad/sealed.backup'), 'age-encryption.org/v1\n-> X25519 abc\n')
    await writeFile(
      join(folder, 'bad/later.backup'),
      gzipSync([text[0]?.replace('"kikimimi":1', '"kikimimi":2'), ...lines].join('\n')),
    )
    await writeFile(join(folder, 'bad/there.rescued'), 'mine')
  })

  it.for([
    ['an empty folder', 'bad/empty', 'The folder bad/empty is empty.'],
    ['a folder of other files', 'bad/other', 'bad/other holds no database (photo.jpg).'],
    ['a folder that was never filled', 'bad/half', 'bad/half holds half a database'],
    ['a folder of another Postgres', 'bad/former', 'bad/former is of Postgres 9, and this version has Postgres'],
    ['a folder without most of its files', 'bad/torn', 'The database in bad/torn cannot be opened: '],
    ['a database without a bot', 'bad/stranger', 'No bot of kikimimi has used this database'],
    ['a path where nothing is', 'bad/nothing', 'Cannot read bad/nothing: ENOENT'],
    [
      'a server that does not answer',
      'postgres://bot:secret@127.0.0.1:1/bot',
      'Cannot reach Postgres at 127.0.0.1:1, database "bot": nothing listens there.',
    ],
    ['another kind of URL', 'mysql://bot:secret@127.0.0.1/bot', 'mysql is no kind of database that a bot can have.'],
    ['a backup that is cut off', 'bad/cut.backup', 'Could not read bad/cut.backup: unexpected end of file'],
    ['a backup without its last lines', 'bad/short.backup', 'This is not a complete backup of a bot: it ends too early.'],
    ['a file of another kind', 'bad/unknown.backup', 'Could not read bad/unknown.backup: incorrect header check'],
    ['an encrypted backup without its key', 'bad/sealed.backup', ''],
    ['a backup of a later format', 'bad/later.backup', 'this version does not support its format'],
  ] as const)('%s', async ([, from, sentence]) => {
    const before = await readdir(folder, { recursive: true })
    const { code, out, err } = await run(['rescue', from, '--to', 'bad.rescued'])
    expect({ code, out, lines: err.trim().split('\n').length }).toEqual({ code: 1, out: '', lines: 1 })
    expect(err).toContain(sentence)
    expect(err).not.toMatch(/bot:secret|\n {4}at /)
    expect(await readdir(folder, { recursive: true })).toEqual(before)
  })

  it('a file that is there already', async () => {
    const { code, err } = await run(['rescue', past('a658878.backup'), '--to', 'bad/there.rescued'])
    expect({ code, err }).toEqual({ code: 1, err: 'bad/there.rescued exists already. Choose another name.\n' })
    expect(await readFile(join(folder, 'bad/there.rescued'), 'utf8')).toBe('mine')
  })

  it('a folder for the file that is not there', async () => {
    const { code, err } = await run(['rescue', past('a658878.backup'), '--to', 'nowhere/x.rescued'])
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^Could not write nowhere\/x\.rescued: ENOENT.*\n$/) })
  })
})
