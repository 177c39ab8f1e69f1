/** Notices when the bot needs more shards: Discord recommends more, or closes a connection that has too few. */
import { GatewayCloseCodes } from 'discord.js'
import { KikimimiError } from 'kikimimi'
import { fatalError, sentence } from '../rest/errors.ts'
import { retryWhileUnavailable } from '../rest/retry.ts'
import type { ConnectionApp } from './connection.ts'
import { type GatewayOptions, recommendation } from './gateway.ts'

export interface Growing {
  /** The present number of shards. */
  count(): number
  /** Divides the bot into more shards. */
  grow(shards: number): Promise<unknown>
}

export interface Growth {
  /** Discord has closed a connection, because the bot has too few shards. */
  required(): void
  /** Whether the bot is divided into more shards now. */
  readonly isGrowing: boolean
}

/** A bot reaches the next thousand servers within days. */
const ASK_MS = 60 * 60_000

export function createGrowth(
  ctx: ConnectionApp,
  { rest, apiUrl }: Pick<GatewayOptions, 'rest' | 'apiUrl'>,
  signal: AbortSignal,
  { count, grow }: Growing,
): Growth {
  const { clock, log } = ctx
  let growing: Promise<void> | undefined

  async function begin(isRequired: boolean): Promise<void> {
    const { shards, session_start_limit } = await retryWhileUnavailable(ctx, { apiUrl, signal }, () =>
      recommendation(rest, signal),
    )
    const wanted = isRequired ? Math.max(shards, count() + 1) : shards
    if (wanted <= count()) return
    if (!isRequired && session_start_limit.remaining < wanted) {
      log.warn('Discord recommends more shards, but allows too few logins for now', { shards: wanted })
      return
    }
    log.info('Discord needs more shards', { shards: wanted, before: count() })
    await grow(wanted)
  }

  function run(isRequired: boolean): void {
    if (signal.aborted) return
    growing ??= begin(isRequired)
      .catch((error: unknown) => {
        if (signal.aborted) return
        // The bot no longer hears a part of its servers. A supervisor restarts it.
        if (isRequired)
          ctx.fail(error instanceof KikimimiError ? error : fatalError(GatewayCloseCodes.ShardingRequired, 'PLATFORM_LOST'))
        else log.warn(`could not divide the bot into more shards: ${sentence(error)}`)
      })
      .finally(() => {
        growing = undefined
      })
  }

  const timer = clock.setInterval(() => run(false), ASK_MS)
  ctx.scope.defer(() => clock.clearInterval(timer))
  return {
    required: () => run(true),
    get isGrowing() {
      return growing !== undefined
    },
  }
}
