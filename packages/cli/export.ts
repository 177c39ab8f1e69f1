/** `kikimimi export`. */

import { once } from 'node:events'
import { access, mkdir, mkdtempDisposable, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { KikimimiError, parseDuration, systemClock } from 'kikimimi'
import { reason } from 'kikimimi/host'
import type { Values } from './args.ts'
import { type ExportedFile, exportTo } from './data/export.ts'
import { exportLog } from './data/export-log.ts'
import { openFor } from './open.ts'
import { outputOf } from './plugin-command.ts'
import { counted, createProgress } from './progress.ts'

/** What was heard in public goes to standard output; all there is, into a folder. Throws EXPORT_NOTHING, EXPORT_UNFIT or USAGE. */
export async function runExport(folder: string | undefined, values: Values): Promise<void> {
  await (folder === undefined ? exportTalk(values) : exportAll(folder, values))
}

async function exportTalk({ config, channel, since }: Values): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  await using opened = await openFor(config)
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

async function exportAll(folder: string, { config, channel, since, json }: Values): Promise<void> {
  if (channel !== undefined || since !== undefined)
    throw new KikimimiError('USAGE', 'Into a folder goes all there is: leave --channel and --since out, or the folder.')
  const taken = await access(folder).then(
    () => true,
    () => false,
  )
  if (taken) throw new KikimimiError('EXPORT_UNFIT', `${folder} is there already. Choose another name.`)
  const files = await exportInto(folder, config)
  const { print } = outputOf(json)
  if (json) for (const file of files) print(JSON.stringify(file))
  else print(`Exported ${files.length} files to ${folder}. They hold what people said: keep them as safe as the bot.`)
}

/** Under its name stands a whole export, or none. */
async function exportInto(folder: string, config: string): Promise<readonly ExportedFile[]> {
  await using opened = await openFor(config)
  using progress = createProgress()
  const whole = resolve(folder)
  try {
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 })
    // A name that nobody has: what a killed export left behind is in nobody's way, and what fails deletes its own alone.
    await using part = await mkdtempDisposable(`${whole}.part-`)
    const files = await exportTo(part.path, opened.db, {
      clock: systemClock,
      progress: lines => progress.show(counted(lines, 'lines')),
    })
    await rename(part.path, whole)
    return files
  } catch (error) {
    if (error instanceof KikimimiError) throw error
    throw new KikimimiError('EXPORT_UNFIT', `Could not write ${folder}: ${reason(error)}`, { cause: error })
  }
}
