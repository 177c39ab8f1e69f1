/**
 * What a release freezes: its migrations and a backup, with their checksums in test/upgrade/released.json. Users have tables made by these
 * files, and backups like this one, so `npm run lint` refuses a change of them. `npm run release` adds to the list.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reason } from '../../core/base/errors.ts'
import { readMigrations } from '../../core/storage/database/migrate.ts'

const repository = join(import.meta.dirname, '../..')
const LIST = 'test/upgrade/released.json'

/** Checksums by path, such as `plugins/facts/migrations/001-facts.sql` and `test/upgrade/0.1.0.backup`. */
type Checksums = Readonly<Record<string, string>>

const MIGRATION_FOLDERS = '{core/storage,plugins/*}/migrations'

/** The checksums of the present migrations and backups. */
async function presentFiles(root = repository): Promise<Checksums> {
  const folders = globSync(MIGRATION_FOLDERS, { cwd: root }).sort()
  const migrations = folders.map(async folder => {
    const all = await readMigrations(basename(dirname(folder)), pathToFileURL(join(root, folder, '/')))
    return all.map(({ name, checksum }) => [join(folder, name), checksum] as const)
  })
  const backups = globSync('test/upgrade/*.backup', { cwd: root }).sort()
  const sums = backups.map(path => [path, sha256(readFileSync(join(root, path)))] as const)
  return Object.fromEntries([...(await Promise.all(migrations)).flat(), ...sums])
}

/** What `npm run lint` says about the files that were released: nothing, or a sentence for each mistake. */
export async function frozenProblems(root = repository): Promise<readonly string[]> {
  if (!existsSync(join(root, LIST))) return [`${LIST} is missing. Bring it back from the last commit that has it.`]
  let released: Checksums
  try {
    released = JSON.parse(readFileSync(join(root, LIST), 'utf8'))
  } catch (error) {
    return [`${LIST} is no JSON: ${reason(error)}. Bring it back from the last commit that has it.`]
  }
  return mistakes(released, await presentFiles(root))
}

function mistakes(released: Checksums, present: Checksums): readonly string[] {
  const changed = Object.entries(released).flatMap(([path, checksum]) => {
    const remedy = path.endsWith('.sql') ? 'Bring it back, and write the change as a new migration.' : 'Bring it back.'
    if (present[path] === undefined) return [`${path} was released, and is missing. ${remedy}`]
    return present[path] === checksum ? [] : [`${path} was released, and is another file now. ${remedy}`]
  })
  const added = Object.keys(present).flatMap(path => {
    if (path in released) return []
    if (path.endsWith('.backup')) return [`${path} is a backup of no release. Remove it: npm run release makes it.`]
    const last = Object.keys(released)
      .filter(one => dirname(one) === dirname(path))
      .sort()
      .at(-1)
    if (last === undefined || number(path) > number(last)) return []
    return [`${path} is new, and its number is not after ${basename(last)}, which was released. Give it a higher number.`]
  })
  return [...changed, ...added]
}

/** Adds the present files to the list. */
export async function freeze(root = repository): Promise<void> {
  await writeFile(join(root, LIST), `${JSON.stringify(await presentFiles(root), undefined, 2)}\n`)
}

function number(path: string): number {
  return Number(basename(path).slice(0, 3))
}

function sha256(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

if (import.meta.main) {
  const problems = await frozenProblems()
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
