/** The backups that a command can read: a file, or the newest of the plugin `backup`. */
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { decrypted, linesIn, openStore, options } from '@kikimimi/backup'
import { type BotConfig, KikimimiError } from 'kikimimi'
import { KERNEL_MIGRATIONS, loadPlugins } from 'kikimimi/host'

export interface ReadableBackup {
  readonly name: string
  /** Its lines. @throws BACKUP_UNREADABLE, BACKUP_LOCKED without the key */
  read(): AsyncGenerator<string, void>
}

/** @throws BACKUP_UNFIT if no file is given and there is no backup, BACKUP_STORE */
export async function backupOf(file: string | undefined, bot: BotConfig): Promise<ReadableBackup> {
  if (file !== undefined) {
    const name = basename(file)
    return { name: file, read: () => linesIn(decrypted(bytesOf(file), { key: process.env.BACKUP_KEY, name }), file) }
  }
  const plugin = (await loadPlugins(bot.plugins)).find(({ name }) => name === 'backup')
  if (!plugin) {
    throw new KikimimiError('BACKUP_UNFIT', 'bot.config.ts has no plugin backup, so there is no newest backup. Name a file.')
  }
  const { to, key: own } = options.parse(plugin.options)
  // The bot may have only the public key.
  const key = process.env.BACKUP_KEY || own
  const store = await openStore(to, process.env)
  const [newest] = await store.list()
  if (!newest) throw new KikimimiError('BACKUP_UNFIT', `There is no backup in ${store.where}.`)
  const { name } = newest
  return { name, read: () => linesIn(decrypted(store.get(name), { key, name }), name) }
}

/** Opened when the first bytes are read: the error of a stream without a reader would end the process. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void> {
  yield* createReadStream(file)
}

/** The folder of the migrations of the kernel and of each plugin, by owner. */
export async function migrationFolders({ plugins }: BotConfig): Promise<ReadonlyMap<string, URL>> {
  const folders = new Map([['kikimimi', KERNEL_MIGRATIONS]])
  for (const { name, definition } of await loadPlugins(plugins)) if (definition.migrations) folders.set(name, definition.migrations)
  return folders
}
