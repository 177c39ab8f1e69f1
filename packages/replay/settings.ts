/** Settings of a bot changed from the command line: `judge-rules.threshold=50`, `pacing.minWait=30s`. */
import { type BotConfig, KikimimiError } from 'kikimimi'
import { mapPlugins } from './map-plugins.ts'

/** Parts of bot.config.ts that can be set. Any other first part is the name of a plugin. */
const PARTS: readonly string[] = ['pacing', 'memory', 'listen', 'persona']

/** Reads `judge-rules.threshold=50`: the name before the first dot, the keys after it, the value. Throws USAGE for an invalid form. */
export function parseSetting(setting: string): {
  readonly name: string
  readonly keys: readonly string[]
  readonly value: unknown
} {
  const [, path = '', raw = ''] = /^([\w.-]+)=(.*)$/s.exec(setting) ?? []
  const [name = '', ...keys] = path.split('.')
  if (keys.length === 0 || keys.includes('')) {
    throw new KikimimiError('USAGE', `--set takes PLUGIN.OPTION=VALUE or pacing.minWait=VALUE, got "${setting}".`)
  }
  return { name, keys, value: parseValue(raw) }
}

/** Throws USAGE for an invalid form. The start of the bot checks the value. */
export function withSetting(config: BotConfig, setting: string): BotConfig {
  const { name, keys, value } = parseSetting(setting)
  if (PARTS.includes(name)) return withValue(config, [name, ...keys], value)
  const names: string[] = []
  let found = false
  const plugins = mapPlugins(config.plugins, plugin => {
    names.push(plugin.definition.name)
    if (plugin.definition.name !== name) return plugin
    found = true
    return { ...plugin, options: withValue(asObject(plugin.options), keys, value) }
  })
  if (found) return { ...config, plugins }
  const known = [...names, ...PARTS].join(', ')
  throw new KikimimiError('USAGE', `--set names "${name}", and the bot has no such plugin. It has: ${known}.`)
}

function withValue<T extends object>(object: T, [key = '', ...rest]: readonly string[], value: unknown): T {
  const inner =
    rest.length === 0 ? value : withValue(asObject(Object.entries(object).find(([name]) => name === key)?.[1]), rest, value)
  return { ...object, [key]: inner }
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

/** JSON, or the text itself when it is no JSON: `50`, `true`, `["rust"]`, `30s`. */
function parseValue(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}
