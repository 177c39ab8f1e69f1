// postgres: a backup of a server is read in a snapshot
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempDisposable, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import facts from '@kikimimi/facts'
import { type CliOutput, definePlugin, KikimimiError, Operator, systemClock } from 'kikimimi'
import { KERNEL_MIGRATIONS, openDatabase } from 'kikimimi/host'
import { silentLog, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test, vi } from 'vitest'
import { contentOf } from './data/checksums.ts'
import { linesIn } from './data/stream.ts'
import { drill } from './drill.ts'
import { decrypted, newKey } from './encryption.ts'
import backup from './index.ts'
import { KEYS, startS3 } from './testing/s3-server.ts'

const { secret, recipient } = await newKey()
const other = await newKey()

const factsMigrations = facts.definition.migrations
const folders = new Map([['kikimimi', KERNEL_MIGRATIONS], ...(factsMigrations ? [['facts', factsMigrations] as const] : [])])

interface Given extends Omit<TestBotOptions, 'plugins'> {
  readonly to: string
  readonly key?: string
  readonly keep?: number
}

async function botWith({ to, key = secret, keep = 3, ...options }: Given) {
  let state: Operator | undefined
  const operator = definePlugin({
    name: 'watcher',
    needs: [Operator],
    setup(ctx) {
      state = ctx.use(Operator)
    },
  })
  const plugins = [facts(), backup({ to, key, keep, at: '03:30', timeZone: 'UTC' }), operator]
  const bot = await testBot({ at: new Date('2026-03-01T01:00:00Z'), ...options, plugins })
  const run = async (...args: string[]) => {
    const lines: string[] = []
    const out: CliOutput = { json: false, print: line => void lines.push(line) }
    await bot.bot.command('backups', args, out)
    return lines
  }
  const health = () => {
    const found = state?.health().find(({ plugin }) => plugin === 'backup')?.health
    return { ...found, gauges: Object.fromEntries(found?.gauges.map(({ name, value }) => [name, value]) ?? []) }
  }
  /** The disk and the store take real time. */
  const made = (copies: number) => expect.poll(() => health().gauges).toMatchObject({ copies, failing: 0 })
  const failed = () => expect.poll(() => health().gauges.failing).toBe(1)
  return { bot, run, health, made, failed, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const OPEN_TRANSACTIONS = `select query from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`

const temporary = () => mkdtempDisposable(join(tmpdir(), 'kikimimi-backup-test-'))
const backups = async (folder: string) => (await readdir(folder)).sort()

function linesOf(file: string, key: string | undefined = secret) {
  return async function* () {
    const bytes = await readFile(file)
    yield* linesIn(decrypted(chunks(bytes), { key, name: 'the backup' }), 'the backup')
  }
}

async function* chunks(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000)
}

async function drilled(file: string, key?: string) {
  const db = await openDatabase('memory', { clock: systemClock, log: silentLog })
  try {
    return await drill(db, linesOf(file, key), { clock: systemClock, folders })
  } finally {
    await db.close()
  }
}

describe('a daily backup', () => {
  test('is made at its time of day, and once a day', async () => {
    await using folder = await temporary()
    await using kiki = await botWith({ to: folder.path })
    await kiki.bot.say('alice', 'my cat is called Tama')
    const hours = async () => (await backups(folder.path)).map(name => name.slice(9, 22))
    await kiki.bot.pass('2m')
    await expect.poll(hours).toEqual(['2026-03-01T01'])
    await kiki.made(1)
    expect((await stat(join(folder.path, (await backups(folder.path))[0] ?? ''))).mode & 0o777).toBe(0o600)
    await kiki.bot.pass('2h')
    expect(await hours()).toEqual(['2026-03-01T01'])
    await kiki.bot.pass('30m')
    await kiki.made(2)
    expect(await hours()).toEqual(['2026-03-01T01', '2026-03-01T03'])
    expect(kiki.health()).toMatchObject({
      state: expect.stringContaining('2 backups'),
      gauges: { copies: 2, failing: 0, last_success_timestamp_seconds: expect.any(Number) },
    })
    expect(kiki.health().problem).toBeUndefined()
  })

  test('removes what a killed bot left of a backup days before, and nothing that may still be written', async () => {
    await using folder = await temporary()
    const [old, recent] = ['kikimimi-2026-02-27T03-30-00Z.backup.age.part', 'kikimimi-2026-03-01T00-59-00Z.backup.age.part']
    for (const name of [old, recent, 'notes.part']) await writeFile(join(folder.path, name), 'x')
    await using kiki = await botWith({ to: folder.path })
    await kiki.bot.pass('2m')
    await kiki.made(1)
    expect((await readdir(folder.path)).filter(name => name.endsWith('.part')).sort()).toEqual([recent, 'notes.part'])
  })

  test('restores: numbers and checksums of all tables agree', async () => {
    await using folder = await temporary()
    await using kiki = await botWith({ storage: 'pglite', to: folder.path })
    await kiki.bot.say('alice', 'my cat is called “Tama” 🐈')
    const [line = ''] = await kiki.run('now')
    const [name = ''] = line.split(' ')
    const { content, left } = await drilled(join(folder.path, name))
    expect(left).toEqual([])
    expect(content.tables['kikimimi.message']?.rows).toBe(1)
    expect(await kiki.run('list')).toEqual([line])
  })

  test('is encrypted: it needs the right key', async () => {
    await using folder = await temporary()
    await using kiki = await botWith({ to: folder.path, key: recipient })
    await kiki.bot.say('alice', 'my cat is called Tama')
    await kiki.run('now')
    const file = join(folder.path, (await backups(folder.path))[0] ?? '')
    expect((await readFile(file, 'latin1')).startsWith('age-encryption.org/v1')).toBe(true)
    await expect(drilled(file, recipient)).rejects.toMatchObject({ code: 'BACKUP_LOCKED' })
    await expect(drilled(file, other.secret)).rejects.toMatchObject({ code: 'BACKUP_LOCKED' })
    expect((await drilled(file)).content.rows).toBeGreaterThan(1)
  })

  test.skipIf(spawnSync('age', ['--version']).status !== 0)('is decrypted by the program age', async () => {
    await using folder = await temporary()
    await using kiki = await botWith({ to: folder.path })
    await kiki.bot.say('alice', 'my cat is called Tama')
    await kiki.run('now')
    const file = join(folder.path, (await backups(folder.path))[0] ?? '')
    await writeFile(join(folder.path, 'key'), `${secret}\n`, { mode: 0o600 })
    const args = ['--decrypt', '--identity', join(folder.path, 'key'), file]
    const { stdout } = await promisify(execFile)('age', args, { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })
    expect(gunzipSync(stdout).toString()).toContain('my cat is called Tama')
  })

  test('that is cut short or changed is found', async () => {
    await using folder = await temporary()
    await using kiki = await botWith({ to: folder.path })
    for (let count = 0; count < 200; count++) await kiki.bot.say('alice', `message ${count} ${Math.random()}`)
    await kiki.run('now')
    const file = join(folder.path, (await backups(folder.path))[0] ?? '')
    const whole = await readFile(file)
    for (const size of [0, 10, 100, 250, whole.length - 1, Math.floor(whole.length / 2)]) {
      await writeFile(file, whole)
      await truncate(file, size)
      await expect(contentOf(linesOf(file)()), `cut to ${size}`).rejects.toMatchObject({
        code: expect.stringMatching(/^BACKUP_(UNREADABLE|LOCKED)$/),
      })
    }
    for (const at of [30, 150, Math.floor(whole.length / 2), whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      await writeFile(file, changed)
      await expect(contentOf(linesOf(file)()), `changed at ${at}`).rejects.toMatchObject({
        code: expect.stringMatching(/^BACKUP_(UNREADABLE|LOCKED)$/),
      })
    }
  })
})

describe('in an S3-compatible store', () => {
  async function withS3() {
    const s3 = await startS3()
    vi.stubEnv('AWS_ENDPOINT_URL', s3.endpoint)
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.id)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secret)
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    return s3
  }

  test('it is written, verified, listed and removed with signed requests', async () => {
    await using s3 = await withS3()
    await using kiki = await botWith({ to: 's3://safe/kiki/daily', keep: 2 })
    s3.objects.set('safe/kiki/daily/notes.txt', Buffer.from('mine'))
    await kiki.bot.say('alice', 'my cat is called Tama')
    for (let count = 0; count < 3; count++) {
      await kiki.run('now')
      await kiki.bot.pass('2s')
    }
    expect([...s3.objects.keys()].filter(key => /^safe\/kiki\/daily\/kikimimi-2026.*\.backup\.age$/.test(key))).toHaveLength(2)
    expect(s3.objects.has('safe/kiki/daily/notes.txt')).toBe(true)
    expect(await kiki.run('list')).toHaveLength(2)
    expect({ refused: s3.refused(), uploads: s3.uploads.size }).toEqual({ refused: 0, uploads: 0 })
    const [key = '', content = Buffer.of()] = [...s3.objects].find(([name]) => name.endsWith('.age')) ?? []
    await using folder = await temporary()
    await writeFile(join(folder.path, 'copy'), content)
    expect(key).not.toBe('')
    expect((await drilled(join(folder.path, 'copy'))).content.tables['kikimimi.message']?.rows).toBe(1)
  })

  test('a store that damages it is found out, the backup goes, and the bot tries again', async () => {
    await using s3 = await withS3()
    for (const key of [secret, recipient]) {
      s3.damage = content => content.subarray(0, -20)
      await using kiki = await botWith({ to: `s3://safe/${key === secret ? 'one' : 'two'}`, key })
      await kiki.bot.pass('2m')
      await kiki.failed()
      expect(s3.objects.size).toBe(key === secret ? 0 : 1)
      const errors = kiki.bot.log.filter(line => line.includes('There is no backup of today'))
      expect(errors.at(-1)).toMatch(/did not give back what was written/)
      expect(kiki.health()).toMatchObject({
        problem: expect.stringContaining('did not give back'),
        gauges: { failing: 1, copies: 0 },
      })
      const failures = errors.length
      await kiki.bot.pass('5m')
      expect(kiki.bot.log.filter(line => line.includes('There is no backup of today'))).toHaveLength(failures)
      s3.damage = undefined
      await kiki.bot.pass('15m')
      await kiki.made(1)
      expect(s3.objects.size).toBe(key === secret ? 1 : 2)
      expect(kiki.health()).toMatchObject({ gauges: { failing: 0, copies: 1 } })
    }
  })

  test('a store that is down, and a wrong key, are one line in the log', async () => {
    await using s3 = await withS3()
    s3.down = 503
    {
      await using kiki = await botWith({ to: 's3://safe' })
      await kiki.bot.pass('3m')
      await kiki.failed()
      expect(kiki.bot.log.filter(line => line.includes('There is no backup of today'))).toHaveLength(1)
    }
    s3.down = undefined
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong')
    await using kiki = await botWith({ to: 's3://safe' })
    await expect(kiki.run('now')).rejects.toMatchObject({
      code: 'BACKUP_STORE',
      message: expect.stringMatching(/SignatureDoesNotMatch|403/),
    })
    expect(s3.refused()).toBeGreaterThan(0)
    // The transaction that read the data has ended.
    const { rows } = await kiki.bot.db.query(OPEN_TRANSACTIONS)
    expect(rows).toEqual([])
    expect(kiki.bot.log.join()).not.toContain(secret)
  })
})

test('a key that is none, and a store without its keys, are refused at the start', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', '')
  await expect(botWith({ to: 'unused', key: '' })).rejects.toMatchObject({
    code: 'OPTIONS_INVALID',
    message: expect.stringContaining('--new-key'),
  })
  await expect(botWith({ to: 'unused', key: 'age1nonsense' })).rejects.toThrow(KikimimiError)
  await expect(botWith({ to: 's3://safe' })).rejects.toMatchObject({ code: 'BACKUP_STORE' })
})
