/** `kikimimi backup`, `kikimimi restore`, `kikimimi move`. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { loadPlugins } from '../assemble.ts'
import { dump } from '../backup/dump.ts'
import { type Restored, restore } from '../backup/restore.ts'
import { startBot } from '../bot.ts'
import { systemClock } from '../clock.ts'
import { type BotConfig, checkConfig, loadConfig } from '../config.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../database.ts'
import { KikimimiError, reason } from '../errors.ts'
import type { Values } from './args.ts'
import { createLog } from './log.ts'
import { openFor } from './open.ts'

/** Throws BACKUP_UNFIT when the file is there already, or cannot be written. */
export async function runBackup(file: string, { config }: Values): Promise<void> {
  await using opened = await openFor(config)
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new KikimimiError('BACKUP_UNFIT', `${file} is there already. Choose another name.`)
  // Under its name stands a whole backup, or none.
  const part = `${file}.part`
  try {
    const gzip = createGzip()
    const written = pipeline(gzip, createWriteStream(part, { mode: 0o600 }))
    const [rows] = await Promise.all([dumpTo(opened.db, gzip), written])
    await rename(part, file)
    process.stdout.write(`Backed up ${rows} rows to ${file}. It holds what people said: keep it as safe as the bot.\n`)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('BACKUP_UNFIT', `Could not write ${file}: ${reason(error)}`, { cause: error })
  }
}

/** Throws what {@link restore} throws. */
export async function runRestore(file: string, { config }: Values): Promise<void> {
  const { config: bot, project } = await loadConfig(config)
  const { database } = checkConfig(bot)
  if (database === false) throw new KikimimiError('DATABASE_NONE', `This bot has no database. Set "database" in ${config}.`)
  const source = createReadStream(file)
  const gunzip = createGunzip()
  const read = pipeline(source, gunzip).catch((error: unknown) => {
    throw new KikimimiError('BACKUP_UNREADABLE', `Could not read ${file}: ${reason(error)}`, { cause: error })
  })
  const [restored] = await Promise.all([restoreInto(database, { bot, project, lines: gunzip }), read])
  tell('Restored', restored, file)
}

/** Throws what {@link restore} throws. The data stays where it is, too. */
export async function runMove({ config, to }: Values): Promise<void> {
  if (to === undefined) throw new KikimimiError('USAGE', 'Where to? kikimimi move --to postgres://user:password@host/database')
  await using opened = await openFor(config)
  const between = new PassThrough()
  const given = dumpTo(opened.db, between).catch((error: unknown) => {
    between.destroy()
    throw error
  })
  const taken = restoreInto(to, { bot: opened.config, project: opened.project, lines: between }).catch((error: unknown) => {
    between.destroy()
    throw error
  })
  const [, restored] = await settled(given, taken)
  tell('Moved', restored, withoutPassword(to))
  process.stdout.write(`Now name it as the database in ${config}, or as DATABASE_URL. What was there before stays, untouched.\n`)
}

/** Of two that end together, the error of the one that takes says more than that of the one that gives. */
async function settled<A, B>(given: Promise<A>, taken: Promise<B>): Promise<[A, B]> {
  const [one, other] = await Promise.allSettled([given, taken])
  if (other.status === 'rejected') throw other.reason
  if (one.status === 'rejected') throw one.reason
  return [one.value, other.value]
}

async function dumpTo(db: Database, out: Writable): Promise<number> {
  const count = await dump(db, systemClock, async line => {
    if (out.destroyed) throw new KikimimiError('BACKUP_UNFIT', 'Nobody takes what is given any more.')
    if (!out.write(`${line}\n`)) await Promise.race([once(out, 'drain'), finished(out)])
  })
  out.end()
  return count
}

interface Into {
  readonly bot: BotConfig
  readonly project: URL
  readonly lines: Readable
}

async function restoreInto(target: string, { bot, project, lines }: Into): Promise<Restored> {
  const log = createLog('warn')
  const plugins = await loadPlugins(bot.plugins)
  const folders = new Map([['kikimimi', new URL('../migrations/', import.meta.url)]])
  for (const { name, definition } of plugins) if (definition.migrations) folders.set(name, definition.migrations)
  const db = await openDatabase(target, { clock: systemClock, log })
  try {
    const reading = createInterface({ input: lines, crlfDelay: Number.POSITIVE_INFINITY })
    const restored = await restore(db, reading, { clock: systemClock, folders })
    // A bot that does not listen brings the tables up to date, and knows what the jobs are.
    await using idle = await startBot(bot, { log, project, db, idle: true })
    for (const { kind, key, payload, at, urgent } of restored.jobs) {
      await idle.jobs.schedule(kind, payload, { at: new Date(at), urgent, ...(key !== null && { key }) })
    }
    return restored
  } finally {
    await db.close()
  }
}

function tell(done: string, { rows, jobs, left }: Restored, where: string): void {
  process.stdout.write(`${done}: ${rows} rows, ${jobs.length} jobs that wait (${where}).\n`)
  if (left.length > 0) {
    process.stdout.write(`Left out, because bot.config.ts has no plugin for them: ${left.join(', ')}.\n`)
  }
}

function withoutPassword(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed?.password) return url
  parsed.password = '…'
  return decodeURIComponent(parsed.href)
}
