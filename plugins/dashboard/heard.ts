/** What was said on other platforms, told once it is recorded: what a filter drops is nobody's to read. */
import { type App, type Conversation, conversationId, type IncomingMessage, sleep } from 'kikimimi'
import type { Feed } from './feed.ts'
import { findMessage } from './past.ts'
import { shown } from './playground.ts'

/** Milliseconds after its arrival at which it is looked for. What is recorded later is told with its turn. */
const LOOKS = [50, 200, 1_000]

/** Looked for at once. In a flood some are told with their turn alone. */
const AT_ONCE = 50

export function createHeard(app: Pick<App, 'db' | 'clock' | 'log'>, feed: Feed, signal: AbortSignal) {
  let looking = 0

  async function look({ id, conversation }: IncomingMessage): Promise<void> {
    const where: Conversation = { id: conversationId(conversation), ...conversation }
    const { thread: _, ...channel } = conversation
    for (const ms of LOOKS) {
      await sleep(app.clock, ms, signal)
      const found = await findMessage(app.db, conversationId(channel), id)
      if (!found || found.deleted) continue
      const { conversation: _, ...message } = found
      feed.tell({ type: 'message', place: shown(where), message })
      return
    }
  }

  return (message: IncomingMessage): void => {
    if (!feed.watched || looking >= AT_ONCE) return
    looking++
    look(message)
      .catch(error => app.log.debug('a message could not be shown as it came', { error }))
      .finally(() => {
        looking--
      })
  }
}
