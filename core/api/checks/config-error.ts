/** What is wrong in bot.config.ts and bot.settings.json, with the place of each mistake. */
import { type ErrorCode, KikimimiError } from '../../base/errors.ts'

/**
 * The keys that lead to a value of bot.config.ts: `['persona', 'name']`. A plugin is `['plugins', 3]`, or with one more number
 * in a nested list. After it come `options` or `workspaces`, `channels`, `threads`, and the keys of its arguments.
 */
export type ConfigPath = readonly PropertyKey[]

/** A mistake: the bot does not start with it. */
export interface ConfigMistake {
  readonly code: ErrorCode
  /** The file of the path. Absent: bot.config.ts. */
  readonly file?: 'bot.settings.json'
  /** In bot.settings.json: the keys of the file. */
  readonly path: ConfigPath
  /** One line: who refuses, what was given, what to do. Never a secret. */
  readonly message: string
}

/** A configuration that is valid and cannot work as it says. The bot starts with it. */
export interface ConfigWarning extends Omit<ConfigMistake, 'code' | 'file'> {
  /** The name of the rule that found it, such as `no-responder`. */
  readonly rule: string
}

/**
 * All mistakes of a bot.config.ts and of its bot.settings.json. Its code is that of the mistakes, or CONFIG_INVALID when they have different ones.
 */
export class ConfigError extends KikimimiError {
  readonly mistakes: readonly ConfigMistake[]

  constructor(mistakes: readonly ConfigMistake[]) {
    const [code = 'CONFIG_INVALID', ...others] = new Set(mistakes.map(one => one.code))
    const byFile = Map.groupBy(mistakes, ({ file = 'bot.config.ts' }) => file)
    const parts = Array.from(byFile, ([file, own]) => [`${file} is invalid:`, ...own.map(({ message }) => `  - ${message}`)])
    super(others.length > 0 ? 'CONFIG_INVALID' : code, parts.flat().join('\n'))
    this.mistakes = mistakes
  }
}

/** @throws ConfigError if there is a mistake */
export function refuse(mistakes: readonly ConfigMistake[]): void {
  if (mistakes.length > 0) throw new ConfigError(mistakes)
}
