/** Documents of a folder and the folders in it. */
import { type FSWatcher, watch } from 'node:fs'
import { opendir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { MOST_BYTES, tooLarge } from '../documents/reader.ts'
import { kindOfName } from '../documents/sections.ts'
import { Unreadable } from '../documents/unreadable.ts'
import { type Listed, linkTo, MOST_DOCUMENTS, type Source, tooMany } from './source.ts'

/** Folders that are watched. Changes in others are found with the next listing. */
const MOST_WATCHED = 2_000

export function folderSource({ name, folder, link }: { name: string; folder: string; link?: string | undefined }): Source {
  const root = resolve(folder)
  return {
    name,

    async list(signal) {
      const documents: Listed[] = []
      if (!(await stat(root).catch(() => undefined))?.isDirectory()) throw new Unreadable(`there is no folder ${root}`)
      for await (const { path, isFolder } of walk(root)) {
        signal.throwIfAborted()
        if (isFolder || kindOfName(path) === undefined) continue
        if (documents.length === MOST_DOCUMENTS) throw tooMany()
        const { size, mtimeMs } = await stat(path)
        const relativePath = relative(root, path).split(sep).join('/')
        documents.push({ path: relativePath, version: `${mtimeMs}/${size}`, ...linkTo(link, relativePath) })
      }
      return {
        documents,
        async read({ path }, signal) {
          const file = join(root, path)
          const { size } = await stat(file)
          if (size > MOST_BYTES) throw new Unreadable(tooLarge(size))
          return { kind: kindOfName(path) ?? 'markdown', bytes: await readFile(file, { signal }) }
        },
      }
    },

    /** A watcher for each folder: one for the whole tree would be one for each file, on Linux. */
    async watch(changed) {
      const watchers = new Map<string, FSWatcher>()
      const disposed = { [Symbol.dispose]: () => watchers.forEach(watcher => void watcher.close()) }
      const add = (path: string) => {
        if (watchers.has(path) || watchers.size >= MOST_WATCHED) return
        const watcher = watch(path, { persistent: false }, () => changed())
        watchers.set(path, watcher)
        // A folder that is deleted.
        watcher.on('error', () => {
          watcher.close()
          watchers.delete(path)
        })
      }
      try {
        add(root)
        for await (const { path, isFolder } of walk(root)) if (isFolder) add(path)
      } catch (error) {
        disposed[Symbol.dispose]()
        throw error
      }
      return disposed
    },
  }
}

/** Files and folders, without hidden ones, installed packages, and links, which can lead out of the folder. */
async function* walk(folder: string): AsyncGenerator<{ readonly path: string; readonly isFolder: boolean }> {
  for await (const entry of await opendir(folder)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      yield { path, isFolder: true }
      yield* walk(path)
    } else if (entry.isFile()) yield { path, isFolder: false }
  }
}
