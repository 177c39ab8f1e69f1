import { type ModelCall, service } from '../api/index.ts'
import type { Plan } from '../features/reload/reload.ts'
import type { PluginHost } from '../kernel/host/plugin-host.ts'
import type { StartBot } from './bot-type.ts'

/**
 * Internals of a running bot, for packages that come with kikimimi, such as replays. Semantic versioning does not cover
 * them.
 */
export interface BotInternals {
  readonly host: Pick<PluginHost, 'running'>
  /** The current bot.config.ts. */
  plan(): Plan
  /** Aborts when the bot takes no more messages. */
  readonly closing: AbortSignal
  readonly startBot: StartBot
  /** Counts a call of a model outside of the bot's own models on the page Costs. Does not reject. */
  keepCall(call: ModelCall): Promise<void>
}

export const BotInternals = service<BotInternals>('kikimimi.internals')
