/** Delivers events to the app: over its socket, or by HTTP. */
import { randomUUID } from 'node:crypto'
import type { SlackEvent } from './events.ts'
import { sendSigned } from './http-events.ts'
import type { Envelope, SocketMode } from './socket-mode.ts'
import type { Workspace } from './workspace.ts'

/** Delivers what happens in one workspace. */
export interface Delivery {
  /** Delivers an event. Resolves after the acknowledgement or the time limit. Without one, it delivers the event again later. */
  event(event: SlackEvent, from?: SlackOrigin): Promise<void>
  /** Delivers the use of a button or a form. Resolves with whether the app has acknowledged it. */
  interaction(payload: object): Promise<boolean>
  /** Resolves with the response of the app, as JSON or empty; undefined without one. */
  command(fields: Readonly<Record<string, string>>): Promise<string | undefined>
}

/** Delivers what happens in all workspaces. */
export interface Deliveries {
  /** Addresses for events, which get them in turn. None: Socket Mode. */
  urls: readonly string[]
  of(workspace: Workspace): Delivery
  /** Delivers the last `count` events again, as Slack does without an acknowledgement. */
  redeliver(count: number): Promise<void>
  /** Ends all further attempts. */
  close(): void
}

/** Where an event comes from, when it is not the workspace of the bot. */
export interface SlackOrigin {
  /** Id of the workspace in which it happened. */
  readonly team: string
  /** The app gets it for its installation in this workspace. Default: the same. */
  readonly installedIn?: string
  /** It happened in a channel that is shared with another organization. Default: false. */
  readonly isShared?: boolean
}

export interface DeliveryOptions {
  /** Milliseconds between the attempts to deliver an event. */
  readonly retries: readonly number[]
  readonly signingSecret: string
  readonly socket: SocketMode
}

/** Number of events that can be delivered again. */
const REMEMBERED = 1_000

/** An event, and how often it was delivered. */
interface Sent {
  readonly body: object
  attempts: number
}

export function createDeliveries({ signingSecret, socket, retries }: DeliveryOptions): Deliveries {
  const sent: Sent[] = []
  const timers = new Set<NodeJS.Timeout>()

  let turn = 0
  const nextUrl = () => deliveries.urls[turn++ % deliveries.urls.length]

  /** Resolves with why it failed; nothing when the app has acknowledged. */
  async function deliver(event: Sent, why = 'timeout'): Promise<string | undefined> {
    const retry = event.attempts++
    const url = nextUrl()
    if (url === undefined) {
      const acknowledged = await socket.send({
        envelope_id: randomUUID(),
        type: 'events_api',
        payload: event.body,
        retry_attempt: retry,
        retry_reason: retry > 0 ? why : '',
      } satisfies Envelope)
      return acknowledged ? undefined : 'timeout'
    }
    const response = await sendSigned({
      url,
      signingSecret,
      body: JSON.stringify(event.body),
      ...(retry > 0 && { retry: { num: retry, reason: `http_${why}` } }),
    })
    await response.text()
    return response.ok ? undefined : 'error'
  }

  /** Delivers it, and again after each of the times until the app acknowledges. */
  async function insist(event: Sent, left: readonly number[], why?: string): Promise<void> {
    const failed = await deliver(event, why).catch(() => 'error')
    const [wait, ...rest] = left
    if (failed === undefined || wait === undefined || isClosed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void insist(event, rest, failed)
    }, wait)
    timers.add(timer)
  }
  let isClosed = false

  function of({ team, org, bot: { id: bot } }: Workspace): Delivery {
    const origin = { team_id: team, api_app_id: 'AKIKIMIMI', token: 'verification', ...(org && { enterprise_id: org.id }) }
    /** The installation that gets the events. An org-wide one has no workspace. */
    const authorization = (installedIn: string) => ({
      enterprise_id: org?.id ?? null,
      team_id: org ? null : installedIn,
      ...{ user_id: bot, is_bot: true, is_enterprise_install: org !== undefined },
    })

    return {
      async event(event, { team: from, installedIn = from, isShared = false } = { team }) {
        const body = {
          ...origin,
          team_id: from,
          event,
          type: 'event_callback',
          is_ext_shared_channel: isShared,
          event_id: `Ev${randomUUID().slice(0, 8).toUpperCase()}`,
          event_time: Math.floor(Date.now() / 1_000),
          ...(org && { context_team_id: team, context_enterprise_id: org.id }),
          authorizations: [authorization(installedIn)],
        }
        const one = { body, attempts: 0 }
        sent.push(one)
        if (sent.length > REMEMBERED) sent.shift()
        await insist(one, retries)
      },

      async interaction(payload) {
        const body = { ...origin, team: { id: team, domain: 'kikimimi' }, trigger_id: randomUUID(), ...payload }
        const url = nextUrl()
        if (url === undefined) {
          return (await socket.send({ envelope_id: randomUUID(), type: 'interactive', payload: body })) !== undefined
        }
        const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString()
        const type = 'application/x-www-form-urlencoded'
        return (await sendSigned({ url, signingSecret, body: form, type })).ok
      },

      async command(fields) {
        const payload = {
          ...origin,
          team_domain: 'kikimimi',
          is_enterprise_install: String(org !== undefined),
          trigger_id: randomUUID(),
          ...fields,
        }
        const url = nextUrl()
        if (url === undefined) {
          const acknowledged = await socket.send({ envelope_id: randomUUID(), type: 'slash_commands', payload })
          return acknowledged && JSON.stringify(acknowledged.answer ?? {})
        }
        const body = new URLSearchParams(payload).toString()
        const response = await sendSigned({ url, signingSecret, body, type: 'application/x-www-form-urlencoded' })
        const answer = await response.text()
        return response.ok ? answer : undefined
      },
    }
  }

  const deliveries: Deliveries = {
    urls: [],
    of,

    async redeliver(count) {
      await Promise.all(sent.slice(-count).map(one => deliver(one)))
    },

    close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
  return deliveries
}
