/** Signed JSON over HTTP. */
import { createHmac } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'

/** The body of a request. */
export interface WebhookAlert {
  /** The same for both messages of one state, and for a repeated request. */
  readonly id: string
  readonly state: 'began' | 'over' | 'test'
  /** The name of the state: see `STATES`. */
  readonly alert: string
  /** What it is about, such as a platform. */
  readonly subject: string
  /** When it began, ISO 8601. */
  readonly since: string
  /** The name of the bot. */
  readonly bot: string
  /** One sentence, under the name that Slack and Mattermost read. */
  readonly text: string
  /** The same sentence, under the name that Discord reads. */
  readonly content: string
}

export interface Webhook {
  /** @throws ALERT_FAILED without the address, which can hold a secret */
  send(alert: WebhookAlert, signal: AbortSignal): Promise<void>
}

/** Milliseconds for one request. */
const DEADLINE = 10_000

/**
 * @param secret the key of the signature. Empty: requests are not signed
 * @throws CONFIG_INVALID for an address that is no URL of http or https
 */
export function createWebhook(address: string, secret: string, clock: Clock): Webhook {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new KikimimiError('CONFIG_INVALID', 'ALERT_WEBHOOK_URL is not an address: set it to https://… in .env.')
  return {
    async send(alert, signal) {
      const body = JSON.stringify(alert)
      const timestamp = String(Math.floor(clock.now() / 1_000))
      const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'kikimimi',
        ...(secret !== '' && { 'kikimimi-timestamp': timestamp, 'kikimimi-signature': `v1=${signature}` }),
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
      // A redirect would carry the words to another server.
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: limit }).catch(() => {
        throw new KikimimiError('ALERT_FAILED', `the webhook at ${url.host} gave no answer. Check ALERT_WEBHOOK_URL.`)
      })
      await answer.body?.cancel()
      if (!answer.ok)
        throw new KikimimiError('ALERT_FAILED', `the webhook at ${url.host} answered ${answer.status}. Check ALERT_WEBHOOK_URL.`)
    },
  }
}
