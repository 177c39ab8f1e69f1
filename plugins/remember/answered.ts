import { type Clock, type Conversation, channelOf, type Database } from 'kikimimi'

/** Orders that were answered beside the turn that they came in. */
export interface Answered {
  /** False when it was answered before: a turn that a crash cuts off is taken again. */
  take(conversation: Conversation, message: string): Promise<boolean>
}

/** A turn is not taken again after that. */
const KEPT_MS = 86_400_000

export function createAnswered(db: Database, clock: Clock): Answered {
  return {
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
