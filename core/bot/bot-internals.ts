import { service } from '../api/index.ts'
import type { Plan } from '../features/reload/reload.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import type { startBot } from './bot.ts'

/** The inside of a running bot, for packages that come with kikimimi, such as replays. Not covered by semantic versioning. */
export interface BotInternals {
  readonly host: Pick<PluginHost, 'running'>
  /** The bot.config.ts that holds now. */
  plan(): Plan
  /** Aborted when the bot takes in nothing more. */
  readonly closing: AbortSignal
  readonly startBot: typeof startBot
}

export const BotInternals = service<BotInternals>('kikimimi.internals')
