/** `kikimimi export`. */

import { once } from 'node:events'
import { access, mkdir, mkdtempDisposable, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { exportLog } from '@kikimimi/replay'
import { KikimimiError, parseDuration, systemClock } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { type ExportedFile, exportTo } from '../data/export.ts'
import { openFor } from '../open.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress } from '../progress.ts'

interface ExportOptions extends CommonOptions {
  readonly channel?: string | undefined
  readonly since?: string | undefined
}

/** Without a folder it prints the messages of public channels. @throws EXPORT_NOTHING, EXPORT_UNFIT, USAGE */
export async function runExport(folder: string | undefined, values: ExportOptions): Promise<void> {
  await (folder === undefined ? exportTalk(values) : exportAll(folder, values))
}

async function exportTalk({ config, channel, since }: ExportOptions): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  await using opened = await openFor(config)
  // The reader of a pipe may close it early, such as head.
  process.stdout.on('error', () => process.exit())
  let count = 0
  const from = ms === undefined ? undefined : new Date(systemClock.now() - ms)
  for await (const line of exportLog(opened.db, { channel, since: from })) {
    count++
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
  }
  process.stderr.write(`${count} messages\n`)
}

async function exportAll(folder: string, { config, channel, since, json }: ExportOptions): Promise<void> {
  if (channel !== undefined || since !== undefined)
    throw new KikimimiError(
      'USAGE',
      'An export into a folder contains everything: leave out --channel and --since, or the folder.',
    )
  const taken = await access(folder).then(
    () => true,
    () => false,
  )
  if (taken) throw new KikimimiError('EXPORT_UNFIT', `${folder} exists already. Choose another name.`)
  const files = await exportInto(folder, config)
  const { print } = outputOf(json)
  if (json) for (const file of files) print(JSON.stringify(file))
  else print(`Exported ${files.length} files to ${folder}. They hold messages of people: keep them as safe as the bot.`)
}

/** The folder gets its name only when it is complete. */
async function exportInto(folder: string, config: string): Promise<readonly ExportedFile[]> {
  await using opened = await openFor(config)
  using progress = createProgress()
  const whole = resolve(folder)
  try {
    await mkdir(dirname(whole), { recursive: true, mode: 0o700 })
    // A unique name: leftovers of a killed export do not matter, and a failed export deletes only its own files.
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
