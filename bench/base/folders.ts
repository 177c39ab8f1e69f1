/** The size of the content of a folder. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** @param except names of folders that do not count */
export function bytesIn(folder: string, except: readonly string[] = []): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return except.includes(entry.name) ? sum : sum + bytesIn(path, except)
    return sum + (entry.isFile() ? statSync(path).size : 0)
  }, 0)
}
