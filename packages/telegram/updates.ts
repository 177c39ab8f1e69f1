/** Reads updates from Telegram. It keeps them for a day, until a later call confirms them. */
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { type KeptConnection, keepConnected, type PlatformContext, takeEvent } from 'kikimimi/platform'
import { call } from './calls.ts'

/** The most that Telegram gives at once. */
const PAGE = 100
/** Seconds that Telegram waits for an update. */
const WAIT = 50
const KINDS = ['message', 'edited_message', 'message_reaction'] as const

/**
 * An update is confirmed when the bot has recorded it, so one can come twice.
 * @param take takes one update. `isMissed`: it was waiting when the bot came
 */
export function readUpdates(
  ctx: PlatformContext,
  api: Api,
  take: (update: Update, isMissed: boolean) => Promise<void>,
): KeptConnection {
  let offset = 0
  let isMissed = true
  return keepConnected(ctx, async (connected, signal) => {
    for (;;) {
      const wanted = { offset, limit: PAGE, timeout: isMissed ? 0 : WAIT, allowed_updates: KINDS }
      const updates = await call(signal, inTime => api.getUpdates(wanted, inTime))
      connected()
      // Chats do not wait for each other.
      const chats = Object.values(Object.groupBy(updates, chatOf))
      await Promise.all(
        chats.map(async (ofChat = []) => {
          for (const update of ofChat) await takeEvent(ctx, () => take(update, isMissed))
        }),
      )
      offset = Math.max(offset, ...updates.map(({ update_id }) => update_id + 1))
      if (updates.length < PAGE) isMissed = false
    }
  })
}

function chatOf({ message, edited_message: edited, message_reaction: reaction }: Update): string {
  return String((message ?? edited ?? reaction)?.chat.id)
}
