/**
 * Keeps the tombstones of a database in a file beside it. A restored backup is older than the file: the next start of the bot
 * erases again what was erased since the backup. The file holds hashes, and no words of people.
 */
import { appendFile, readFile } from 'node:fs/promises'
import { basename, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { definePlugin, type Plugin } from '../../api/index.ts'
import { reason } from '../../base/errors.ts'
import type { ForgettingStore } from '../../storage/store/erasure-store.ts'
import { createTombstones, type Tombstone } from '../../storage/store/tombstones.ts'

export interface TombstonesOptions {
  /** The file; undefined: none, for a database in memory. */
  readonly file: string | undefined
  readonly store: Pick<ForgettingStore, 'ask'>
}

export function tombstonesFeature({ file, store }: TombstonesOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-tombstones',
    async setup({ db, clock, log, scope, every }) {
      if (file === undefined || db.kind === 'none') return
      const tombstones = createTombstones(db)
      const known = await read(file)
      if (await tombstones.add(known)) {
        // The requests are stored; the erasures begin when the queue has started.
        for (const { before, ...person } of await tombstones.bury(new Date(clock.now())))
          await store.ask(person, before, async () => {})
      }
      const written = new Set(known.map(lineOf))
      let last = 0
      let failed = false

      async function write(): Promise<void> {
        for (;;) {
          const rows = await tombstones.since(last)
          const news = rows.filter(row => !written.has(lineOf(row)))
          if (news.length > 0 && file !== undefined) await appendFile(file, news.map(lineOf).join(''), { mode: 0o600 })
          last = rows.at(-1)?.seq ?? last
          if (rows.length === 0) return
        }
      }
      const tryToWrite = () =>
        write().catch((error: unknown) => {
          if (!failed) log.warn(`Could not write ${file}: a restored backup may bring back what was erased (${reason(error)}).`)
          failed = true
        })
      await tryToWrite()
      written.clear()
      every('keep', '1m', tryToWrite)
      scope.defer(tryToWrite)
    },
  })()
}

/**
 * The file for a database. A folder has it at its side when its path is absolute; all others have it in the folder of
 * bot.config.ts.
 *
 * @param given a path that takes its place, for a folder of bot.config.ts that can only be read
 */
export function tombstoneFile(database: string | false, project: URL | undefined, given = ''): string | undefined {
  if (database === false || database === 'memory' || project === undefined) return undefined
  if (given !== '') return resolve(given)
  if (database.includes('://')) return fileURLToPath(new URL('kikimimi.erased', project))
  return isAbsolute(database) ? `${database}.erased` : fileURLToPath(new URL(`${basename(database)}.erased`, project))
}

async function read(file: string): Promise<readonly Tombstone[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return Array.from(text.matchAll(/^([0-9a-f]{64}) (\S+)$/gm), ([, key = '', at = '']) => ({ key, at: new Date(at) })).filter(
    ({ at }) => !Number.isNaN(at.getTime()),
  )
}

function lineOf({ key, at }: Tombstone): string {
  return `${key} ${at.toISOString()}\n`
}
