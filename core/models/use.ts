/** Keeps what models were used for, in counters of an hour. Background work is in them; it has no trace. */
import { type Conversation, channelOf, type Database, type ModelCall } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'

export interface ModelUse {
  /** Adds an ended call. @param conversation absent: the call was for the whole bot */
  add(call: ModelCall, conversation: Conversation | undefined): Promise<void>
  /** Deletes the counters of old hours. */
  sweep(): Promise<void>
}

/** Thirteen months, so that a month can be compared with that of the year before. */
const KEPT_MS = 400 * 24 * 60 * 60_000

/** The place of all direct messages. How much one person talks to the bot is not kept. */
const DIRECT = 'direct'

export function createModelUse(db: Database, clock: Clock): ModelUse {
  return {
    async add({ role, plugin = '', model, inputTokens, outputTokens, ms, cost = null, error }, conversation) {
      const place = !conversation ? '' : conversation.visibility === 'direct' ? DIRECT : channelOf(conversation)
      const failed = error === undefined ? 0 : 1
      await db.query(ADD, [new Date(clock.now()), place, role, plugin, model, failed, inputTokens, outputTokens, ms, cost])
    },

    async sweep() {
      await db.query('delete from kikimimi.model_use where hour < $1', [new Date(clock.now() - KEPT_MS)])
    },
  }
}

const ADD = `
  insert into kikimimi.model_use as u (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  values (kikimimi.hour_of($1), $2, $3, $4, $5, 1, $6, $7, $8, $9, $10)
  on conflict (hour, place, role, plugin, model) do update set
    calls = u.calls + 1, failed = u.failed + excluded.failed, input_tokens = u.input_tokens + excluded.input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens, ms = u.ms + excluded.ms,
    cost = coalesce(u.cost + excluded.cost, u.cost, excluded.cost)`
