/** The daily backups of a running bot. What exists is read from the store, so it is right after a restart and for all processes. */
import { ago, KikimimiError, type PluginContext, type PluginHealth, timesOf } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { keyProblem } from './encryption.ts'
import { makeBackup } from './make-backup.ts'
import type { BackupOptions } from './options.ts'
import { openStore } from './stores/open-store.ts'
import type { StoredBackup } from './stores/store.ts'

export interface MakesBackups {
  /**
   * Makes a backup if one is due. Never rejects: the log has the failure, and the next attempt follows after 15 minutes. Returns when
   * the next one is due.
   */
  look(): Promise<Date>
  /** Makes a backup now. @throws BACKUP_STORE, BACKUP_UNVERIFIED */
  make(): Promise<StoredBackup>
  /** The backups in the store, newest first. @throws BACKUP_STORE */
  list(): Promise<readonly StoredBackup[]>
  readonly where: string
  health(): PluginHealth
}

/** Milliseconds between two attempts after a failure. */
const RETRY_MS = 15 * 60_000

/** Milliseconds. With a daily backup, an older one is a problem. */
const LATE_MS = 26 * 60 * 60_000

type Deps = Pick<PluginContext, 'db' | 'clock' | 'log'>

/** @throws OPTIONS_INVALID for a key that is none, BACKUP_STORE for a store without its keys */
export async function createBackups({ db, clock, log }: Deps, options: BackupOptions): Promise<MakesBackups> {
  const { to, key, keep, at, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options
  const [hour, minute] = at.split(':')
  const times = timesOf({ cron: `${minute} ${hour} * * *`, timeZone })
  const problem = await keyProblem(key)
  if (problem !== undefined) {
    throw new KikimimiError(
      'OPTIONS_INVALID',
      `[backup] the key is none of age: ${problem}. Make one with kikimimi backup --new-key.`,
    )
  }
  const store = await openStore(to, process.env)
  let known: readonly StoredBackup[] = []
  let isRead = false
  let making: Promise<StoredBackup> | undefined
  let failure: { readonly why: string; readonly at: number } | undefined

  async function list(): Promise<readonly StoredBackup[]> {
    known = await store.list()
    isRead = true
    return known
  }

  /** One at a time: a backup can take longer than the job that makes it may. */
  function make(): Promise<StoredBackup> {
    making ??= makeOne().finally(() => {
      making = undefined
    })
    return making
  }

  async function makeOne(): Promise<StoredBackup> {
    try {
      const made = await makeBackup({ db, clock, store, key, keep })
      failure = undefined
      await list()
      return made
    } catch (error) {
      failure = { why: reason(error), at: clock.now() }
      throw error
    }
  }

  const isDue = () => !known[0] || times.next(known[0].at.getTime()) <= clock.now()

  return {
    where: store.where,
    make,
    list,

    async look() {
      const again = () => failure && new Date(failure.at + RETRY_MS)
      const now = clock.now()
      const retry = again()
      if (retry && now < retry.getTime()) return retry
      try {
        // Another process can have made it.
        if (isDue()) await list()
        if (isDue()) {
          const { name, bytes } = await make()
          log.info(`backed up to ${store.where}`, { name, bytes })
        }
      } catch (error) {
        failure ??= { why: reason(error), at: clock.now() }
        log.error(`There is no backup of today: ${reason(error)} The next attempt follows in 15 minutes.`)
      }
      return again() ?? new Date(times.next(now))
    },

    health() {
      const [newest] = known
      const now = clock.now()
      const age = newest && now - newest.at.getTime()
      const why = failure
        ? `The last backup failed: ${failure.why}`
        : isRead && (age ?? LATE_MS) >= LATE_MS
          ? 'The newest backup is too old.'
          : undefined
      return {
        state: newest
          ? `${store.where}: ${known.length} ${known.length === 1 ? 'backup' : 'backups'}, the newest ${ago(now - newest.at.getTime(), 'en')}`
          : `${store.where}: no backup yet`,
        ...(why !== undefined && { problem: why }),
        gauges: [
          {
            name: 'last_success_timestamp_seconds',
            help: 'When the newest backup was made; 0: there is none.',
            value: (newest?.at.getTime() ?? 0) / 1_000,
          },
          { name: 'last_size_bytes', help: 'Size of the newest backup.', value: newest?.bytes ?? 0 },
          { name: 'copies', help: 'Number of backups that are kept.', value: known.length },
          { name: 'failing', help: 'Whether the last attempt failed.', value: failure ? 1 : 0 },
        ],
      }
    },
  }
}
