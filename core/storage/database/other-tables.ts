/** Tables that other migrations have made than those that are known here. */
import { fileURLToPath } from 'node:url'
import { KikimimiError } from '../../base/errors.ts'

/** A migration, or the record of one that has run. */
export interface Sum {
  readonly name: string
  readonly checksum: string
}

export interface Ran {
  /** `kikimimi` or the name of a plugin. */
  readonly owner: string
  /** The folder of its migrations. */
  readonly folder: URL
  /** Checksums by name. */
  readonly ran: ReadonlyMap<string, string>
  readonly where: 'folder' | 'server' | 'backup'
}

/** Throws MIGRATION_CHANGED or MIGRATION_UNKNOWN when another version, or a file that was edited since, has made the tables. */
export function refuseOtherTables(known: readonly Sum[], { owner, folder, ran, where }: Ran): void {
  const what = PLACES[where]
  const shipped = isShipped(folder)
  // First: the files of a much earlier version have other contents and other names.
  const changed = known.find(({ name, checksum }) => ran.has(name) && ran.get(name) !== checksum)
  if (changed) {
    throw new KikimimiError(
      'MIGRATION_CHANGED',
      shipped
        ? `[${owner}] ${what.name} is of a version before 0.1.0, or ${changed.name} was edited since: this version cannot use it, and has changed nothing in it. Take what people said and what the bot remembers along: \`kikimimi rescue ${what.argument} --to FILE\`, then \`kikimimi restore FILE\` into an empty folder or database. Or use the version that made it.`
        : `[${owner}] ${changed.name} made tables in ${what.inSentence}, and was edited since. Bring the old file back, and write the change as a new migration. While you write the plugin, you can also begin with ${what.empty}.`,
    )
  }
  const unknown = [...ran.keys()].find(name => !known.some(one => one.name === name))
  if (unknown === undefined) return
  throw new KikimimiError(
    'MIGRATION_UNKNOWN',
    shipped
      ? `[${owner}] ${what.name} is of a later version, which has run ${unknown}: this version cannot use it, and has changed nothing in it. Use that version or a later one, or restore a backup from before the upgrade into an empty folder or database.`
      : `[${owner}] ${unknown} made tables in ${what.inSentence}, and is missing in ${fileURLToPath(folder)}. Bring it back, or use the version of ${owner} that has it. While you write the plugin, you can also begin with ${what.empty}.`,
  )
}

const PLACES = {
  folder: { name: 'This data folder', inSentence: 'this data folder', argument: 'FOLDER', empty: 'an empty folder' },
  server: { name: 'This database', inSentence: 'this database', argument: 'URL', empty: 'an empty database' },
  backup: { name: 'This backup', inSentence: 'this backup', argument: 'BACKUP', empty: 'an empty database' },
} as const

/** The folder that has the kernel: the checkout of this repository, or node_modules. A bot has its own plugins elsewhere. */
const KERNEL = new URL('../../../', import.meta.url).href

function isShipped(folder: URL): boolean {
  return folder.href.startsWith(KERNEL) || folder.href.includes('/node_modules/')
}
