/** Puts the tried version in the place of the installed one. After any error everything is as before. */
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KEPT } from './trial.ts'

export interface Swap {
  /** The folder of the bot. */
  readonly folder: string
  /** The copy with the new version. */
  readonly trial: string
  /** The files that the upgrade changes, relative to the folder. */
  readonly files: readonly string[]
  /** The folders of installed packages, relative to the folder. */
  readonly packages: readonly string[]
  /** A folder that keeps what was there, as {@link keptFolder} made it. */
  readonly kept: string
}

/** Makes a new folder for what was there before a version. */
export async function keptFolder(folder: string, version: string): Promise<string> {
  for (let count = 1; ; count++) {
    const kept = join(folder, `${KEPT}${version}${count === 1 ? '' : `-${count}`}`)
    if (existsSync(kept)) continue
    await mkdir(kept, { mode: 0o700 })
    return kept
  }
}

/** @param verify throws if the version does not work in its place; then everything is put back */
export async function swap({ folder, trial, files, packages, kept }: Swap, verify: () => Promise<void>): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  // A person who gives up now would leave half a version.
  const later = () => {}
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const others = signals.map(signal => [signal, process.rawListeners(signal)] as const)
  for (const signal of signals) process.removeAllListeners(signal).on(signal, later)
  try {
    for (const name of files.filter(one => existsSync(join(folder, one)))) await cp(join(folder, name), join(kept, name))
    for (const name of packages) {
      const [present, before, after] = [join(folder, name), join(kept, name), join(trial, name)]
      if (existsSync(present)) {
        await mkdir(dirname(before), { recursive: true })
        await rename(present, before)
        undo.push(() => rename(before, present))
      }
      if (existsSync(after)) {
        await rename(after, present)
        undo.push(() => rename(present, after))
      }
    }
    for (const name of files) {
      const [present, before] = [join(folder, name), join(kept, name)]
      undo.push(() => (existsSync(before) ? copyFile(before, present) : rm(present, { force: true })))
      await copyFile(join(trial, name), present)
    }
    await verify()
    for (const name of packages) await rm(join(kept, name), { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    for (const step of undo.toReversed()) await step()
    throw error
  } finally {
    for (const [signal, listeners] of others) {
      process.off(signal, later)
      for (const listener of listeners) process.on(signal, listener as () => void)
    }
  }
}
