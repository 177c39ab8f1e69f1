/**
 * The files of a bot: bot.config.ts, the files that it imports by relative path, and the prompts beside it. Node keeps a
 * module while the process runs. So a changed module is imported under a new address, and so are the modules that import
 * it, up to bot.config.ts. An unchanged file stays the same module: its plugins need no restart.
 */
import { globSync, readFileSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface ProjectFiles extends Disposable {
  /**
   * Whether a file differs from its last reading and is the same as at the last call: a file can be half written. The next
   * import of bot.config.ts then reads it.
   */
  changed(): Promise<boolean>
}

interface File {
  /** The content at the last reading. Absent: it could not be read. */
  text: string | undefined
  /** The real path, with the links that lead to it: a link can lead elsewhere later. */
  at: string
  version: number
  readonly importers: Set<File>
}

const CORE = new URL('../../', import.meta.url).href

/** From now on, imports of bot.config.ts read the current files. One call at a time per process. */
export function projectFiles(config: string): ProjectFiles {
  const root = pathToFileURL(resolve(config)).href
  /** By the imported address; a prompt by its own address. */
  const files = new Map<string, File>()
  let seen = new Map<string, string | undefined>()

  function noted(address: string, importer?: File): File {
    const file = files.get(address) ?? fileAt(address)
    files.set(address, file)
    if (importer) file.importers.add(importer)
    file.text = readNow(address)
    return file
  }

  const prompts = () =>
    globSync('prompts/*/*/*.md', { cwd: dirname(resolve(config)) }).map(
      path => pathToFileURL(join(dirname(resolve(config)), path)).href,
    )
  for (const prompt of prompts()) noted(prompt)

  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL?.replace(VERSION, '')
      const importer = [...files.values()].find(({ at }) => at === parent)
      const isOurs = specifier === root || (importer !== undefined && /^\.\.?\/[^?#]+$/.test(specifier))
      if (!isOurs) return next(specifier, context)
      // Before the lookup: a file that is missing now can be written later.
      const address = new URL(specifier, parent).href
      const file = noted(address, importer)
      const found = next(specifier, context)
      const at = realAddress(address) ?? found.url
      if (at.includes('/node_modules/') || at.startsWith(CORE)) return found
      file.at = at
      return { ...found, url: file.version === 0 ? at : `${at}?v=${file.version}` }
    },
  })

  function outdate(file: File, done = new Set<File>()): void {
    if (done.has(file)) return
    done.add(file)
    file.version++
    for (const importer of file.importers) outdate(importer, done)
  }

  return {
    async changed() {
      for (const prompt of prompts()) if (!files.has(prompt)) files.set(prompt, fileAt(prompt))
      const now = new Map<string, string | undefined>()
      for (const address of files.keys()) now.set(address, await readFile(new URL(address), 'utf8').catch(() => undefined))
      const before = seen
      seen = now
      const changes = [...files].filter(([address, { text }]) => now.get(address) !== text)
      if (changes.length === 0 || changes.some(([address]) => now.get(address) !== before.get(address))) return false
      const done = new Set<File>()
      for (const [address, file] of changes) {
        file.text = now.get(address)
        outdate(file, done)
      }
      return true
    },

    [Symbol.dispose]: () => hooks.deregister(),
  }
}

function fileAt(address: string): File {
  return { text: undefined, at: address, version: 0, importers: new Set() }
}

/** Node caches the target of a link. A link in a volume of a container leads elsewhere after each change. */
function realAddress(address: string): string | undefined {
  try {
    return pathToFileURL(realpathSync(fileURLToPath(address))).href
  } catch {
    return undefined
  }
}

const VERSION = /\?v=\d+$/

function readNow(address: string): string | undefined {
  try {
    return readFileSync(new URL(address), 'utf8')
  } catch {
    return undefined
  }
}
