/** Sends messages of other platforms after they are recorded, because dropped messages must not be shown. */
import { type Conversation, conversationId, type IncomingMessage, type PluginContext, sleep } from 'kikimimi'
import { messagesById, placeView } from '../history/turns.ts'
import type { Feed } from '../server/feed.ts'

/** Milliseconds before the first query, in which a message is usually recorded. */
const RECORDED = 250

/** Milliseconds between two queries, each for all messages since the last. */
const LOOK = 1_000

/** Maximum number of queries for a message. If it is recorded later, it appears with its turn. */
const LOOKS = 6

/** Maximum number of messages in a query. Others appear with their turn. */
const AT_ONCE = 200

interface Sought {
  readonly channel: string
  readonly id: string
  readonly where: Conversation
  looks: number
}

export function createHeard(ctx: Pick<PluginContext, 'clock' | 'log' | 'use'>, feed: Feed, signal: AbortSignal) {
  const sought = new Map<string, Sought>()
  let looking = false

  async function look(): Promise<void> {
    looking = true
    try {
      for (let wait = RECORDED; sought.size > 0; wait = LOOK) {
        await sleep(ctx.clock, wait, signal)
        const found = await messagesById(ctx, [...sought.values()])
        for (const [key, one] of sought) {
          const message = found.get(key)
          if (message || ++one.looks >= LOOKS || !feed.watched) sought.delete(key)
          if (message) feed.tell({ type: 'message', place: placeView(one.where), message })
        }
      }
    } catch (error) {
      sought.clear()
      ctx.log.debug('messages could not be shown as they came', { error })
    } finally {
      // In the same tick as the last check: no message can be added in between.
      looking = false
    }
  }

  return ({ id, conversation }: IncomingMessage): void => {
    if (!feed.watched || sought.size >= AT_ONCE) return
    const { thread: _, ...place } = conversation
    const channel = conversationId(place)
    sought.set(`${channel} ${id}`, { channel, id, where: { id: conversationId(conversation), ...conversation }, looks: 0 })
    if (!looking) void look()
  }
}
