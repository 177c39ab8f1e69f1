import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupStore, newestFirst, timeOf } from './store.ts'

/** Backups as files that only their owner can read. */
export function folderStore(folder: string): BackupStore {
  return {
    where: folder,

    async put(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The file gets its name only when it is complete.
      const part = join(folder, `${name}${PART}`)
      try {
        {
          await using file = await open(part, 'w', 0o600)
          for await (const chunk of bytes) await file.appendFile(chunk)
          await file.sync()
        }
        await rename(part, join(folder, name))
        for (const left of await leftOver(folder, name)) await rm(join(folder, left), { force: true })
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },

    // Opened when the first bytes are read: the error of a stream without a reader would end the process.
    async *get(name) {
      yield* createReadStream(join(folder, name))
    },

    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const found = names.flatMap(name => {
        const at = timeOf(name)
        return at ? [{ name, at }] : []
      })
      return newestFirst(
        await Promise.all(found.map(async one => ({ ...one, bytes: (await stat(join(folder, one.name))).size }))),
      )
    },

    remove: name => rm(join(folder, name), { force: true }),
  }
}

const PART = '.part'
const DAY_MS = 24 * 60 * 60_000

/** Incomplete backups that are a day older than this one: their process was killed. Another process may still write a younger one. */
async function leftOver(folder: string, name: string): Promise<readonly string[]> {
  const before = (timeOf(name)?.getTime() ?? 0) - DAY_MS
  const isLeftOver = (file: string) => (timeOf(file.slice(0, -PART.length))?.getTime() ?? Number.POSITIVE_INFINITY) < before
  return (await readdir(folder)).filter(file => file.endsWith(PART) && isLeftOver(file))
}
