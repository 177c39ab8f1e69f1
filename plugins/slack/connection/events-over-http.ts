/** Slack's events on the bot's HTTP server, for bots with a public address. */
import { isValidSlackRequest } from '@slack/bolt'
import { KikimimiError, type PluginHooks } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'

export interface HttpOptions {
  readonly ctx: Pick<PlatformContext, 'clock' | 'log'>
  readonly signingSecret: string
  /** Resolves when the event is stored, with the response. */
  readonly take: (body: Record<string, unknown>, retry?: { readonly num: number; readonly reason: string }) => Promise<unknown>
}

const PATH = '/slack/events'
const COMPLAINTS_MS = 60_000
/** How far Slack's clock may be ahead. Bolt limits how far it may be behind. */
const AHEAD_MS = 5 * 60_000

export function eventsOverHttp({ ctx: { clock, log }, signingSecret, take }: HttpOptions): PluginHooks['routes'] & {} {
  let complained = Number.NEGATIVE_INFINITY
  /** Limited, because anybody can send requests to the address. */
  function complain(): void {
    if (clock.now() - complained < COMPLAINTS_MS) return
    complained = clock.now()
    log.warn('a request was not signed by Slack, or not within five minutes of now; is signingSecret right, and the clock?')
  }

  return server => {
    // The signature covers the exact bytes of the body.
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

    // The signature is the check.
    server.post(PATH, { config: { public: true } }, async (request, reply) => {
      const text = typeof request.body === 'string' ? request.body : ''
      const seconds = Number(one(request.headers['x-slack-request-timestamp']) || Number.NaN)
      const headers = { 'x-slack-signature': one(request.headers['x-slack-signature']), 'x-slack-request-timestamp': seconds }
      const signed = { signingSecret, body: text, headers, nowMilliseconds: clock.now() }
      if (seconds * 1_000 > signed.nowMilliseconds + AHEAD_MS || !isValidSlackRequest(signed)) {
        complain()
        return reply.code(401).send()
      }
      const body = parse(text, one(request.headers['content-type']))
      if (!body) return reply.code(400).send()
      if (body.type === 'url_verification') return { challenge: body.challenge }
      const num = Number(one(request.headers['x-slack-retry-num']))
      try {
        const answer = await take(body, num > 0 ? { num, reason: one(request.headers['x-slack-retry-reason']) } : undefined)
        return await reply.code(200).send(answer ?? '')
      } catch (error) {
        // Slack sends the event again.
        if (!isExpected(error)) log.warn('an event was not received', { error })
        return reply.code(503).send()
      }
    })
  }
}

/** Slack sends the event again. The bot has said why it takes none. */
export function isExpected(error: unknown): boolean {
  return error instanceof KikimimiError && (error.code === 'STOPPED' || error.code === 'OVERLOADED')
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? ''
}

/** Events are JSON. Commands and clicks are forms. */
function parse(text: string, type: string): Record<string, unknown> | undefined {
  try {
    if (!type.includes('x-www-form-urlencoded')) return object(JSON.parse(text))
    const form = Object.fromEntries(new URLSearchParams(text))
    return form.payload === undefined ? form : object(JSON.parse(form.payload))
  } catch {
    return undefined
  }
}

function object(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
