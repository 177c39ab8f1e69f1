/** What was said on other platforms, told once it is recorded: what a filter drops is nobody's to read. */
import { type Conversation, conversationId, type IncomingMessage, type PluginContext, sleep } from 'kikimimi'
import { messagesById, placeView } from '../history/turns.ts'
import type { Feed } from '../server/feed.ts'

/** Milliseconds between two looks, each for all that has arrived. */
const LOOK = 250

/** So often it is looked for. What is recorded later is told with its turn. */
const LOOKS = 6

/** Looked for at once. In a flood some are told with their turn alone. */
const AT_ONCE = 200

interface Sought {
  readonly channel: string
  readonly id: string
  readonly where: Conversation
  looks: number
}

export function createHeard(ctx: Pick<PluginContext, 'db' | 'clock' | 'log'>, feed: Feed, signal: AbortSignal) {
  const sought = new Map<string, Sought>()
  let looking = false

  async function look(): Promise<void> {
    looking = true
    try {
      while (sought.size > 0) {
        await sleep(ctx.clock, LOOK, signal)
        const found = await messagesById(ctx.db, [...sought.values()])
        for (const [key, one] of sought) {
          const message = found.get(key)
          if (message || ++one.looks >= LOOKS || !feed.watched) sought.delete(key)
          if (message && !message.deleted) feed.tell({ type: 'message', place: placeView(one.where), message })
        }
      }
    } catch (error) {
      sought.clear()
      ctx.log.debug('messages could not be shown as they came', { error })
    } finally {
      // In the same breath as the last look at what is sought: nothing is added in between and left there.
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
