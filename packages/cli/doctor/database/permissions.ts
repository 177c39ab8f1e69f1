/** Who can read the files of the bot: its data and its backups hold what people said. */
import { chmod, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Diagnosis, ok } from '../diagnosis.ts'

/** Files beside the configuration that hold data. */
const BACKUPS = /\.backup(?:\.part)?$/

/** Rights of others than the owner. */
const OTHERS = 0o077

export async function permissions(files: readonly string[]): Promise<Diagnosis[]> {
  // Windows has no such rights.
  if (process.platform === 'win32') return []
  const found: Diagnosis[] = []
  for (const path of files) {
    const { mode, isFolder } = await stat(path).then(
      stats => ({ mode: stats.mode & 0o777, isFolder: stats.isDirectory() }),
      () => ({ mode: 0, isFolder: false }),
    )
    if ((mode & OTHERS) === 0) continue
    const wanted = isFolder ? 0o700 : 0o600
    found.push({
      severity: (mode & 0o007) === 0 ? 'warning' : 'error',
      what: `${(mode & 0o007) === 0 ? 'other users of the group' : 'all users of this machine'} can read it (${mode.toString(8)})`,
      where: path,
      remedy: `Give it to its owner alone: chmod ${wanted.toString(8)} ${path}`,
      async fix() {
        await chmod(path, wanted)
        return `chmod ${wanted.toString(8)} ${path}`
      },
    })
  }
  return found.length > 0 ? found : [ok(`rights: ${files.length === 0 ? 'no file' : 'only the owner reads the data'}`)]
}

/** The data folder, and the backups beside the configuration. */
export async function filesWithData(config: string, folder: string | undefined): Promise<string[]> {
  const home = dirname(resolve(config))
  const backups = (await readdir(home).catch(() => [])).filter(name => BACKUPS.test(name)).map(name => join(home, name))
  return [...(folder === undefined ? [] : [folder]), ...backups]
}
