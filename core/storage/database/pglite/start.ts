import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { vector } from '@electric-sql/pglite-pgvector'
import { KikimimiError, reason } from '../../../base/errors.ts'
import type { Logger } from '../../../base/log.ts'
import { strictSerializers } from './connection.ts'

const SETTINGS = {
  // PGlite has no background processes. Without a limit the write-ahead log would grow until the next CHECKPOINT.
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // 280 MB for the whole process; the default takes 440.
  shared_buffers: '16MB',
}

/** Starts PGlite. When Postgres refuses, the message is that of Postgres: PGlite's own is `Aborted()`. */
export async function startPglite(options: PGliteOptions, log: Logger): Promise<PGlite> {
  const refusal: string[] = []
  let started: PGlite | undefined
  try {
    started = await PGlite.create({
      ...options,
      // Every extension of a database must be given each time it is opened.
      extensions: { vector, pg_trgm, unaccent },
      serializers: strictSerializers,
      startParams: [
        ...PGlite.defaultStartParams,
        ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      onStderr: line => {
        const [, level, said] = /(FATAL|PANIC|DETAIL|^postgres): +(.*)/.exec(line) ?? []
        if (!started && said) refusal.push(said)
        if (started && (level === 'FATAL' || level === 'PANIC')) retire(started, `The embedded database stopped: ${said}.`, log)
        return false
      },
    })
    return started
  } catch (error) {
    const why = refusal.length > 0 ? refusal.join('. ') : isNoSpace(error) ? 'no space left on device' : reason(error)
    throw new KikimimiError('DATABASE_BROKEN', why, { cause: error })
  }
}

/** The file system of the WebAssembly throws values that are no errors. 51 is its ENOSPC. */
function isNoSpace(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === 51
}

/** After a panic PGlite answers every query with no rows, and later hangs in an endless loop. So every call is refused. */
function retire(lite: PGlite, why: string, log: Logger): void {
  log.error(why)
  lite.execProtocolRawSync = () => {
    throw new KikimimiError('DATABASE_BROKEN', `${why} Start the bot again: what it had acknowledged is there.`)
  }
}
