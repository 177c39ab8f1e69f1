/** `kikimimi backup`, `kikimimi restore`, `kikimimi move`. */

import { PassThrough, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dumpTo, newKey, type Restored } from '@kikimimi/backup'
import { KikimimiError, systemClock } from 'kikimimi'
import { checkConfig, linesOf } from 'kikimimi/host'
import { backupOf } from '../data/read-backup.ts'
import { restoreInto } from '../data/restore-into.ts'
import { writeWhole } from '../data/write-whole.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress } from '../progress.ts'
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

const backUp = (file: string, config: string, session: Session): Promise<number> =>
  writeWhole(file, session, out => backUpTo(out, config, session))

interface RestoreValues extends CommonOptions {
  readonly newest?: boolean | undefined
}

/** @throws USAGE without a file, DATABASE_NONE, BACKUP_LOCKED without the key, and what {@link restoreInto} throws */
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

/** Copies the data; the source stays as it is. @throws what {@link restoreInto} throws */
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

function tell(done: string, { rows, jobs, left }: Restored, where: string): void {
  process.stdout.write(`${done}: ${rows} rows, ${jobs.length} waiting jobs (${where}).\n`)
  if (left.length > 0) {
    process.stdout.write(`Left out, because no plugin in bot.config.ts owns them: ${left.join(', ')}.\n`)
  }
}

export function withoutPassword(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? {}
  return host ? `${protocol}//${host}${pathname}` : url
}
