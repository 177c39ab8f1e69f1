import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import type { Session } from '../session.ts'

/** @throws BACKUP_UNFIT if the file exists */
export async function refuseExisting(file: string, { cwd }: Pick<Session, 'cwd'>): Promise<void> {
  const exists = await access(resolve(cwd, file)).then(
    () => true,
    () => false,
  )
  if (exists) throw new KikimimiError('BACKUP_UNFIT', `${file} exists already. Choose another name.`)
}

/**
 * Writes a backup file, which gets its name when it is complete.
 *
 * @throws BACKUP_UNFIT if the file exists or cannot be written, and the KikimimiErrors of `write`
 */
export async function writeWhole<T>(file: string, session: Pick<Session, 'cwd'>, write: (out: Writable) => Promise<T>): Promise<T> {
  await refuseExisting(file, session)
  const whole = resolve(session.cwd, file)
  const part = `${whole}.part`
  try {
    const result = await write(createWriteStream(part, { mode: 0o600, flush: true }))
    await rename(part, whole)
    return result
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('BACKUP_UNFIT', `Could not write ${file}: ${reason(error)}`, { cause: error })
  }
}
