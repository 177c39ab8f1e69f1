import type { Platform } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'

/** What tests and replays put in the place of the real thing. */
export interface StartOptions {
  /** The clock of the bot. Default: the clock of the machine. */
  readonly clock?: Clock
  /** The clock of the job queue, where it must not be the same. */
  readonly jobClock?: Clock
  /** Random numbers, 0 ≤ x < 1. Default: `Math.random`. */
  readonly random?: () => number
  /** The log of the bot. Default: standard error, as `LOG_LEVEL` and `LOG_FORMAT` say. */
  readonly log?: Logger
  /** Opened and closed by the caller. */
  readonly db?: OpenDatabase
  /** Messages and jobs in memory alone; a database, if there is one, is for the plugins. */
  readonly inMemory?: boolean
  /** In the place of the platforms of the config: their plugins are set up and left out. */
  readonly platforms?: readonly Platform[]
  /** Whether the job queue looks after jobs of dead processes. Default: yes. */
  readonly supervise?: boolean
  /** Whether it listens for HTTP, where there is something to serve. Default: yes. */
  readonly serves?: boolean
  /** The folder of bot.config.ts: its `prompts/` win. */
  readonly project?: URL
  /** Set up for a command, and nothing more: it hears nobody and works on no job. */
  readonly idle?: boolean
  /** Where the address of the HTTP server comes from when the config has none. */
  readonly env?: NodeJS.ProcessEnv
}
