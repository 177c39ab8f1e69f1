/** Reads updates from Telegram. It keeps them for a day, until a later call confirms them. */
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { type Clock, KikimimiError, type Logger, sleep } from 'kikimimi'
import { call, isRefusal } from './calls.ts'

/** The most that Telegram gives at once. */
const PAGE = 100
/** Seconds that Telegram waits for an update. */
const WAIT = 50
/** Milliseconds before another attempt, when Telegram does not name a time. */
const AGAIN = 3_000
const KINDS = ['message', 'edited_message', 'message_reaction'] as const

export interface ReadOptions {
  readonly api: Api
  readonly clock: Clock
  readonly log: Logger
  /** Takes one update. `isMissed`: it was waiting when the bot came. Rejects when it must be taken again. */
  take(update: Update, isMissed: boolean): Promise<void>
  /** The connection is lost, with the reason, or it is back. */
  changed(problem: string | undefined): void
  /** The token is no longer valid. */
  fail(error: Error): void
}

/** Reads until the signal aborts. An update is confirmed when the bot has recorded it, so one can come twice. */
export async function readUpdates({ api, clock, log, take, changed, fail }: ReadOptions, signal: AbortSignal): Promise<void> {
  let offset = 0
  let isMissed = true
  while (!signal.aborted) {
    try {
      const wanted = { offset, limit: PAGE, timeout: isMissed ? 0 : WAIT, allowed_updates: KINDS }
      const updates = await call(signal, inTime => api.getUpdates(wanted, inTime))
      changed(undefined)
      // Chats do not wait for each other.
      const chats = Object.values(Object.groupBy(updates, chatOf))
      await Promise.all(
        chats.map(async (ofChat = []) => {
          for (const update of ofChat) await take(update, isMissed)
        }),
      )
      offset = Math.max(offset, ...updates.map(({ update_id }) => update_id + 1))
      if (updates.length < PAGE) isMissed = false
    } catch (error) {
      if (signal.aborted) return
      if (isRefusal(error, /: 401 /)) {
        fail(
          new KikimimiError('PLATFORM_LOST', 'Telegram does not accept the token any more. Set TELEGRAM_TOKEN to the new one.'),
        )
        return
      }
      const told = error instanceof Error ? error.message : 'unknown'
      log.warn(`no messages arrive: ${told}`)
      changed(told)
      await sleep(clock, (error as { readonly retryAfterMs?: number }).retryAfterMs ?? AGAIN, signal).catch(() => {})
    }
  }
}

function chatOf({ message, edited_message: edited, message_reaction: reaction }: Update): string {
  return String((message ?? edited ?? reaction)?.chat.id)
}
