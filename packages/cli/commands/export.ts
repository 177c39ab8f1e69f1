/** `kikimimi export`. */

import { once } from 'node:events'
import { access, mkdir, mkdtempDisposable, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { exportLog } from '@kikimimi/replay'
import { KikimimiError, parseDuration, systemClock } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { type ExportedFile, exportTo } from '../data/export.ts'
import { outputOf } from '../output.ts'
import type { CommonOptions } from '../program.ts'
import { counted, createProgress } from '../progress.ts'
import type { Session } from '../session.ts'

interface ExportOptions extends CommonOptions {
  readonly channel?: string | undefined
  readonly since?: string | undefined
}

/** Without a folder it prints the messages of public channels. @throws EXPORT_NOTHING, EXPORT_UNFIT, USAGE */
export async function runExport(folder: string | undefined, values: ExportOptions, session: Session): Promise<void> {
  await (folder === undefined ? exportTalk(values, session) : exportAll(folder, values, session))
}

async function exportTalk({ config, channel, since }: ExportOptions, session: Session): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  await using opened = await session.open(config)
  const { print } = outputOf(true, session.stdout)
  let count = 0
  const from = ms === undefined ? undefined : new Date(systemClock.now() - ms)
  for await (const line of exportLog(opened.db, { channel, since: from })) {
    count++
    print(line)
    if (session.stdout.writableNeedDrain) await once(session.stdout, 'drain', { signal: session.signal })
  }
  session.stderr.write(`${count} messages\n`)
}

async function exportAll(folder: string, { config, channel, since, json }: ExportOptions, session: Session): Promise<void> {
  if (channel !== undefined || since !== undefined)
    throw new KikimimiError(
      'USAGE',
      'An export into a folder contains everything: leave out --channel and --since, or the folder.',
    )
  const whole = resolve(session.cwd, folder)
  const taken = await access(whole).then(
    () => true,
    () => false,
  )
  if (taken) throw new KikimimiError('EXPORT_UNFIT', `${folder} exists already. Choose another name.`)
  const files = await exportInto(whole, config, session)
  const { print } = outputOf(json, session.stdout)
  if (json) for (const file of files) print(JSON.stringify(file))
  else print(`Exported ${files.length} files to ${folder}. They hold messages of people: keep them as safe as the bot.`)
}

/** The folder gets its name only when it is complete. */
async function exportInto(whole: string, config: string, session: Session): Promise<readonly ExportedFile[]> {
  await using opened = await session.open(config)
  using progress = createProgress(session.stderr)
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
    throw new KikimimiError('EXPORT_UNFIT', `Could not write ${whole}: ${reason(error)}`, { cause: error })
  }
}
