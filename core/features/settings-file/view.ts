/** What bot.settings.json may hold, for a form: each value, its source, and why it cannot be set. */
import { type BotConfig, settings as schema } from '../../api/config.ts'
import type { PlaceKind, Plugin, SettableOption } from '../../api/index.ts'
import { modelName, modelsByName } from '../../models/models.ts'
import { couldBeSecret, type OptionSchemas, readSchema } from '../options/option-schema.ts'
import { onlyElsewhere, pluginsOf } from './check.ts'
import type { ConfigParts } from './define-bot.ts'
import { ONLY_IN_CONFIG, settingsFile } from './schema.ts'
import docs from './setting-docs.json' with { type: 'json' }
import { valueAt } from './values.ts'

/** What each setting does, by its path. */
const DOCS: ReadonlyMap<string, string> = new Map(Object.entries(docs))
const CODE = 'It is code in bot.config.ts.'
const ROLES = ['chat', 'judge', 'summary', 'reflection'] as const
const OTHER_MODELS = ['embeddings', 'rerank', 'transcribe', 'speak'] as const

/** The settings of the bot itself. */
export function settingsIn(parts: ConfigParts): SettableOption[] {
  const own = Object.keys(settingsFile.shape).filter(name => name !== 'models' && name !== 'plugins')
  const whole = readSchema(schema)
  const all = own.flatMap(section => {
    const inside = isSection(section) ? readSchema(schema.shape[section]) : undefined
    if (!inside || inside.names.length === 0) return [settingOf(parts, [section], whole)]
    return inside.names.map(key => settingOf(parts, [section, key], inside))
  })
  const elsewhere = Object.entries(ONLY_IN_CONFIG).map(([name, why]): SettableOption => {
    const isGiven = valueAt(parts.config, [name]) !== undefined
    return { path: [name], redacted: isGiven, from: isGiven ? 'bot.config.ts' : 'default', takes: 'other', why }
  })
  return [...all, ...modelsIn(parts), ...elsewhere]
}

/** The options of a plugin that apply everywhere. */
export function optionsIn(plugin: Plugin, { file }: ConfigParts, secrets: readonly string[]): SettableOption[] {
  const { name, scoped = [], options } = plugin.definition
  const schemas = readSchema(options)
  const given = asLayer(plugin.options)
  return [...new Set([...schemas.names, ...Object.keys(given), ...scoped])].map(option => {
    const path = ['plugins', name, 'options', option]
    const { environment, isPublic, usual, ...takes } = schemas.of(option)
    const inFile = valueAt(file, path)
    const value = (inFile === null ? undefined : inFile) ?? (inFile === null ? usual : (given[option] ?? usual))
    const why = onlyElsewhere(plugin, option) ?? (isCode(given[option]) ? CODE : undefined)
    const how = { option, isPublic, scoped: scoped.includes(option), words: schemas.words, secrets }
    const isHidden = inFile === undefined && (why === CODE || couldBeSecret(value, how))
    const isGiven = given[option] !== undefined
    const below = isGiven
      ? ('bot.config.ts' as const)
      : environment === undefined
        ? ('default' as const)
        : ('environment' as const)
    return {
      path,
      ...shown(value, isHidden),
      from: inFile === undefined ? below : ('bot.settings.json' as const),
      ...(why !== undefined && { why }),
      ...takes,
    }
  })
}

/** The scoped options of a plugin in one place. */
export function optionsInPlace(
  plugin: Plugin,
  { file }: ConfigParts,
  { kind, place, secrets }: { readonly kind: PlaceKind; readonly place: string; readonly secrets: readonly string[] },
): SettableOption[] {
  const { name, scoped = [], options } = plugin.definition
  const schemas = readSchema(options)
  return scoped.map(option => {
    const path = ['plugins', name, kind, place, option]
    const { environment: _, isPublic, usual, ...takes } = schemas.of(option)
    const inFile = valueAt(file, path)
    const inConfig = valueAt(plugin.overrides, [kind, place, option])
    const general = valueAt(file, ['plugins', name, 'options', option]) ?? asLayer(plugin.options)[option] ?? usual
    const value = inFile ?? inConfig ?? general
    const how = { option, isPublic, scoped: true, words: schemas.words, secrets }
    return {
      path,
      ...shown(value, couldBeSecret(value, how)),
      from: inFile !== undefined ? 'bot.settings.json' : inConfig !== undefined ? 'bot.config.ts' : 'default',
      ...takes,
    }
  })
}

/** A plugin as bot.config.ts has it, without the file. */
export function listedPlugins({ config }: ConfigParts): Plugin[] {
  return pluginsOf(config)
}

function settingOf({ config, file }: ConfigParts, path: readonly string[], schemas: OptionSchemas): SettableOption {
  const { environment: _, isPublic: __, usual, ...takes } = schemas.of(path.at(-1) ?? '')
  const [inFile, inConfig] = [valueAt(file, path), valueAt(config, path)]
  const isDefault = inFile === null || (inFile ?? inConfig) === undefined
  const does = DOCS.get(path.join('.'))
  return {
    path,
    ...shown(isDefault ? usual : (inFile ?? inConfig), false),
    from: inFile !== undefined ? 'bot.settings.json' : inConfig !== undefined ? 'bot.config.ts' : 'default',
    ...takes,
    ...(does !== undefined && { does }),
  }
}

function modelsIn({ config, file }: ConfigParts): SettableOption[] {
  const models = config.models ?? {}
  const names = [...modelsByName(models).keys()]
  const none =
    names.length === 0
      ? 'bot.config.ts has no model, so the offline model answers. Set the key of a provider in .env.'
      : undefined
  const roles = ROLES.map((role): SettableOption => {
    const inFile = valueAt(file, ['models', role])
    const given = models[role]
    const value = inFile ?? (given && modelName(given))
    return {
      path: ['models', role],
      ...shown(value, false),
      from: inFile !== undefined ? 'bot.settings.json' : given ? 'bot.config.ts' : 'default',
      ...(none !== undefined && { why: none }),
      ...(names.length > 0 ? { takes: 'choice', choices: names } : { takes: 'text' }),
    }
  })
  const maps = (['plugins', 'channels'] as const).map((key): SettableOption => {
    const inFile = valueAt(file, ['models', key])
    return {
      path: ['models', key],
      ...shown(inFile, false),
      from: inFile !== undefined ? 'bot.settings.json' : models[key] ? 'bot.config.ts' : 'default',
      ...(none !== undefined && { why: none }),
      takes: 'other',
    }
  })
  const others = OTHER_MODELS.map((role): SettableOption => {
    const given = models[role]
    return { path: ['models', role], redacted: false, from: given ? 'bot.config.ts' : 'default', takes: 'other', why: CODE }
  })
  return [...roles, ...maps, ...others]
}

function isSection(name: string): name is keyof typeof schema.shape & keyof BotConfig {
  return Object.hasOwn(schema.shape, name)
}

function shown(value: unknown, isHidden: boolean): Pick<SettableOption, 'value' | 'redacted'> {
  return isHidden ? { redacted: true } : { redacted: false, ...(value !== undefined && value !== null && { value }) }
}

/** A function or an instance of a class, in the value itself or inside of it. */
function isCode(value: unknown): boolean {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isCode)
  return Object.getPrototypeOf(value) !== Object.prototype || Object.values(value).some(isCode)
}

function asLayer(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
