/** Makes a backup, reads it back, and removes old ones. */
import { createHash, type Hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, type Database, KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { contentOf } from './data/checksums.ts'
import { compressedDump, linesIn } from './data/stream.ts'
import { decrypted, encrypted, isSecret, type Key } from './encryption.ts'
import { spooled } from './spool.ts'
import { type BackupStore, nameAt, type StoredBackup } from './stores/store.ts'

export interface BackupJob {
  readonly db: Database
  readonly clock: Clock
  readonly store: BackupStore
  readonly key: Key
  /** Number of backups that are kept. */
  readonly keep: number
}

/**
 * With a secret key the backup is read back, decrypted and counted; with a public key its bytes are compared. Older backups are removed
 * only after that.
 *
 * @throws BACKUP_UNVERIFIED if the store does not give back what was written. The backup is removed then
 */
export async function makeBackup({ db, clock, store, key, keep }: BackupJob): Promise<StoredBackup> {
  const at = new Date(Math.floor(clock.now() / 1_000) * 1_000)
  const name = nameAt(at)
  const hash = createHash('sha256')
  let size = 0
  const dumped = compressedDump(db, clock)
  const bytes = counted(encrypted(dumped, key), chunk => {
    hash.update(chunk)
    size += chunk.length
  })
  // PGlite has one connection: the bot must not wait for a store that is slow.
  try {
    await store.put(name, db.kind === 'pglite' ? spooled(bytes, join(tmpdir(), 'kikimimi-backup')) : bytes)
  } finally {
    // A store that refuses does not read to the end.
    await dumped.return()
  }
  try {
    await verify(store, { name, key, expected: hash })
  } catch (error) {
    await store.remove(name)
    throw new KikimimiError(
      'BACKUP_UNVERIFIED',
      `The store ${store.where} did not give back what was written: ${reason(error)}`,
      {
        cause: error,
      },
    )
  }
  for (const old of (await store.list()).slice(keep)) await store.remove(old.name)
  return { name, at, bytes: size }
}

interface Written {
  readonly name: string
  readonly key: Key
  /** Of the bytes that were written. */
  readonly expected: Hash
}

async function verify(store: BackupStore, { name, key, expected }: Written): Promise<void> {
  const hash = createHash('sha256')
  const bytes = counted(store.get(name), chunk => hash.update(chunk))
  if (isSecret(key)) await contentOf(linesIn(decrypted(bytes, { key, name }), name))
  else for await (const _ of bytes);
  if (!hash.digest().equals(expected.digest())) throw new KikimimiError('BACKUP_UNVERIFIED', 'its bytes differ')
}

async function* counted(bytes: AsyncIterable<Uint8Array>, count: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    count(chunk)
    yield chunk
  }
}
