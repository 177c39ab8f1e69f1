/** The values that a plugin needs: given with --set, in the environment, or by the person at the terminal. */
import { KikimimiError } from 'kikimimi'
import { literal } from '../config-source/options.ts'
import type { PluginManifest, Setting } from './manifest.ts'
import type { Questions } from './questions.ts'

export interface Given {
  /** For .env. */
  readonly variables: readonly { readonly name: string; readonly value: string; readonly description: string }[]
  /** For the brackets in bot.config.ts: `{ host: 'irc.example.org' }`, or nothing. */
  readonly options: string
  /** The variables that are still to be set. */
  readonly missing: readonly Setting[]
}

export interface SettingsOptions {
  /** `NAME=VALUE` */
  readonly set: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** Absent: nobody answers. */
  readonly questions?: Questions
}

/** @throws USAGE for a name that the plugin does not ask for, and if an option of bot.config.ts has no value or a wrong one */
export async function settingsFor({ name, settings }: PluginManifest, { set, env, questions }: SettingsOptions): Promise<Given> {
  const given = new Map(set.map(one => [one.split('=', 1)[0] ?? '', one.slice(one.indexOf('=') + 1)]))
  const unknown = [...given.keys()].find(key => !settings.some(({ option }) => option === key))
  if (unknown !== undefined || set.some(one => !one.includes('='))) {
    const valid = settings.map(({ option }) => `--set ${option}=…`).join(' ') || 'none'
    throw new KikimimiError('USAGE', `${name} does not ask for ${JSON.stringify(unknown ?? set)}. It asks for: ${valid}`)
  }
  const answered = new Map<Setting, string>()
  for (const setting of settings) {
    if (setting.env && env[setting.env] && !given.has(setting.option)) continue
    const value = given.get(setting.option) ?? (await questions?.ask(questionOf(setting), setting.env ? 'hidden' : undefined))
    if (value) answered.set(setting, value)
  }
  const lacking = settings.filter(one => !answered.has(one) && !(one.env && env[one.env]))
  const needed = lacking.filter(one => !one.env)
  if (needed.length > 0) {
    const list = needed.map(({ option, description }) => `  --set ${option}=…   ${description}`)
    throw new KikimimiError('USAGE', [`${name} is not added, because it needs:`, ...list].join('\n'))
  }
  const pairs = Array.from(answered)
  const options = pairs.flatMap(([setting, value]) =>
    setting.env ? [] : [[setting.option, typedValue(setting, value)] as const],
  )
  return {
    variables: pairs.flatMap(([{ env: variable, description }, value]) =>
      variable === undefined ? [] : [{ name: variable, value, description }],
    ),
    options: options.length > 0 ? literal(Object.fromEntries(options)) : '',
    missing: lacking,
  }
}

function questionOf({ description, env, type }: Setting): string {
  const how = env === undefined ? (type === 'list' ? ' (separated by commas)' : '') : ` (for .env; what you type is not shown)`
  return `${description.replace(/\.$/, '')}${how}: `
}

function typedValue({ option, type }: Setting, value: string): string | number | readonly string[] {
  if (type === 'string') return value
  if (type === 'list') return value.split(/[\s,]+/).filter(Boolean)
  if (Number.isFinite(Number(value))) return Number(value)
  throw new KikimimiError('USAGE', `${option}: expected a number, got "${value}"`)
}
