/** Reads from a platform's history what was said while nobody listened. */
import { reason } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Conversation, IncomingMessage, Platform } from '../plugin.ts'
import type { Heard, Store } from '../store.ts'
import { cleanConversation } from './incoming.ts'

/** Conversations that are read again, those heard last. */
const CONVERSATIONS = 200
/** Messages of one conversation, and of one request. */
const MESSAGES = 500
const PAGE = 100
/** How far the platform's clock and ours may lie apart. What is read twice is recorded once. */
const SKEW = 60_000

export interface CatchUpOptions {
  readonly store: Store
  readonly log: Logger
  readonly stopping: AbortSignal
  /** Takes one in that was missed. */
  take(platform: Platform, message: IncomingMessage): Promise<boolean>
}

/** See `App.bookmark`. */
export function createBookmark({ store, log, stopping, take }: CatchUpOptions) {
  async function read(platform: Platform, conversation: Conversation, last: string): Promise<number> {
    let after = last
    let count = 0
    while (count < MESSAGES) {
      const page = (await platform.history?.(conversation, { after, limit: PAGE }, stopping)) ?? []
      for (const message of page) await take(platform, message)
      count += page.length
      const newest = page.at(-1)
      if (!newest || page.length < PAGE) return count
      after = newest.id
    }
    log.warn('much was missed: what is older than the newest messages read stays unread', {
      conversation: conversation.id,
      read: count,
    })
    return count
  }

  /** Where nothing was ever heard there is no last message to begin from, only the time since when nobody listened. */
  async function readNew(platform: Platform, conversation: Conversation, since: Date): Promise<number> {
    const page = (await platform.history?.(conversation, { limit: PAGE }, stopping)) ?? []
    const missed = page.filter(({ at }) => at.getTime() >= since.getTime() - SKEW)
    for (const message of missed) await take(platform, message)
    return missed.length
  }

  async function never(platform: Platform, heard: readonly Heard[]): Promise<readonly Conversation[]> {
    const known = new Set(heard.map(({ conversation }) => conversation.id))
    const open = (await platform.channels?.(stopping)) ?? []
    return open
      .map(cleanConversation)
      .filter(({ id }) => !known.has(id))
      .slice(0, CONVERSATIONS - heard.length)
  }

  return async (platform: Platform): Promise<() => Promise<void>> => {
    if (!platform.history) return async () => {}
    const marks = await store.heard(platform.name, CONVERSATIONS)
    return async () => {
      let count = 0
      const attempt = async (where: string | undefined, run: () => Promise<number>) => {
        try {
          count += await run()
        } catch (error) {
          stopping.throwIfAborted()
          // The channel may be gone, or closed to the bot.
          log.warn(`could not read what was missed: ${reason(error)}`, { platform: platform.name, conversation: where })
        }
      }
      for (const { conversation, last } of marks) await attempt(conversation.id, () => read(platform, conversation, last))
      const [latest] = marks
      // A bot that has heard nothing yet has missed nothing.
      if (latest) {
        await attempt(undefined, async () => {
          for (const conversation of await never(platform, marks)) {
            await attempt(conversation.id, () => readNew(platform, conversation, latest.receivedAt))
          }
          return 0
        })
      }
      if (count > 0) log.info('read what was missed', { platform: platform.name, messages: count })
    }
  }
}
