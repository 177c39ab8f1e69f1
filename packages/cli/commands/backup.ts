/** `kikimimi backup`, `kikimimi restore`, `kikimimi move`. */

import { createReadStream, createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
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
import { checkConfig, KERNEL_MIGRATIONS, linesOf, loadPlugins, openDatabase, reason } from 'kikimimi/host'
import { dump } from '../data/dump.ts'
import { type Restored, restore } from '../data/restore.ts'
import { scheduleJobs } from '../data/schedule-jobs.ts'
import { createLog } from '../log.ts'
import { openFor } from '../open.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress, type Progress } from '../progress.ts'
import { readBot } from '../read-bot.ts'

/** @throws BACKUP_UNFIT if the file exists or cannot be written */
export async function runBackup(file: string, { config }: CommonOptions): Promise<void> {
  const rows = await backUp(file, config)
  process.stdout.write(`Backed up ${rows} rows to ${file}. It holds messages of people: keep it as safe as the bot.\n`)
}

async function backUp(file: string, config: string): Promise<number> {
  await using opened = await openFor(config)
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new KikimimiError('BACKUP_UNFIT', `${file} exists already. Choose another name.`)
  // The file gets its name only when it is complete.
  const part = `${file}.part`
  using progress = createProgress()
  try {
    const gzip = createGzip()
    const written = pipeline(gzip, createWriteStream(part, { mode: 0o600, flush: true }))
    const [rows] = await settled(
      dumpTo(opened.db, gzip, lines => progress.show(counted(lines, 'rows'))),
      written,
    )
    await rename(part, file)
    return rows
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('BACKUP_UNFIT', `Could not write ${file}: ${reason(error)}`, { cause: error })
  }
}

/** @throws DATABASE_NONE, and what {@link restore} throws */
export async function runRestore(file: string, { config }: CommonOptions): Promise<void> {
  const { config: bot, project } = await readBot(config)
  const { database } = checkConfig(bot)
  if (database === false) throw new KikimimiError('DATABASE_NONE', `This bot has no database. Set "database" in ${config}.`)
  tell('Restored', await restoreInto(database, { bot, project, lines: linesIn(file) }), file)
}

async function* linesIn(file: string): AsyncGenerator<string, void> {
  const gunzip = createGunzip()
  // The reader of the lines gets the error.
  pipeline(createReadStream(file), gunzip).catch(() => {})
  try {
    yield* linesOf(gunzip)
  } catch (error) {
    throw new KikimimiError('BACKUP_UNREADABLE', `Could not read ${file}: ${reason(error)}`, { cause: error })
  }
}

/** Copies the data; the source stays as it is. @throws what {@link restore} throws */
export async function runMove({ config, to }: CommonOptions & { readonly to: string }): Promise<void> {
  await using opened = await openFor(config)
  const between = new PassThrough()
  // The reader of the lines gets the error.
  between.on('error', () => {})
  const given = dumpTo(opened.db, between)
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

/** The reader of `out` gets an error, too. */
async function dumpTo(db: Database, out: Writable, written: (lines: number) => void = () => {}): Promise<number> {
  let lines = 0
  try {
    const count = await dump(db, systemClock, async line => {
      written(++lines)
      if (out.destroyed) throw new KikimimiError('BACKUP_UNFIT', 'The reader of the data has stopped.')
      if (!out.write(`${line}\n`)) await room(out)
    })
    out.end()
    return count
  } catch (error) {
    out.destroy(error instanceof Error ? error : new Error(reason(error)))
    throw error
  }
}

/** Resolves when more can be written, or when the stream is closed. */
async function room(out: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  out.once('drain', resolve).once('close', resolve)
  await promise
  out.off('drain', resolve).off('close', resolve)
}

interface Into {
  readonly bot: BotConfig
  readonly project: URL
  readonly lines: AsyncGenerator<string, void>
}

async function restoreInto(target: string, { bot, project, lines }: Into): Promise<Restored> {
  const log = createLog('warn')
  const plugins = await loadPlugins(bot.plugins)
  const folders = new Map([['kikimimi', KERNEL_MIGRATIONS]])
  for (const { name, definition } of plugins) if (definition.migrations) folders.set(name, definition.migrations)
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
