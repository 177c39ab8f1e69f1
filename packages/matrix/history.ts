/** Reads events that are past. */
import type { Conversation, IncomingMessage } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { ClientPrefix } from 'matrix-js-sdk/lib/http-api/index.js'
import type { IRoomEvent } from 'matrix-js-sdk/lib/sync-accumulator.js'
import { type Call, isRefusal } from './calls.ts'
import { MESSAGES, type Told, threadOf, told } from './messages.ts'

interface Page {
  readonly chunk: readonly IRoomEvent[]
  readonly end?: string
  readonly next_batch?: string
}

const PAGE = 100

/** @param read makes a message of an event of a room */
export function createHistory(call: Call, read: (room: string, event: Told) => IncomingMessage) {
  /** Events of a conversation, one by one: forward, or backward. */
  async function* events({ channel, thread }: Conversation, from: string | undefined, dir: 'f' | 'b', signal: AbortSignal) {
    const query = { dir, limit: PAGE, ...(thread === undefined && { filter: JSON.stringify({ types: MESSAGES }) }) }
    const path = ['rooms', channel, ...(thread === undefined ? ['messages'] : ['relations', thread, 'm.thread'])]
    const prefix = thread === undefined ? ClientPrefix.V3 : ClientPrefix.V1
    for (let at = from, isFirst = true; isFirst || at !== undefined; isFirst = false) {
      const page: Page = await call(signal, 'Get', path, { query: { ...query, from: at }, prefix })
      yield* page.chunk
      at = thread === undefined ? page.end : page.next_batch
    }
  }

  const history: NonNullable<Platform['history']> = async (conversation, { after, before, limit }, signal) => {
    const { channel, thread } = conversation
    const point = after ?? before
    const path = ['rooms', channel, 'context', point ?? '']
    const around =
      point === undefined ? {} : await call<{ start?: string; end?: string }>(signal, 'Get', path, { query: { limit: 0 } })
    const dir = after === undefined ? 'b' : 'f'
    const found: IncomingMessage[] = []
    for await (const raw of events(conversation, after === undefined ? around.start : around.end, dir, signal)) {
      const event = told(raw)
      const isThere = threadOf(event) === thread && event.content['m.relates_to'].rel_type !== 'm.replace'
      if (isThere && !event.isRedacted && event.event_id !== point && MESSAGES.includes(event.type))
        found.push(read(channel, event))
      if (found.length === limit) break
    }
    return after === undefined ? found.toReversed() : found
  }

  const find: NonNullable<Platform['find']> = async (conversation, { nonce, since }, signal) => {
    for await (const { event_id: id, origin_server_ts: at, unsigned } of events(conversation, undefined, 'b', signal)) {
      if (unsigned?.transaction_id === nonce) return { id }
      if (at < since.getTime() - SKEW) break
    }
    return undefined
  }

  /** One message. `undefined`: it was deleted, or the bot may not see it. */
  const message: NonNullable<Platform['message']> = async ({ channel }, id, signal) => {
    try {
      const event = told(await call<IRoomEvent>(signal, 'Get', ['rooms', channel, 'event', id]))
      return event.isRedacted || !MESSAGES.includes(event.type) ? undefined : read(channel, event)
    } catch (error) {
      if (isRefusal(error, 'M_NOT_FOUND', 'M_FORBIDDEN')) return undefined
      throw error
    }
  }

  return { history, find, message }
}

/** Milliseconds that the clocks of the homeserver and the bot can differ. */
const SKEW = 60_000
