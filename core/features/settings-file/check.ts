/** What is wrong with the values of bot.settings.json: the schemas of the bot and its plugins check them, and no secret may be there. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { renamedTo } from '../../api/checks/option-names.ts'
import { type BotConfig, settings } from '../../api/config.ts'
import type { Plugin } from '../../api/index.ts'
import { invalidOptions, isSecretName, renaming } from '../../api/option-errors.ts'
import { hasSecret } from '../../base/secrets.ts'
import { nearest } from '../../base/text/nearest.ts'
import { modelsByName } from '../../models/models.ts'
import { readSchema } from '../options/option-schema.ts'
import { mapPlugins } from './merge.ts'
import { ONLY_IN_CONFIG, type PluginSettings, type SettingsFile, settingsFile } from './schema.ts'

/** Reads the content of the file. Returns all mistakes in its form as one text. */
export function parseSettings(given: unknown): SettingsFile | string {
  const { data, error } = settingsFile.safeParse(given)
  if (!error) return data
  const issues = error.issues.flatMap((issue): StandardSchemaV1.Issue[] => {
    if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) return [issue]
    return issue.keys.filter(key => !isOnlyInConfig(key)).map(key => ({ message: `Unrecognized key: "${key}"` }))
  })
  const keys = Object.keys(Object(given)).filter(isOnlyInConfig)
  const elsewhere = keys.map(key => `  - ${key}: can only be set in bot.config.ts. ${ONLY_IN_CONFIG[key]}`)
  return [invalidOptions(HEAD, issues, given, settingsFile), ...elsewhere].join('\n')
}

/**
 * All mistakes as one text. Nothing: the values fit.
 *
 * @param config bot.config.ts alone, which is valid
 * @param merged with the values of the file
 * @param secrets values that the file must not hold
 */
export function problemsIn(
  { config, merged, file }: { readonly config: BotConfig; readonly merged: BotConfig; readonly file: SettingsFile },
  secrets: readonly string[],
): string | undefined {
  const lines = [
    ...secretsIn(file, secrets),
    ...linesOf(settings.safeParse(merged).error?.issues ?? [], [], file),
    ...unknownModels(config, file),
    ...pluginsOf(merged).flatMap(plugin => pluginProblems(plugin, file)),
  ]
  return lines.length > 0 ? [HEAD, ...new Set(lines)].join('\n') : undefined
}

/** Why an option of a plugin cannot be in the file. Nothing: it can. */
export function onlyElsewhere(plugin: Pick<Plugin, 'definition'>, option: string): string | undefined {
  const { environment, isPublic } = readSchema(plugin.definition.options).of(option)
  if (environment !== undefined) return `It comes from the environment: set ${environment} there, such as in .env.`
  return isSecretName(option) && !isPublic
    ? 'It is a secret: give it with a variable of the environment, such as in .env.'
    : undefined
}

const PLACES = ['workspaces', 'channels', 'threads'] as const

const HEAD = 'bot.settings.json is invalid:'

/** All plugins of the list, flat. */
export function pluginsOf({ plugins }: BotConfig): Plugin[] {
  const all: Plugin[] = []
  mapPlugins(plugins, plugin => {
    all.push(plugin)
    return plugin
  })
  return all
}

function pluginProblems(plugin: Plugin, { plugins = {} }: SettingsFile): string[] {
  const { name, scoped = [], options: schema } = plugin.definition
  const own = Object.hasOwn(plugins, name) ? plugins[name] : undefined
  if (!own) return []
  const at = ['plugins', name]
  const elsewhere = Object.keys(own.options ?? {}).flatMap(option => {
    const why = onlyElsewhere(plugin, option)
    return why === undefined ? [] : [`  - ${[...at, 'options', option].join('.')}: cannot be set in this file. ${why}`]
  })
  const former = [own.options, ...PLACES.flatMap(kind => Object.values(own[kind] ?? {}))].flatMap(layer =>
    Object.keys(layer ?? {}).flatMap(option => {
      const why = renaming(option, renamedTo(schema, [], option))
      return why === undefined ? [] : [`  - ${at.join('.')}: ${why}`]
    }),
  )
  if (elsewhere.length + former.length > 0) return [...elsewhere, ...former]
  const wrong = issuesIn(schema, plugin.options)
  // Options for places are checked on top of those that apply everywhere.
  if (wrong.length > 0) return own.options ? linesOf(wrong, [...at, 'options'], { plugins }) : []
  return PLACES.flatMap(kind =>
    Object.keys(own[kind] ?? {}).flatMap(place => placeProblems(plugin, own, { kind, place, scoped })),
  )
}

interface PlaceOf {
  readonly kind: (typeof PLACES)[number]
  readonly place: string
  readonly scoped: readonly string[]
}

function placeProblems(
  { definition, options, overrides }: Plugin,
  own: PluginSettings,
  { kind, place, scoped }: PlaceOf,
): string[] {
  const at = ['plugins', definition.name, kind, place]
  const same = Object.keys(own[kind]?.[place] ?? {}).filter(option => !scoped.includes(option))
  const can = scoped.length > 0 ? `what can differ: ${scoped.join(', ')}` : 'this plugin has the same options everywhere'
  if (same.length > 0) return same.map(option => `  - ${[...at, option].join('.')}: is the same everywhere; ${can}`)
  const layer = overrides?.[kind]?.[place]
  return linesOf(issuesIn(definition.options, { ...asObject(options), ...layer }), at, { plugins: { [definition.name]: own } })
}

/** Nothing for a schema that answers later: it is asked again when the plugins are loaded. */
function issuesIn(schema: StandardSchemaV1 | undefined, options: unknown): readonly StandardSchemaV1.Issue[] {
  const checked = schema?.['~standard'].validate(options)
  if (!schema) return options === undefined ? [] : [{ message: 'this plugin takes no options' }]
  return checked instanceof Promise ? [] : (checked?.issues ?? [])
}

function linesOf(issues: readonly StandardSchemaV1.Issue[], at: readonly string[], file: SettingsFile): string[] {
  if (issues.length === 0) return []
  const placed = issues.map(issue => ({ ...issue, path: [...at, ...(issue.path ?? [])] }))
  return invalidOptions('', placed, file).split('\n').slice(1)
}

function unknownModels(config: BotConfig, { models }: SettingsFile): string[] {
  if (!models) return []
  const known = [...modelsByName(config.models ?? {}).keys()]
  const { plugins = {}, channels = {}, ...roles } = models
  const has = known.length > 0 ? `bot.config.ts has: ${known.join(', ')}` : 'bot.config.ts has none'
  const wrongIn = (names: Readonly<Record<string, string | undefined>>, at: string) =>
    Object.entries(names).flatMap(([role, name]) => {
      if (name === undefined || known.includes(name)) return []
      const meant = nearest(name, known)
      return [`  - ${at}.${role}: no model "${name}"; ${has}${meant === undefined ? '' : `. Did you mean "${meant}"?`}`]
    })
  return [
    ...wrongIn(roles, 'models'),
    ...Object.entries(plugins).flatMap(([name, names]) => wrongIn(names, `models.plugins.${name}`)),
    ...Object.entries(channels).flatMap(([name, names]) => wrongIn(names, `models.channels.${name}`)),
  ]
}

function secretsIn(value: unknown, secrets: readonly string[], at: readonly string[] = []): string[] {
  if (typeof value === 'string') {
    const isNamed = at[0] === 'plugins' && at.slice(3).some(isSecretName)
    if (!isNamed && !hasSecret(value, secrets)) return []
    return [
      `  - ${at.join('.')}: is a secret, and this file is for git. Give it with a variable of the environment, such as in .env.`,
    ]
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, secrets, [...at, key]))
}

function isOnlyInConfig(key: string): key is keyof typeof ONLY_IN_CONFIG {
  return Object.hasOwn(ONLY_IN_CONFIG, key)
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
