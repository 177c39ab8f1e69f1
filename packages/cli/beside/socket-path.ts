/** Where the socket of a data folder is. */
import { mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The longest path of a socket in bytes: 107 on Linux, 103 on macOS. */
const LONGEST = 103

/** Its real path: two paths to one folder lead to one socket. Undefined: no folder, or none that exists. */
export function dataFolder(database: string | false): string | undefined {
  if (database === false || database === 'memory' || /^postgres(ql)?:/.test(database)) return undefined
  // Windows has no sockets in the file system for Node.
  if (process.platform === 'win32') return undefined
  try {
    return realpathSync(resolve(database))
  } catch {
    return undefined
  }
}

/** Beside the folder, as its lock is: a copy of the folder has no socket. */
const besideOf = (folder: string) => `${folder}.sock`

/** The address that a command connects to. */
export function socketOf(folder: string): string {
  const beside = besideOf(folder)
  return isLink(beside) ? realpathSync(beside) : beside
}

/**
 * Makes room for a new socket and returns its address. What is left of an earlier bot goes: the caller has the lock of the folder, so
 * no other bot uses it. If the path is too long for a socket, the socket is in a temporary folder that only this user can enter, and
 * a link beside the data folder leads to it.
 */
export function claimSocket(folder: string): string {
  const beside = besideOf(folder)
  removeSocket(folder)
  if (Buffer.byteLength(beside) <= LONGEST) return beside
  const short = join(mkdtempSync(join(tmpdir(), FOLDER)), 'socket')
  symlinkSync(short, beside)
  return short
}

export function removeSocket(folder: string): void {
  const beside = besideOf(folder)
  const target = isLink(beside) ? readlinkSync(beside) : undefined
  if (target?.startsWith(join(tmpdir(), FOLDER))) rmSync(dirname(target), { recursive: true, force: true })
  rmSync(beside, { force: true })
}

const FOLDER = 'kikimimi-socket-'

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== ''
  } catch {
    return false
  }
}
