/** What all parts of a bot use, and nothing of which a reload changes. */
import type { Operator, Platform } from '../api/index.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { reason } from '../base/errors.ts'
import { createLogger, secretsOf } from '../base/log.ts'
import { parseAddress } from '../features/http/http.ts'
import { DEFAULT_ADDRESSES } from '../features/http/serving.ts'
import { type KeptLog, keepLatest } from '../features/latest-log/latest-log.ts'
import type { Plan } from '../features/reload/reload.ts'
import type { StartOptions } from './start-options.ts'

export interface Foundation {
  readonly options: StartOptions
  readonly clock: Clock
  readonly random: () => number
  readonly env: NodeJS.ProcessEnv
  /** Values of the environment that no output shows. */
  readonly secrets: readonly string[]
  readonly log: KeptLog
  /** The address of the HTTP server: as it is configured, and the first one that is tried. */
  readonly http: { readonly given: string | undefined; readonly first: NonNullable<Operator['http']> }
  /** The platforms of the bot, by name. The host of the plugins adds and removes those of plugins. */
  readonly platforms: Map<string, Platform>
  readonly failure: Failure
  /** Aborts when turns have ended: other work is cancelled. */
  readonly closing: AbortController
  /** Aborts when the bot takes no more messages. */
  readonly stopping: AbortController
}

/** The error with which the bot cannot continue. */
export interface Failure {
  /** Rejects with the error. */
  readonly failed: Promise<never>
  /** The first error, in words. */
  readonly why: string | undefined
  fail(error: Error): void
}

/** Throws CONFIG_INVALID for an address that cannot be read. */
export function createFoundation({ settings }: Plan, options: StartOptions): Foundation {
  const { clock = systemClock, random = Math.random, env = process.env, platforms = [] } = options
  const secrets = secretsOf(env)
  const written =
    options.log ?? createLogger({ level: 'info', format: 'json', write: line => process.stderr.write(line), clock, secrets })
  const log = keepLatest(written, clock, secrets)
  const given = settings.http ?? env.KIKIMIMI_HTTP
  return {
    ...{ options, clock, random, env, secrets, log },
    http: { given, first: parseAddress(given || DEFAULT_ADDRESSES[0]) },
    platforms: new Map(platforms.map(platform => [platform.name, platform])),
    failure: createFailure(error => log.logger.error(reason(error))),
    closing: new AbortController(),
    stopping: new AbortController(),
  }
}

function createFailure(tell: (error: unknown) => void): Failure {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  let first: Error | undefined
  failed.catch(tell)
  return {
    failed,
    get why() {
      return first && reason(first)
    },
    fail(error) {
      first ??= error
      reject(error)
    },
  }
}
