import { type BotConfig, settings as schema } from '../../api/config.ts'
import { KikimimiError } from '../../base/errors.ts'
import { secretsOf } from '../../base/log.ts'
import { parseSettings, problemsIn } from './check.ts'
import { merge } from './merge.ts'
import type { SettingsFile } from './schema.ts'

/** The two parts of a config: bot.config.ts alone, and bot.settings.json. */
export interface ConfigParts {
  readonly config: BotConfig
  readonly file: SettingsFile
}

const parts = new WeakMap<BotConfig, ConfigParts>()

/** The parts of a config that {@link defineBot} returned. Nothing: bot.config.ts imports no bot.settings.json. */
export function partsOf(config: BotConfig): ConfigParts | undefined {
  return parts.get(config)
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
 * Checks the types of bot.config.ts, and puts the values of bot.settings.json over it.
 *
 * @throws CONFIG_INVALID with all mistakes in bot.settings.json
 */
export function defineBot({ settings, ...config }: BotDefinition): BotConfig {
  return settings === undefined ? config : withSettings(config, settings)
}

/** Throws CONFIG_INVALID with all mistakes in the file. */
export function withSettings(config: BotConfig, given: unknown): BotConfig {
  const file = parseSettings(given)
  if (typeof file === 'string') throw new KikimimiError('CONFIG_INVALID', file)
  // Its own mistakes are reported when it is loaded.
  if (!schema.safeParse(config).success) return config
  const merged = merge(config, file)
  const problems = problemsIn({ config, merged, file }, secretsOf(process.env))
  if (problems !== undefined) throw new KikimimiError('CONFIG_INVALID', problems)
  parts.set(merged, { config, file })
  return merged
}
