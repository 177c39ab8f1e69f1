import type { ChatModel, ConfigWarning, Platform } from '../api/index.ts'
import type { Awaitable } from '../base/awaitable.ts'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'

/** Replacements of real parts, for tests and replays. */
export interface StartOptions {
  /**
   * The chat model of a bot whose config has none. `kikimimi start` gives the offline model. Default: none, and a call of a model throws
   * MODEL_MISSING.
   */
  readonly defaultModel?: ChatModel
  /** The clock of the bot. Default: the clock of the machine. */
  readonly clock?: Clock
  /** The clock of the job queue. Default: `clock`. */
  readonly jobClock?: Clock
  /** Random numbers, 0 ≤ x < 1. Default: `Math.random`. */
  readonly random?: () => number
  /** The log of the bot. Default: standard error, as `LOG_LEVEL` and `LOG_FORMAT` say. */
  readonly log?: Logger
  /** The database. The caller opens and closes it. Default: the database of the config. */
  readonly db?: OpenDatabase
  /** True: messages and jobs are in memory only; a database, if present, is for the plugins. `jobs`: jobs alone are in memory. */
  readonly inMemory?: boolean | 'jobs'
  /** Platforms instead of those of the config. Platform plugins are set up, but their hooks are left out. */
  readonly platforms?: readonly Platform[]
  /** Whether the job queue takes over jobs of dead processes. Default: yes. */
  readonly supervise?: boolean
  /** Whether the HTTP server runs when a plugin has routes. Default: yes. */
  readonly serves?: boolean
  /** The folder of bot.config.ts. Its `prompts/` override prompts of plugins. */
  readonly project?: URL
  /** True: the bot is set up for a CLI command only. It receives no messages and runs no jobs. */
  readonly idle?: boolean
  /** Gets what in bot.config.ts is valid and cannot work as it says, before the platforms connect. */
  warned?(warnings: readonly ConfigWarning[]): Awaitable<void>
  /** Aborts when the start is not to wait any longer for a database server that is unavailable. */
  readonly signal?: AbortSignal
  /** The environment, which has the address of the HTTP server when the config has none. */
  readonly env?: NodeJS.ProcessEnv
}
