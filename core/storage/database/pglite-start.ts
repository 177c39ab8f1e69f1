import { randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { vector } from '@electric-sql/pglite-pgvector'
import { getConstructionPlans } from 'pg-boss'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { strictSerializers } from './pglite/connection.ts'

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

// ---------------------------------------------------------------- the template

/** Counts up when the template's content changes. */
const TEMPLATE = 1

const making = new Map<string, Promise<Buffer>>()

/**
 * An empty database as a tar archive, with pgvector and the tables of the job queue: a new folder takes 0.7 s with it and 5
 * s without. It is made once per version. Processes that start together each make it, and the last one stays.
 */
export async function loadTemplate(log: Logger, cacheDir = process.env.KIKIMIMI_CACHE ?? defaultCacheDir()): Promise<Blob> {
  const versions = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'pg-boss'].map(versionOf)
  const file = join(cacheDir, `template-${[TEMPLATE, ...versions].join('-')}.tar.gz`)
  const archive = (await read(file)) ?? (await makeOnce(file, log))
  return new Blob([new Uint8Array(archive)], { type: 'application/x-tar' })
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await promisify(gunzip)(await readFile(file))
  } catch {
    // The archive is missing or cut short by a full disk: make it again.
    return undefined
  }
}

function makeOnce(file: string, log: Logger): Promise<Buffer> {
  const made = making.get(file) ?? make(file, log).finally(() => making.delete(file))
  making.set(file, made)
  return made
}

async function make(file: string, log: Logger): Promise<Buffer> {
  log.info('preparing the embedded database, once: some seconds')
  // Segments of 1 MB, and no template databases, which only `create database` needs: 16 MB on disk, not 39.
  const lite = await startPglite({ initDbStartParams: ['--wal-segsize=1'] }, log)
  await lite.exec('create extension vector')
  await lite.exec(getConstructionPlans('pgboss', { backend: 'pglite' }))
  await lite.exec('update pg_database set datistemplate = false')
  await lite.exec('drop database template0')
  await lite.exec('drop database template1')
  await lite.exec('checkpoint')
  const archive = Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer())
  await lite.close()
  try {
    mkdirSync(dirname(file), { recursive: true })
    const unfinished = `${file}.${randomUUID()}`
    await writeFile(unfinished, await promisify(gzip)(archive))
    await rename(unfinished, file)
  } catch (error) {
    log.warn(`cannot keep the prepared database, so the next start is as slow: ${reason(error)}`)
  }
  return archive
}

/**
 * Beside the dependencies when that is writable, because both change together; otherwise in the temporary folder of this
 * user.
 */
function defaultCacheDir(): string {
  const beside = join(dirname(packageOf('@electric-sql/pglite')), '../../.cache')
  try {
    mkdirSync(beside, { recursive: true })
    accessSync(beside, constants.W_OK)
    return join(beside, 'kikimimi')
  } catch {
    return join(tmpdir(), `kikimimi-${process.getuid?.() ?? ''}`)
  }
}

function versionOf(name: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageOf(name), 'utf8'))
  return version
}

function packageOf(name: string): string {
  const file = findPackageJSON(name, import.meta.url)
  if (!file) throw new KikimimiError('DATABASE_BROKEN', `The package ${name} is not installed. Run npm install.`)
  return file
}
