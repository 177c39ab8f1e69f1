/** `kikimimi drill`: a restore that is only a test. It needs no database, so it runs beside a running bot. */
import { drill } from '@kikimimi/backup'
import { ago, startBot, systemClock } from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import { backupOf, migrationFolders } from '../data/read-backup.ts'
import { createLog } from '../log.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { readBot } from '../read-bot.ts'

/** @throws BACKUP_UNREADABLE, BACKUP_LOCKED, BACKUP_DIFFERS, and what a start of the bot with the restored data throws */
export async function runDrill(file: string | undefined, { config, json }: CommonOptions): Promise<void> {
  const started = performance.now()
  const { config: bot, project } = await readBot(config)
  const { name, read } = await backupOf(file, bot)
  const log = createLog('warn')
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openDatabase('memory', { clock: systemClock, log }), opened => opened.close())
  const { content, left } = await drill(db, read, { clock: systemClock, folders: await migrationFolders(bot) })
  // A bot starts with the data: later migrations fit, too.
  await (await startBot(bot, { log, project, db, idle: true })).stop()
  const seconds = (performance.now() - started) / 1_000
  const tables = Object.keys(content.tables).length
  const { print } = outputOf(json)
  if (json) return print(JSON.stringify({ name, at: content.at, rows: content.rows, jobs: content.jobs, tables, left, seconds }))
  const age = ago(systemClock.now() - content.at.getTime(), 'en')
  print(`ok ${name}, made ${age}: ${content.rows} rows in ${tables} tables and ${content.jobs} waiting jobs`)
  print(`ok restored in memory in ${seconds.toFixed(1)} s: numbers and checksums of all tables agree, and the bot starts with it`)
  if (left.length > 0) print(`Not restored, because no plugin in bot.config.ts owns them: ${left.join(', ')}.`)
}
