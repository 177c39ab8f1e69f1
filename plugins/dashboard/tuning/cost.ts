/** What the replayed messages have cost, and would have cost with the changed options. */
import type { ChannelReplay, ReplaySide } from '@kikimimi/replay'
import type { Database } from 'kikimimi'
import type { ReplayCost } from './views.ts'

type Replay = Pick<ChannelReplay, 'from' | 'to' | 'today' | 'changed'>

interface Spent {
  readonly role: string
  readonly tokens: number
  readonly cost: number | null
}

/**
 * The calls of the channel in the hours of the messages. The roles `judge` and `chat` are scaled by the number of judge calls and of answers
 * in the two replays; options change no other role.
 */
export async function costOf(db: Database, channel: string, { from, to, today, changed }: Replay): Promise<ReplayCost> {
  const { rows } = await db.query<Spent>(
    `select role, sum((input_tokens + output_tokens)::float8) as tokens, sum(cost) as cost from kikimimi_v1.model_use
     where place = $1 and hour >= date_trunc('hour', $2::timestamptz, 'UTC') and hour <= $3 group by role`,
    [channel, from, to],
  )
  const priced = rows.some(({ cost }) => cost !== null)
  const roles = rows.map(({ role, tokens, cost }) => {
    const spent = priced ? (cost ?? 0) : tokens
    const count = COUNTS[role]
    return { role, today: spent, changed: count ? scaled(spent, count(today), count(changed)) : spent }
  })
  return { priced, roles: roles.toSorted((a, b) => b.today - a.today) }
}

const COUNTS: Readonly<Record<string, (side: ReplaySide) => number>> = {
  judge: ({ turns, recorded }) => turns.asked + recorded,
  chat: ({ turns }) => turns.ack + turns.full,
}

/** Null: there is nothing to scale. */
function scaled(spent: number, today: number, changed: number): number | null {
  if (today === changed) return spent
  return today === 0 ? null : (spent * changed) / today
}
