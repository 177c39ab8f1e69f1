/**
 * The token of an installation. With token rotation it lives for twelve hours, and one process requests the next one in time:
 * https://docs.slack.dev/authentication/using-token-rotation
 */
import { webApi } from '@slack/bolt'
import { type Clock, KikimimiError, type Logger, sleep } from 'kikimimi'
import type { Access } from '../web-api/access.ts'
import { isPassing, slackCode, whyOf } from '../web-api/calls.ts'
import type { Installation, InstallationStore, Tokens } from './store.ts'

export interface RotationOptions {
  readonly store: InstallationStore
  readonly installation: Installation
  readonly clientId: string
  readonly clientSecret: string
  readonly clientOptions: webApi.WebClientOptions
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly signal: AbortSignal
}

/** A token is refreshed this long before it expires. */
const AHEAD_MS = 2 * 60 * 60_000
/** A token that expires this soon is not used any more. */
const MARGIN_MS = 60_000
/** Another process takes over a refresh that lasts longer. */
const RESERVED_MS = 30_000
/** Pause between two looks at the refresh of another process. */
const LOOK_MS = 250
/** Pause after a failed refresh, while the token is still valid. */
const FAILED_MS = 60_000
const STORE_TRIES = 5

export function createRotatingAccess(options: RotationOptions): Access {
  const { store, clientId, clientSecret, clientOptions, clock, log, signal } = options
  const client = new webApi.WebClient(undefined, clientOptions)
  let current = options.installation
  let refreshing: Promise<void> | undefined
  let notBefore = 0

  const leftMs = ({ expiresAt }: Tokens) => (expiresAt ? expiresAt.getTime() - clock.now() : Number.POSITIVE_INFINITY)

  async function request({ refreshToken: refresh_token = '' }: Tokens): Promise<Tokens> {
    const told = await client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token,
    })
    const { access_token: token = '', refresh_token: refreshToken, expires_in = 0 } = told
    return { token, refreshToken, expiresAt: new Date(clock.now() + expires_in * 1_000) }
  }

  /** Slack takes a refresh token once, so the new one must not be lost. */
  async function keep(installation: Installation, tokens: Tokens): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await store.renew(installation, tokens)
      } catch (error) {
        if (attempt >= STORE_TRIES) throw error
        await sleep(clock, LOOK_MS * 2 ** attempt, signal)
      }
    }
  }

  /** Refreshes the token, or waits until another process has. */
  async function refresh(): Promise<void> {
    for (const until = clock.now() + RESERVED_MS; ; ) {
      const stored = await store.read(current.id)
      if (!stored) return
      const isNewer = stored.token !== current.token
      current = stored
      if (isNewer && leftMs(stored) > MARGIN_MS) return
      const now = clock.now()
      if (await store.reserve(stored, new Date(now), new Date(now + RESERVED_MS))) return exchange(stored)
      if (now >= until) return
      await sleep(clock, LOOK_MS, signal)
    }
  }

  async function exchange(stored: Installation): Promise<void> {
    let tokens: Tokens
    try {
      tokens = await request(stored)
    } catch (error) {
      // Without the release, the next call would wait for this refresh until its reservation ends.
      await store.release(stored).catch(() => {})
      throw error
    }
    current = { ...stored, ...tokens }
    await keep(stored, tokens)
  }

  function refreshOnce(): Promise<void> {
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }

  let isRefused = false
  function failed(error: unknown): void {
    isRefused = slackCode(error) !== undefined && !isPassing(error)
    notBefore = clock.now() + FAILED_MS
    if (!signal.aborted) log.warn(`the token of ${current.name} could not be refreshed`, { why: whyOf(error) })
  }

  return {
    async token() {
      if (current.refreshToken === undefined || leftMs(current) > AHEAD_MS) return current.token
      if (leftMs(current) > MARGIN_MS) {
        if (clock.now() >= notBefore) refreshOnce().catch(failed)
        return current.token
      }
      await refreshOnce().catch(failed)
      // Slack says that a token has expired whose refresh it refused.
      if (leftMs(current) > 0 || isRefused) return current.token
      throw new KikimimiError('PLATFORM_REFUSED', `The token of ${current.name} has expired, and could not be refreshed.`, {
        cause: { code: 'token_expired', retryAfterMs: LOOK_MS * 20 },
      })
    },

    async renewed(refused) {
      if (current.token === refused) {
        const stored = await store.read(current.id)
        if (!stored) return undefined
        current = stored
      }
      if (current.token === refused && leftMs(current) <= 0) await refreshOnce().catch(failed)
      return current.token === refused ? undefined : current.token
    },
  }
}
