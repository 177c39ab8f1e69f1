/** Delivers events to the app: over its socket, or by HTTP. */
import { randomUUID } from 'node:crypto'
import type { SlackEvent } from './events.ts'
import { sendSigned } from './http-events.ts'
import type { Envelope, SocketMode } from './socket-mode.ts'

export interface Delivery {
  /** Address for events; absent with Socket Mode. */
  url: string | undefined
  /** Delivers an event. Resolves after the acknowledgement or the time limit. */
  event(event: SlackEvent): Promise<void>
  /** Resolves with the response of the app, as JSON or empty; undefined without one. */
  command(fields: Readonly<Record<string, string>>): Promise<string | undefined>
  /** Delivers the last `count` events again, as Slack does without an acknowledgement. */
  redeliver(count: number): Promise<void>
}

export interface DeliveryOptions {
  readonly team: string
  readonly bot: string
  readonly signingSecret: string
  readonly socket: SocketMode
}

/** Number of events that can be delivered again. */
const REMEMBERED = 1_000

export function createDelivery({ team, bot, signingSecret, socket }: DeliveryOptions): Delivery {
  const sent: { readonly body: object; attempts: number }[] = []

  async function deliver(event: { readonly body: object; attempts: number }): Promise<void> {
    const retry = event.attempts++
    if (delivery.url !== undefined) {
      const response = await sendSigned({
        url: delivery.url,
        signingSecret,
        body: JSON.stringify(event.body),
        ...(retry > 0 && { retry: { num: retry, reason: 'http_timeout' } }),
      })
      await response.text()
      return
    }
    await socket.send({
      envelope_id: randomUUID(),
      type: 'events_api',
      payload: event.body,
      retry_attempt: retry,
      retry_reason: retry > 0 ? 'timeout' : '',
    } satisfies Envelope)
  }

  const delivery: Delivery = {
    url: undefined,

    async event(event) {
      const body = {
        token: 'verification',
        team_id: team,
        api_app_id: 'AKIKIMIMI',
        event,
        type: 'event_callback',
        event_id: `Ev${randomUUID().slice(0, 8).toUpperCase()}`,
        event_time: Math.floor(Date.now() / 1_000),
        authorizations: [{ enterprise_id: null, team_id: team, user_id: bot, is_bot: true, is_enterprise_install: false }],
      }
      const one = { body, attempts: 0 }
      sent.push(one)
      if (sent.length > REMEMBERED) sent.shift()
      await deliver(one)
    },

    async command(fields) {
      const payload = {
        token: 'verification',
        team_id: team,
        team_domain: 'kikimimi',
        api_app_id: 'AKIKIMIMI',
        trigger_id: randomUUID(),
        ...fields,
      }
      if (delivery.url === undefined) {
        const acknowledged = await socket.send({ envelope_id: randomUUID(), type: 'slash_commands', payload })
        return acknowledged && JSON.stringify(acknowledged.answer ?? {})
      }
      const body = new URLSearchParams(payload).toString()
      const response = await sendSigned({ url: delivery.url, signingSecret, body, type: 'application/x-www-form-urlencoded' })
      const answer = await response.text()
      return response.ok ? answer : undefined
    },

    async redeliver(count) {
      await Promise.all(sent.slice(-count).map(deliver))
    },
  }
  return delivery
}
