/** `kikimimi backup`, `kikimimi restore`, `kikimimi move`. */

import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dumpTo, newKey, type Restored, restore } from '@kikimimi/backup'
import {
  type Bot,
  type BotConfig,
  type Database,
  KikimimiError,
  type Logger,
  type PersonKey,
  startBot,
  systemClock,
} from 'kikimimi'
import { checkConfig, linesOf, openDatabase, reason } from 'kikimimi/host'
import { backupOf, migrationFolders } from '../data/read-backup.ts'
import { scheduleJobs } from '../data/schedule-jobs.ts'
import { createLog } from '../log.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress, type Progress } from '../progress.ts'
import { readBot } from '../read-bot.ts'
import type { Session } from '../session.ts'

interface BackupValues extends CommonOptions {
  readonly stdout?: boolean | undefined
  readonly newKey?: boolean | undefined
}

/**
 * With a key in the environment the backup is encrypted.
 *
 * @throws USAGE without a file, BACKUP_UNFIT if the file exists or cannot be written
 */
export async function runBackup(file: string | undefined, values: BackupValues, session: Session): Promise<void> {
  if ([file !== undefined, values.stdout, values.newKey].filter(Boolean).length !== 1) {
    throw new KikimimiError('USAGE', 'kikimimi backup needs a FILE, --stdout, or --new-key.')
  }
  if (values.newKey) return printNewKey(session)
  if (file === undefined) return void (await backUpTo(session.stdout, values.config, session))
  const rows = await backUp(file, values.config, session)
  session.stdout.write(`Backed up ${rows} rows to ${file}. It holds messages of people: keep it as safe as the bot.\n`)
}

async function printNewKey({ stdout }: Session): Promise<void> {
  const { secret, recipient } = await newKey()
  stdout.write(`BACKUP_KEY=${secret}\n`)
  stdout.write(`# Its public key, which encrypts and cannot decrypt: ${recipient}\n`)
  stdout.write('# Put the first line into .env, and keep a copy of it elsewhere: without it the backups cannot be read.\n')
}

/** @returns the number of rows */
async function backUpTo(out: Writable, config: string, session: Session): Promise<number> {
  await using opened = await session.open(config)
  using progress = createProgress(session.stderr)
  const gzip = createGzip()
  const written = pipeline(gzip, out, { signal: session.signal })
  const [rows] = await settled(
    dumpTo(opened.db, gzip, { clock: systemClock, written: lines => progress.show(counted(lines, 'rows')) }),
    written,
  )
  return rows
}

async function backUp(file: string, config: string, session: Session): Promise<number> {
  const whole = resolve(session.cwd, file)
  const exists = await access(whole).then(
    () => true,
    () => false,
  )
  if (exists) throw new KikimimiError('BACKUP_UNFIT', `${file} exists already. Choose another name.`)
  // The file gets its name only when it is complete.
  const part = `${whole}.part`
  try {
    const rows = await backUpTo(createWriteStream(part, { mode: 0o600, flush: true }), config, session)
    await rename(part, whole)
    return rows
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('BACKUP_UNFIT', `Could not write ${file}: ${reason(error)}`, { cause: error })
  }
}

interface RestoreValues extends CommonOptions {
  readonly newest?: boolean | undefined
}

/** @throws USAGE without a file, DATABASE_NONE, BACKUP_LOCKED without the key, and what {@link restore} throws */
export async function runRestore(file: string | undefined, { config, newest }: RestoreValues): Promise<void> {
  if ((file === undefined) !== (newest === true)) {
    throw new KikimimiError('USAGE', 'kikimimi restore needs a FILE, or --newest for the newest backup of the plugin backup.')
  }
  const { config: bot, project } = await readBot(config)
  const { database } = checkConfig(bot)
  if (database === false) throw new KikimimiError('DATABASE_NONE', `This bot has no database. Set "database" in ${config}.`)
  const { name, read } = await backupOf(file, bot)
  tell('Restored', await restoreInto(database, { bot, project, lines: read() }), name)
}

/** Restores a backup into memory, where this version upgrades its tables and sets up the plugins. @throws what {@link restore} throws */
export async function rehearseUpgrade(file: string, config: string): Promise<Pick<Restored, 'rows'>> {
  const { config: bot, project } = await readBot(config)
  const { rows } = await restoreInto('memory', { bot, project, lines: (await backupOf(file, bot)).read() })
  return { rows }
}

/** Copies the data; the source stays as it is. @throws what {@link restore} throws */
export async function runMove({ config, to }: CommonOptions & { readonly to: string }, session: Session): Promise<void> {
  await using opened = await session.open(config)
  const between = new PassThrough()
  // The reader of the lines gets the error.
  between.on('error', () => {})
  const given = dumpTo(opened.db, between, { clock: systemClock })
  const into = { bot: opened.config, project: opened.project, lines: linesOf(between) }
  const taken = restoreInto(to, into).finally(() => between.destroy())
  const [, restored] = await settled(given, taken)
  tell('Moved', restored, withoutPassword(to))
  process.stdout.write(`Set it as the database in ${config} or in DATABASE_URL. The previous database is unchanged.\n`)
}

/** Waits for the writer and the reader. If both fail, the error of the reader says more. */
async function settled<A, B>(given: Promise<A>, taken: Promise<B>): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([given, taken])
  if (other.status === 'rejected') throw other.reason
  if (one.status === 'rejected') throw one.reason
  return [one.value, other.value]
}

interface Into {
  readonly bot: BotConfig
  readonly project: URL
  readonly lines: AsyncGenerator<string, void>
}

async function restoreInto(target: string, { bot, project, lines }: Into): Promise<Restored> {
  const log = createLog('warn')
  const folders = await migrationFolders(bot)
  await using scope = new AsyncDisposableStack()
  scope.defer(async () => void (await lines.return()))
  await rehearse(bot, project, log)
  const db = scope.adopt(await openDatabase(target, { clock: systemClock, log }), opened => opened.close())
  using progress = createProgress()
  const restored = await restore(db, watched(lines, progress), { clock: systemClock, folders })
  // An idle bot updates the tables and knows the kinds of jobs.
  await using idle = await startBot(bot, { log, project, db, idle: true })
  await scheduleJobs(idle, restored.jobs)
  await forgetAgain(idle, db)
  return restored
}

/** The idle bot has found the people who were forgotten since the backup. */
async function forgetAgain(idle: Bot, db: Database): Promise<void> {
  const { rows } = await db.query<PersonKey>('select platform, person as id from kikimimi.forgetting where began_at is null')
  for (const person of rows) await idle.forget(person)
}

async function* watched(lines: AsyncIterable<string>, progress: Progress): AsyncGenerator<string, void> {
  let count = 0
  for await (const line of lines) {
    progress.show(counted(++count, 'rows'))
    yield line
  }
}

/** The jobs are scheduled by a bot, after the rows. A bot that cannot start fails here, before anything is restored. */
async function rehearse(bot: BotConfig, project: URL, log: Logger): Promise<void> {
  const db = await openDatabase('memory', { clock: systemClock, log })
  try {
    await (await startBot(bot, { log, project, db, idle: true })).stop()
  } finally {
    await db.close()
  }
}

function tell(done: string, { rows, jobs, left }: Restored, where: string): void {
  process.stdout.write(`${done}: ${rows} rows, ${jobs.length} waiting jobs (${where}).\n`)
  if (left.length > 0) {
    process.stdout.write(`Left out, because no plugin in bot.config.ts owns them: ${left.join(', ')}.\n`)
  }
}

function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return host ? `${protocol}//${host}${pathname}` : url
}
