/** A copy of the folder of a bot, in which the new version is installed and tried while the installed one stays in use. */
import { rmSync } from 'node:fs'
import { copyFile, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface TrialFolder extends AsyncDisposable {
  /** The copy of the bot. */
  readonly bot: string
  /** For files of the upgrade. Other users of the machine cannot read it. */
  readonly own: string
}

const PREFIX = '.upgrade-'

/** Larger files are data and no code. */
const CODE_BYTES = 2 ** 20

/**
 * Inside of the folder of the bot: what npm installs here can be moved to its place. The data is not copied: a link leads to the folder
 * of a database, and to each large file.
 */
export async function trialOf(folder: string): Promise<TrialFolder> {
  const own = await mkdtemp(join(folder, PREFIX))
  const given = () => {
    rmSync(own, { recursive: true, force: true })
    process.exit(130)
  }
  await using scope = new AsyncDisposableStack()
  scope.defer(() => rm(own, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, given)
    scope.defer(() => void process.off(signal, given))
  }
  await copy(folder, join(own, 'bot'))
  const open = scope.move()
  return { own, bot: join(own, 'bot'), [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (name === 'node_modules' || name === '.git' || name.startsWith(PREFIX) || name.startsWith(KEPT)) continue
    const [source, target] = [join(from, name), join(to, name)]
    if (entry.isSymbolicLink()) await realpath(source).then(path => symlink(path, target), ignoreMissing)
    else if (entry.isDirectory()) {
      if ((await readdir(source)).includes('PG_VERSION')) await symlink(source, target)
      else await copy(source, target)
    } else if (entry.isFile()) {
      if ((await lstat(source)).size > CODE_BYTES) await symlink(source, target)
      else await copyFile(source, target)
    }
  }
}

/** The names of folders with what was there before an upgrade. */
export const KEPT = 'before-'

/** The backup in such a folder. */
export const BACKUP = 'kikimimi.backup'

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
