/** Tells which file a mistake of a merged config belongs to. */
import type { ConfigMistake, ConfigPath } from '../../api/checks/config-error.ts'
import type { Plugin } from '../../api/index.ts'
import { pluginsOf } from './check.ts'
import type { ConfigParts } from './define-bot.ts'
import { SETTINGS_FILE } from './schema.ts'

/** The mistakes, each with the file that has its value. */
export function withOrigin(
  mistakes: readonly ConfigMistake[],
  parts: ConfigParts,
  plugins: readonly { readonly name: string; readonly path: ConfigPath }[],
): readonly ConfigMistake[] {
  const alone = {
    ...parts.config,
    plugins: Object.fromEntries(pluginsOf(parts.config).map(one => [one.definition.name, layersOf(one)])),
  }
  return mistakes.map(mistake => {
    const plugin = plugins.find(({ path }) => path.every((key, index) => mistake.path[index] === key))
    const below = plugin && mistake.path.slice(plugin.path.length)
    // The plugin itself is a value of bot.config.ts.
    if (below?.length === 0) return mistake
    const path = plugin && below ? ['plugins', plugin.name, ...below] : mistake.path
    const inFile = depthOf(parts.file, path)
    const isOfFile = inFile === path.length || inFile > depthOf(alone, path)
    return isOfFile ? { ...mistake, code: 'CONFIG_INVALID', file: SETTINGS_FILE, path } : mistake
  })
}

function layersOf({ options, overrides }: Plugin): object {
  return { options, ...overrides }
}

/** How many of the keys a value has, from outside to inside. */
function depthOf(value: unknown, path: ConfigPath): number {
  const [key, ...rest] = path
  if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return 0
  return 1 + depthOf(Reflect.get(value, key), rest)
}
