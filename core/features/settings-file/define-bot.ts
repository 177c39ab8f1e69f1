import type { ConfigMistake } from '../../api/checks/config-error.ts'
import type { BotConfig } from '../../api/config.ts'
import { secretsOf } from '../../base/log.ts'
import { jsonFaultAt } from '../../base/text/json-fault.ts'
import { checkSettings, parseSettings } from './check.ts'
import { merge } from './merge.ts'
import { SETTINGS_FILE, type SettingsFile } from './schema.ts'

/** The two parts of a config: bot.config.ts alone, and bot.settings.json. */
export interface ConfigParts {
  readonly config: BotConfig
  /** Without the values that have a mistake. */
  readonly file: SettingsFile
}

const parts = new WeakMap<BotConfig, ConfigParts>()

/** By the list of plugins, which a copy of the config with other settings keeps. */
const mistakes = new WeakMap<object, readonly ConfigMistake[]>()

/** The parts of a config that {@link defineBot} returned. Nothing: bot.config.ts imports no bot.settings.json. */
export function partsOf(config: BotConfig): ConfigParts | undefined {
  return parts.get(config)
}

/** The mistakes in bot.settings.json itself. The bot does not start with one. */
export function settingsMistakes(config: BotConfig): readonly ConfigMistake[] {
  return mistakes.get(Object(config.plugins)) ?? []
}

/** What bot.config.ts gives to {@link defineBot}. */
export interface BotDefinition extends BotConfig {
  /**
   * The content of bot.settings.json, whose values replace those of bot.config.ts. The settings studio of the dashboard writes that
   * file: `import settings from './bot.settings.json' with { type: 'json' }`. Default: none.
   */
  readonly settings?: unknown
}

/**
 * Checks the types of bot.config.ts, and puts the values of bot.settings.json over it. The start of the bot tells the mistakes of
 * both files at once.
 */
export function defineBot({ settings, ...config }: BotDefinition): BotConfig {
  return settings === undefined ? config : withSettings(config, settings)
}

/** Puts the values of the file over the config. {@link settingsMistakes} has its mistakes. */
export function withSettings(config: BotConfig, given: unknown): BotConfig {
  const parsed = typeof given === 'string' ? brokenText(given) : parseSettings(given)
  const checked = checkSettings(parsed.settings, config, secretsOf(process.env))
  const merged = merge(config, checked.settings)
  parts.set(merged, { config, file: checked.settings })
  mistakes.set(Object(merged.plugins), [...parsed.mistakes, ...checked.mistakes])
  return merged
}

/** `loadConfig` passes a file that is no JSON as text, so that its mistake is told with the others. */
function brokenText(text: string): ReturnType<typeof parseSettings> {
  const what = jsonFaultAt(text)?.what ?? 'expected an object'
  const message = `It is no JSON: ${what}. Correct it.`
  return { settings: {}, mistakes: [{ code: 'CONFIG_BROKEN', file: SETTINGS_FILE, path: [], message }] }
}
