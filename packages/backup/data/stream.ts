/** A dump as bytes, and back. */
import type { Writable } from 'node:stream'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Clock, type Database, KikimimiError } from 'kikimimi'
import { linesOf, reason } from 'kikimimi/host'
import { dump, type WaitingJob } from './dump.ts'

/** The reader of `out` gets an error, too. Returns the number of rows. */
export async function dumpTo(
  db: Database,
  out: Writable,
  { clock, jobs, written = () => {} }: { readonly clock: Clock; readonly jobs?: readonly WaitingJob[]; written?(lines: number): void },
): Promise<number> {
  let lines = 0
  try {
    const put = async (line: string) => {
      written(++lines)
      if (out.destroyed) throw new KikimimiError('BACKUP_UNFIT', 'The reader of the data has stopped.')
      if (!out.write(`${line}\n`)) await room(out)
    }
    const count = await dump(db, clock, put, jobs)
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

/** The content of a backup file without encryption: JSON lines, compressed. An error of the database is an error of the stream. */
export async function* compressedDump(db: Database, clock: Clock): AsyncGenerator<Uint8Array, void> {
  const gzip = createGzip()
  // The reader gets the error.
  const dumped = dumpTo(db, gzip, { clock }).catch(() => {})
  try {
    yield* gzip
  } finally {
    // A reader that stops ends the transaction of the dump, which has locks and a connection.
    gzip.destroy()
    await dumped
  }
}

/** @throws BACKUP_UNREADABLE for bytes that are not compressed, or that end too early */
export async function* linesIn(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string, void> {
  const lines = new PassThrough()
  // The reader of the lines gets the error.
  pipeline(bytes, createGunzip(), lines).catch(error => lines.destroy(error))
  try {
    yield* linesOf(lines)
  } catch (error) {
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('BACKUP_UNREADABLE', `Could not read ${name}: ${reason(error)}`, { cause: error })
  }
}
