/**
 * `npm run release` runs this: it records the migrations of the release. They are never edited or
 * removed afterwards, because users have tables made by them; test/upgrade.test.ts checks that.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readMigrations } from '../../core/storage/database/migrate.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'test/upgrade/released.json')

export type Checksums = Readonly<Record<string, string>>

/** By path, such as `plugins/facts/migrations/001-facts.sql`. */
export function releasedMigrations(): Checksums {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The same for the present migrations. */
export async function presentMigrations(): Promise<Checksums> {
  const folders = globSync('{core/storage,plugins/*}/migrations', { cwd: root }).sort()
  const all = folders.map(async folder => {
    const migrations = await readMigrations(basename(dirname(folder)), pathToFileURL(join(root, folder, '/')))
    return migrations.map(({ name, checksum }) => [join(folder, name), checksum] as const)
  })
  return Object.fromEntries((await Promise.all(all)).flat())
}

if (import.meta.main) {
  const [released, present] = [releasedMigrations(), await presentMigrations()]
  const lost = Object.keys(released).filter(path => present[path] !== released[path])
  if (lost.length > 0) throw new Error(`Released, and edited or removed since: ${lost.join(', ')}. Bring them back.`)
  writeFileSync(file, `${JSON.stringify(present, undefined, 2)}\n`)
  console.log(`${Object.keys(present).length - Object.keys(released).length} new migrations in ${file}`)
}
