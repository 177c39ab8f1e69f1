import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { access, cp, mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { KikimimiError, reason } from '../../../base/errors.ts'

/** A folder that this process alone uses until it releases the folder or ends. */
export interface DataFolder {
  readonly path: string
  /** True: the folder holds no database yet. */
  readonly fresh: boolean
  /** Marks that the folder holds half a database, until `filled`. A start that finds it so begins again. */
  filling(): void
  filled(): void
  /** Whether there is a copy of its files: of this process, or of one that was killed. */
  readonly copied: boolean
  /** Copies its files to a folder beside it. A copy that is there stays. No statement may run meanwhile. */
  copy(): Promise<void>
  /** Gives its files the state of the copy. No process may have them open. */
  putBack(): void
  dropCopy(): Promise<void>
  /** Why its files cannot be used now; nothing when they can. */
  unusable(): Promise<string | undefined>
  release(): void
}

/**
 * Takes the folder for this process, and creates a missing one. Throws DATABASE_LOCKED, DATABASE_UNREACHABLE or
 * DATABASE_BROKEN.
 */
export function claimFolder(dir: string): DataFolder {
  const path = prepare(resolve(dir))
  const lock = takeLock(path)
  try {
    const half = join(path, '.filling')
    const copied = `${path}.before-upgrade`
    const part = `${copied}.part`
    // A kill meanwhile leaves the mark, and the next start begins again.
    const putBack = () => {
      writeFileSync(half, '')
      for (const name of entries(path)) rmSync(join(path, name), { recursive: true })
      if (!existsSync(copied)) return
      cpSync(copied, path, { recursive: true, mode: constants.COPYFILE_FICLONE })
      rmSync(half)
      rmSync(copied, { recursive: true })
    }
    if (entries(path, true).includes('.filling')) putBack()
    const found = entries(path)
    const { ino } = statSync(path)
    if (found.length > 0 && !found.includes('PG_VERSION')) {
      throw new KikimimiError(
        'DATABASE_BROKEN',
        `${path} holds other files and no database (${found.slice(0, 3).join(', ')}). Choose an empty folder for the data.`,
      )
    }
    return {
      path,
      fresh: found.length === 0,
      filling: () => writeFileSync(half, ''),
      filled: () => rmSync(half),
      get copied() {
        return existsSync(copied)
      },
      async copy() {
        if (existsSync(copied)) return
        await rm(part, { recursive: true, force: true })
        await mkdir(part, { mode: 0o700 })
        await cp(path, part, { recursive: true, mode: constants.COPYFILE_FICLONE })
        await rename(part, copied)
      },
      putBack,
      async dropCopy() {
        // In one step, because half a copy must not be put back.
        await rename(copied, part)
        await rm(part, { recursive: true })
      },
      unusable: () => unusable(path, ino),
      release: () => lock.close(),
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

function prepare(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new KikimimiError(
      'DATABASE_BROKEN',
      `${path} is a file. The data needs a folder: choose another path, or move the file away.`,
    )
  }
  try {
    // Other users of the machine must not read what people said.
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    // Two paths to one folder must lead to one lock.
    return realpathSync(path)
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Bytes: one more segment of the write-ahead log. */
const ROOM = 1_048_576

/** @param ino the number of the folder: another one in its place is empty, or has other data */
async function unusable(path: string, ino: number): Promise<string | undefined> {
  try {
    const found = await stat(path)
    if (found.ino !== ino || !existsSync(join(path, 'PG_VERSION'))) return `its folder ${path} was deleted`
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize < ROOM ? `its disk is full (${path})` : undefined
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isGone ? `its folder ${path} was deleted` : `it cannot write to its folder (${reason(error)})`
  }
}

/** The entries of a database, without marks of file systems and people. */
function entries(path: string, all = false): string[] {
  return readdirSync(path).filter(name => all || !(name.startsWith('.') || name === 'lost+found'))
}

const SQLITE_BUSY = 5

/**
 * Locks the folder: two processes on one folder would lose rows and break indexes without an error. The operating system
 * releases SQLite's exclusive lock on a file beside the folder when the process ends in any way. The file stays, because
 * deleting it would race with a process that is opening it. It is beside the folder because a backup reads every file
 * inside, and on POSIX a process that closes a file gives up its locks on it.
 */
function takeLock(path: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(`${path}.lock`)
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new KikimimiError(
        'DATABASE_LOCKED',
        `Another process uses the data folder ${path}. Stop that one, or give this one another folder or a DATABASE_URL.`,
      )
    }
    throw unwritable(`${path}.lock`, error)
  }
}

function unwritable(path: string, error: unknown): KikimimiError {
  return new KikimimiError(
    'DATABASE_UNREACHABLE',
    `Cannot write to ${path}: ${reason(error)}. Give this user the right to, or choose another folder for the data.`,
    { cause: error },
  )
}
