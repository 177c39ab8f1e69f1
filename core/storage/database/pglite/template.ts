/** The prepared database with which each new folder and each database in memory begins. */
import { createHash, randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { getConstructionPlans } from 'pg-boss'
import { systemClock } from '../../../base/clock.ts'
import { KikimimiError, reason } from '../../../base/errors.ts'
import type { Logger } from '../../../base/log.ts'
import { KERNEL_MIGRATIONS } from '../../kernel-migrations.ts'
import { migrate, readMigrations } from '../migrate.ts'
import { PgliteDatabase } from './database.ts'
import { startPglite } from './start.ts'

/** Counts up when the template's content changes by more than versions and migrations. */
const TEMPLATE = 2

const KERNEL = 'kikimimi'

const making = new Map<string, Promise<Buffer>>()

/**
 * A database that no bot has used, as a tar archive, with pgvector and the tables of the job queue and of the kernel: the first start of a
 * bot takes 2.8 s with it and 4.7 s without (bench:start). It is made once per version. Processes that start together each make it, and
 * the last one stays.
 */
export async function loadTemplate(log: Logger, cacheDir = process.env.KIKIMIMI_CACHE ?? defaultCacheDir()): Promise<Blob> {
  const versions = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector', 'pg-boss'].map(versionOf)
  const tables = createHash('sha256')
  for (const { checksum } of await readMigrations(KERNEL, KERNEL_MIGRATIONS)) tables.update(checksum)
  const file = join(cacheDir, `template-${[TEMPLATE, ...versions, tables.digest('hex').slice(0, 12)].join('-')}.tar.gz`)
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
  await migrate(new PgliteDatabase(lite, undefined, systemClock, log), KERNEL, KERNEL_MIGRATIONS, systemClock)
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
