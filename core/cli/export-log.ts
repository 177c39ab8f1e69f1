/** `kikimimi export-log`. */
import { once } from 'node:events'
import { systemClock } from '../clock.ts'
import { checkConfig, loadConfig } from '../config.ts'
import { openDatabase } from '../database.ts'
import { parseDuration } from '../duration.ts'
import { KikimimiError } from '../errors.ts'
import { exportLog } from '../export-log.ts'
import { migrate } from '../migrate.ts'
import type { Values } from './args.ts'
import { createLog } from './log.ts'

export async function runExport({ config: file, channel, since }: Values): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  const { config } = await loadConfig(file)
  const { database } = checkConfig(config)
  if (database === false) throw new KikimimiError('DATABASE_NONE', 'This bot has no database: there is nothing to export.')
  await using opened = new AsyncDisposableStack()
  const db = opened.adopt(await openDatabase(database, { clock: systemClock, log: createLog('warn') }), one => one.close())
  await migrate(db, 'kikimimi', new URL('../migrations/', import.meta.url), systemClock)
  // Whoever reads it may have had enough.
  process.stdout.on('error', () => process.exit())
  let count = 0
  const from = ms === undefined ? undefined : new Date(systemClock.now() - ms)
  for await (const line of exportLog(db, { channel, since: from })) {
    count++
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
  }
  process.stderr.write(`${count} messages\n`)
}
