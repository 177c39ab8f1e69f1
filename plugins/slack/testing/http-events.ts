/** The Events API over HTTP, with signed requests: https://docs.slack.dev/authentication/verifying-requests-from-slack */
import { createHmac } from 'node:crypto'

export interface SignedRequest {
  readonly url: string
  readonly signingSecret: string
  readonly body: string
  readonly type?: 'application/json' | 'application/x-www-form-urlencoded'
  /** Seconds since the epoch. Default: now. */
  readonly timestamp?: number
  /** Replaces the right signature. Empty: no signature. */
  readonly signature?: string
  readonly retry?: { readonly num: number; readonly reason: string }
}

export function sendSigned(request: SignedRequest): Promise<Response> {
  const { url, signingSecret, body, type = 'application/json', timestamp = Math.floor(Date.now() / 1_000), retry } = request
  const signature = request.signature ?? sign(signingSecret, timestamp, body)
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': String(timestamp),
      ...(signature && { 'x-slack-signature': signature }),
      ...(retry && { 'x-slack-retry-num': String(retry.num), 'x-slack-retry-reason': retry.reason }),
    },
    body,
  })
}

function sign(secret: string, timestamp: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}
