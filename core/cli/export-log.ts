/** `kikimimi export-log`. */
import { once } from 'node:events'
import { systemClock } from '../clock.ts'
import { parseDuration } from '../duration.ts'
import { KikimimiError } from '../errors.ts'
import { exportLog } from '../export-log.ts'
import type { Values } from './args.ts'
import { openFor } from './open.ts'

export async function runExport({ config: file, channel, since }: Values): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  await using opened = await openFor(file)
  // Whoever reads it may have had enough.
  process.stdout.on('error', () => process.exit())
  let count = 0
  const from = ms === undefined ? undefined : new Date(systemClock.now() - ms)
  for await (const line of exportLog(opened.db, { channel, since: from })) {
    count++
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
  }
  process.stderr.write(`${count} messages\n`)
}
