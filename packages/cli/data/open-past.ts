/** The data of an earlier version: a data folder, a server or a backup. The source stays as it is. */
import { constants, createReadStream, existsSync } from 'node:fs'
import { cp, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { atOneMoment, decrypted, linesIn, type Past, pastIn, pastOf } from '@kikimimi/backup'
import { type Database, KikimimiError, type Logger, systemClock } from 'kikimimi'
import { openDatabase, reason } from 'kikimimi/host'

export interface PastDeps {
  readonly log: Logger
  /** An empty folder for copies. */
  readonly folder: string
  /** Opens an embedded database: its version of Postgres is the one that data folders need. Called when the source can be one. */
  readonly embedded: () => Promise<Database>
  readonly cwd: string
}

/**
 * Lends the data for as long as `use` runs.
 *
 * @param from a folder, the URL of a server, or a backup
 * @throws RESCUE_REFUSED, DATABASE_UNREACHABLE, BACKUP_UNREADABLE, BACKUP_LOCKED without the key
 */
export async function withPast<T>(from: string, deps: PastDeps, use: (past: Past) => Promise<T>): Promise<T> {
  if (/^postgres(ql)?:/.test(from)) return fromServer(from, deps, use)
  if (/^\w+:\/\//.test(from)) throw refused(`${from.replace(/:.*/s, '')} is no kind of database that a bot can have. Name a folder, postgres://…, or a backup.`)
  const path = resolve(deps.cwd, from)
  const found = await stat(path).catch((error: unknown) => {
    throw refused(`Cannot read ${from}: ${reason(error)}. Name a data folder, the URL of a server, or a backup.`, error)
  })
  if (found.isDirectory()) return fromFolder(path, from, deps, use)
  const key = process.env.BACKUP_KEY
  // Opened when the first bytes are read: the error of a stream without a reader would end the process.
  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    yield* createReadStream(path)
  }
  return use(await pastIn(() => linesIn(decrypted(bytes(), { key, name: basename(from) }), from)))
}

/** One state of the data, also while a bot writes. */
async function fromServer<T>(url: string, { log }: PastDeps, use: (past: Past) => Promise<T>): Promise<T> {
  const db = await openDatabase(url, { clock: systemClock, log, postgres: { readOnly: true, connections: 1 } })
  try {
    return await atOneMoment(db, async () => use(await pastOf(db)))
  } finally {
    await db.close()
  }
}

/** PGlite writes into a folder that it opens, so it opens a copy. */
async function fromFolder<T>(path: string, from: string, deps: PastDeps, use: (past: Past) => Promise<T>): Promise<T> {
  const { log, folder, embedded } = deps
  const files = await readdir(path)
  if (files.length === 0) throw refused(`The folder ${from} is empty.`)
  if (files.includes('.filling')) throw refused(`${from} holds half a database: its first start did not end, so it has no data.`)
  if (!files.includes('PG_VERSION')) {
    throw refused(`${from} holds no database (${files.slice(0, 3).join(', ')}). Name the folder with the file PG_VERSION.`)
  }
  const version = (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  const own = await versionOf(await embedded())
  if (version !== own) {
    throw refused(
      `${from} is of Postgres ${version}, and this version has Postgres ${own}. Rescue a backup, which the version that wrote the folder makes with: kikimimi backup FILE.`,
    )
  }
  const copy = join(folder, 'past')
  await copyUnused(path, copy, from)
  const db = await openDatabase(copy, { clock: systemClock, log }).catch((error: unknown) => {
    throw refused(`The database in ${from} cannot be opened: ${causeOf(error)}. Its files are as before.`, error)
  })
  try {
    return await atOneMoment(db, async () => use(await pastOf(db)))
  } finally {
    await db.close()
  }
}

/** What Postgres said, without the path of the copy. */
function causeOf(error: unknown): string {
  return reason(error instanceof KikimimiError && error.cause !== undefined ? error.cause : error).replace(/\.$/, '')
}

async function versionOf(db: Database): Promise<string> {
  const { rows } = await db.query<{ version: string }>(`select current_setting('server_version_num')::int / 10000 || '' as version`)
  return rows[0]?.version ?? ''
}

/** SQLite: another process has the lock. */
const BUSY = 5

/** Copies a folder that no bot uses, and keeps bots out meanwhile. */
async function copyUnused(path: string, copy: string, from: string): Promise<void> {
  // Each process that uses a folder has locked this file. Without it no bot has used the folder at this place.
  const file = `${path}.lock`
  let lock: DatabaseSync | undefined
  try {
    if (existsSync(file)) {
      lock = new DatabaseSync(file)
      lock.exec('begin exclusive')
    }
  } catch (error) {
    lock?.close()
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === BUSY
    throw refused(
      isBusy
        ? `A bot uses ${from}. Stop it: a copy of files that change is not a database.`
        : `Cannot tell whether a bot uses ${from}: ${reason(error)} (${file}). Copy the folder alone to another place, and rescue the copy.`,
      error,
    )
  }
  try {
    await cp(path, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } catch (error) {
    throw refused(`Cannot copy ${from} to ${copy}: ${reason(error)}. TMPDIR names another place for the copy.`, error)
  } finally {
    lock?.close()
  }
}

function refused(why: string, cause?: unknown): KikimimiError {
  return new KikimimiError('RESCUE_REFUSED', why, { cause })
}
