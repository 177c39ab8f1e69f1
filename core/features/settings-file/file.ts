/** Reads and writes bot.settings.json: readable, with keys in a stable order, fit for git. */
import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refuse } from '../../api/checks/config-error.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { jsonFault } from '../../base/text/json-fault.ts'
import { parseSettings } from './check.ts'
import { type SettingsFile, settingsFile } from './schema.ts'
import { isLayer } from './values.ts'

/** The file as it was read. */
export interface ReadSettings {
  readonly settings: SettingsFile
  /** Hash of the content: another content has another version. */
  readonly version: string
}

/** Throws CONFIG_BROKEN for a missing file and for one that is no JSON, with the line; CONFIG_INVALID for one of another form. */
export async function readSettings(file: string): Promise<ReadSettings> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const problem = isMissing(error)
      ? `There is no ${file}. Create it with the content {}.`
      : `Cannot read ${file}: ${reason(error)}.`
    throw new KikimimiError('CONFIG_BROKEN', problem, { cause: error })
  })
  const fault = jsonFault(text)
  if (fault !== undefined) throw new KikimimiError('CONFIG_BROKEN', `${file} is no JSON: ${fault}.`)
  const { settings, mistakes } = parseSettings(JSON.parse(text))
  refuse(mistakes)
  return { settings, version: createHash('sha256').update(text).digest('hex') }
}

/** The text of the file: the sections in the order of the schema, all other keys in the order of the alphabet. */
export function formatSettings(settings: SettingsFile): string {
  const known: readonly string[] = Object.keys(settingsFile.shape)
  const sections = Object.entries(settings).toSorted(([one], [other]) => known.indexOf(one) - known.indexOf(other))
  return `${JSON.stringify(Object.fromEntries(sections.map(([name, value]) => [name, ordered(value)])), undefined, 2)}\n`
}

/** Replaces the file by one that is written and flushed beside it, and keeps its rights. */
export async function writeSettings(file: string, settings: SettingsFile): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    const { mode } = await stat(file)
    await using written = await open(draft, 'wx', mode & 0o777)
    await written.writeFile(formatSettings(settings))
    await written.sync()
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw new KikimimiError('SETTINGS_READ_ONLY', readOnly(file, error), { cause: error })
  }
}

/** Why the file cannot be replaced. Nothing: it can. */
export async function whyReadOnly(file: string): Promise<string | undefined> {
  try {
    await access(dirname(file), constants.W_OK)
    return undefined
  } catch (error) {
    return readOnly(file, error)
  }
}

function readOnly(file: string, error: unknown): string {
  return `The bot cannot write ${file}: ${reason(error)}. Change the file where it is kept, or let the bot write into its folder.`
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isLayer(value)) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, ordered(inner)]))
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
