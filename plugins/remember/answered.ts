import { type Clock, type Conversation, channelOf, type Database } from 'kikimimi'

/**
 * Orders that were answered outside the turn that contains them. A crash or a cancellation can end that turn, and it runs
 * again.
 */
export interface Answered {
  has(conversation: Conversation, message: string): Promise<boolean>
  /** Returns false if the order was answered before. */
  take(conversation: Conversation, message: string): Promise<boolean>
}

/** A turn does not run again after this time. */
const KEPT_MS = 86_400_000

export function createAnswered(db: Database, clock: Clock): Answered {
  return {
    async has(conversation, message) {
      const { rows } = await db.query('select 1 from remember.answered where channel = $1 and message = $2', [
        channelOf(conversation),
        message,
      ])
      return rows.length > 0
    },

    async take(conversation, message) {
      await db.query('delete from remember.answered where at < $1', [new Date(clock.now() - KEPT_MS)])
      const { rowCount } = await db.query(
        'insert into remember.answered (channel, message, at) values ($1, $2, $3) on conflict do nothing',
        [channelOf(conversation), message, new Date(clock.now())],
      )
      return rowCount > 0
    },
  }
}
