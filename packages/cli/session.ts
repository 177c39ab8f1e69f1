/** Where a command runs: in a process of its own, or inside the running bot, whose data folder no other process can open. */
import type { Writable } from 'node:stream'
import type { Bot, BotConfig } from 'kikimimi'
import type { OpenDatabase, Plan } from 'kikimimi/host'
import type { ReadBot } from './read-bot.ts'
import type { SetUp } from './set-up-alone.ts'

/** A stream of the command line: of this process, or of the process that asked the running bot. */
export type Output = Writable & { readonly isTTY?: boolean }

export interface Session {
  readonly stdout: Output
  readonly stderr: Output
  /** Standard input. Nothing is read before it is asked for. */
  input(): AsyncIterable<Uint8Array>
  /** The folder where relative paths of the command begin. */
  readonly cwd: string
  /** Aborts when the person gives up the command. */
  readonly signal: AbortSignal
  /** Ends the command with this exit code, without an error: it tells what the command found. */
  end(code: number): void
  /** The bot of a bot.config.ts. @throws what `readBot` throws */
  readBot(file: string): Promise<ReadBot>
  /**
   * The database of the bot.
   *
   * @throws DATABASE_NONE if the bot has no database, DATABASE_LOCKED if another process uses its folder
   */
  open(file: string): Promise<Opened>
  /** The plugins of the bot with their hooks: of the running one, or set up for it in memory. @throws what `setUpAlone` throws */
  setUp(plan: Plan): Promise<SetUp>
  /** A bot for one command: idle in a process of its own; otherwise the running one, which stays. */
  startBot(file: string, opened?: Opened): Promise<LentBot>
  /**
   * Lets the running bot of a data folder run the command. Returns its exit code, or nothing if no bot runs.
   * Absent inside a bot.
   */
  readonly runBeside?: (file: string, args: readonly string[]) => Promise<number | undefined>
}

export type LentBot = Pick<Bot, 'command' | 'forget'> & AsyncDisposable

/** A database that a command uses. Disposed: it is closed, unless it belongs to a running bot. */
export interface Opened extends AsyncDisposable {
  readonly config: BotConfig
  readonly project: URL
  readonly db: OpenDatabase
}
