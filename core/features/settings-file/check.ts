/** What is wrong in bot.settings.json itself: its form, secrets, names of models. Its values are checked with those of bot.config.ts. */
import type { ConfigMistake, ConfigPath } from '../../api/checks/config-error.ts'
import { isSecretName, optionMistakes } from '../../api/checks/option-errors.ts'
import type { BotConfig } from '../../api/config.ts'
import type { Plugin } from '../../api/index.ts'
import { hasSecret } from '../../base/secrets.ts'
import { nearest } from '../../base/text/nearest.ts'
import { modelsByName } from '../../models/models.ts'
import { readSchema } from '../options/option-schema.ts'
import { mapPlugins } from './merge.ts'
import { ONLY_IN_CONFIG, SETTINGS_FILE, type SettingsFile, settingsFile } from './schema.ts'
import { changed } from './values.ts'

/** The content of the file as far as it is valid, and all mistakes in it. */
export interface CheckedSettings {
  readonly settings: SettingsFile
  readonly mistakes: readonly ConfigMistake[]
}

/** Checks the form. A value with a mistake is left out. */
export function parseSettings(given: unknown): CheckedSettings {
  const { data, error } = settingsFile.safeParse(given)
  if (!error) return { settings: data, mistakes: [] }
  const mistakes = optionMistakes(error.issues, given, settingsFile).map(({ path, message }) => {
    const [key = ''] = path.map(String)
    return mistake(path, isOnlyInConfig(key) ? `${key}: can only be set in bot.config.ts. ${ONLY_IN_CONFIG[key]}` : message)
  })
  return without(given, mistakes)
}

/**
 * Checks what the schemas of settings and plugins cannot know. A value with a mistake is left out.
 *
 * @param secrets values that the file must not hold
 */
export function checkSettings(file: SettingsFile, config: BotConfig, secrets: readonly string[]): CheckedSettings {
  const found = [
    ...secretsIn(file, secrets),
    ...unknownModels(config, file),
    ...pluginsOf(config).flatMap(plugin => settableElsewhere(plugin, file)),
  ]
  // Of two about one value, the later one says more.
  const mistakes = [...new Map(found.map(one => [JSON.stringify(one.path), one])).values()]
  return mistakes.length > 0 ? without(file, mistakes) : { settings: file, mistakes }
}

function without(given: unknown, mistakes: readonly ConfigMistake[]): CheckedSettings {
  const removals = mistakes.map(({ path }) => ({ path: path.map(String) }))
  return { settings: settingsFile.safeParse(changed(given, removals)).data ?? {}, mistakes }
}

function mistake(path: ConfigPath, message: string): ConfigMistake {
  return { code: 'CONFIG_INVALID', file: SETTINGS_FILE, path, message }
}

/** Why an option of a plugin cannot be in the file. Nothing: it can. */
export function onlyElsewhere(plugin: Pick<Plugin, 'definition'>, option: string): string | undefined {
  const { environment, isPublic } = readSchema(plugin.definition.options).of(option)
  if (environment !== undefined) return `It comes from the environment: set ${environment} there, such as in .env.`
  return isSecretName(option) && !isPublic
    ? 'It is a secret: give it with a variable of the environment, such as in .env.'
    : undefined
}

/** All plugins of the list, flat. */
export function pluginsOf({ plugins }: BotConfig): Plugin[] {
  const all: Plugin[] = []
  mapPlugins(plugins, plugin => {
    all.push(plugin)
    return plugin
  })
  return all
}

function settableElsewhere(plugin: Plugin, { plugins = {} }: SettingsFile): ConfigMistake[] {
  const { name } = plugin.definition
  const own = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  return Object.keys(own?.options ?? {}).flatMap(option => {
    const why = onlyElsewhere(plugin, option)
    const path = ['plugins', name, 'options', option]
    return why === undefined ? [] : [mistake(path, `${path.join('.')}: cannot be set in this file. ${why}`)]
  })
}

function unknownModels(config: BotConfig, { models }: SettingsFile): ConfigMistake[] {
  if (!models) return []
  const known = [...modelsByName(config.models ?? {}).keys()]
  const { plugins = {}, channels = {}, ...roles } = models
  const has = known.length > 0 ? `bot.config.ts has: ${known.join(', ')}` : 'bot.config.ts has none'
  const wrongIn = (names: Readonly<Record<string, string | undefined>>, at: readonly string[]) =>
    Object.entries(names).flatMap(([role, name]) => {
      if (name === undefined || known.includes(name)) return []
      const meant = nearest(name, known)
      const hint = meant === undefined ? '' : `. Did you mean "${meant}"?`
      return [mistake([...at, role], `${at.join('.')}.${role}: no model "${name}"; ${has}${hint}`)]
    })
  return [
    ...wrongIn(roles, ['models']),
    ...Object.entries(plugins).flatMap(([name, names]) => wrongIn(names, ['models', 'plugins', name])),
    ...Object.entries(channels).flatMap(([name, names]) => wrongIn(names, ['models', 'channels', name])),
  ]
}

function secretsIn(value: unknown, secrets: readonly string[], at: readonly string[] = []): ConfigMistake[] {
  if (typeof value === 'string') {
    const isNamed = at[0] === 'plugins' && at.slice(3).some(isSecretName)
    if (!isNamed && !hasSecret(value, secrets)) return []
    const why = 'is a secret, and this file is for git. Give it with a variable of the environment, such as in .env.'
    return [mistake(at, `${at.join('.')}: ${why}`)]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, secrets, [...at, key]))
}

function isOnlyInConfig(key: string): key is keyof typeof ONLY_IN_CONFIG {
  return Object.hasOwn(ONLY_IN_CONFIG, key)
}
