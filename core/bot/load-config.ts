/** Loads bot.config.ts. */
import { existsSync, readFileSync } from 'node:fs'
import { type LoadHookSync, registerHooks } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BotConfig } from '../api/config.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import { jsonFault } from '../base/text/json-fault.ts'

/** Loads bot.config.ts, with its mistakes. Throws CONFIG_NOT_FOUND, CONFIG_BROKEN or CONFIG_INVALID. */
export async function loadConfig(file: string): Promise<{ readonly config: BotConfig; readonly project: URL }> {
  const path = resolve(file)
  if (!existsSync(path)) {
    throw new KikimimiError(
      'CONFIG_NOT_FOUND',
      `There is no ${path}. Run this in the folder of your bot, or name the file with --config.`,
    )
  }
  let module: { default?: unknown }
  const hooks = registerHooks({ load: loadSettingsFile })
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    if (error instanceof KikimimiError && error.code !== 'ARGUMENT_INVALID') throw error
    throw dataProblem(file, error) ?? broken(file, error, path)
  } finally {
    hooks.deregister()
  }
  if (!isObject(module.default)) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `${file} must export a bot: export default defineBot({ persona: { name: 'kiki' }, plugins: [] })`,
    )
  }
  return { config: module.default as BotConfig, project: pathToFileURL(`${dirname(path)}/`) }
}

/** Passes a bot.settings.json that is no JSON to `defineBot` as text, so that bot.config.ts loads and its mistakes are told too. */
const loadSettingsFile: LoadHookSync = (url, context, next) => {
  const loaded = next(url, context)
  if (!SETTINGS_FILE.test(url) || loaded.format !== 'json') return loaded
  const text = readFileSync(new URL(url), 'utf8')
  return jsonFault(text) === undefined ? loaded : { ...loaded, source: JSON.stringify(text) }
}

const SETTINGS_FILE = /\/bot\.settings\.json(?:\?v=\d+)?$/

function broken(file: string, error: unknown, path: string): KikimimiError {
  return new KikimimiError('CONFIG_BROKEN', `${file} does not load: ${reason(error)}${placeIn(error, path)}`, { cause: error })
}

/** What is wrong with an imported JSON file, such as bot.settings.json. The message of Node begins with its path. */
function dataProblem(file: string, error: unknown): KikimimiError | undefined {
  const message = error instanceof Error ? error.message : ''
  const [, missing] = /^Cannot find module '([^']+\.json)'/.exec(message) ?? []
  const [, data] = error instanceof SyntaxError ? (/^(\S.*?\.json): /.exec(message) ?? []) : []
  const fault = data === undefined ? undefined : jsonFault(readFileSync(data, 'utf8'))
  const problem =
    missing !== undefined
      ? `${missing}, which does not exist. Create it with the content {}.`
      : fault && `${data}, which is no JSON: ${fault}. Correct it.`
  return problem ? new KikimimiError('CONFIG_BROKEN', `${file} imports ${problem}`, { cause: error }) : undefined
}

/** The line of the config file that an error's stack names. */
function placeIn(error: unknown, path: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = stack.split(path)[1]?.match(/^(?:\?v=\d+)?:(\d+)/)?.[1]
  return line ? ` (line ${line})` : ''
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
