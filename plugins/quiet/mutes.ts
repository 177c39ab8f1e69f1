import type { Clock, Database } from 'kikimimi'

/** The channels in which the bot was asked to be quiet. */
export interface Mutes {
  /** Whether the channel is muted now. */
  holds(channel: string): Promise<boolean>
  /** For how long it still is, in milliseconds; 0: it is not. */
  left(channel: string): Promise<number>
  /** @param until milliseconds since the epoch */
  mute(channel: string, until: number): Promise<void>
  lift(channel: string): Promise<void>
}

/** All mutes are kept in memory, for the question comes up in every turn. Where other processes write too, no longer than this. */
const STALE = 1_000

/** A bot is hardly ever asked so often; the oldest is forgotten first. */
const MUTES = 10_000

/** @param db absent when the bot runs in memory alone: then nothing survives a restart */
export function createMutes(db: Database | undefined, clock: Clock): Mutes {
  let until = new Map<string, number>()
  let freshUntil = db ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  let changes = 0
  let reading: Promise<void> | undefined

  async function read(database: Database): Promise<void> {
    const [now, before] = [clock.now(), changes]
    const { rows } = await database.query<{ channel: string; until: Date }>(
      'select channel, until from quiet.mute where until > $1 order by until limit $2',
      [new Date(now), MUTES],
    )
    // What was said meanwhile may be missing in it.
    if (before !== changes) return
    until = new Map(rows.map(row => [row.channel, row.until.getTime()]))
    freshUntil = database.kind === 'pglite' ? Number.POSITIVE_INFINITY : now + STALE
  }

  async function refresh(): Promise<void> {
    if (!db || clock.now() < freshUntil) return
    reading ??= read(db).finally(() => {
      reading = undefined
    })
    await reading
  }

  async function left(channel: string): Promise<number> {
    await refresh()
    return Math.max(0, (until.get(channel) ?? 0) - clock.now())
  }

  return {
    left,
    holds: async channel => (await left(channel)) > 0,

    async mute(channel, end) {
      changes++
      until.delete(channel)
      until.set(channel, end)
      if (until.size > MUTES) until.delete(until.keys().next().value ?? '')
      if (!db) return
      await db.query('delete from quiet.mute where until <= $1', [new Date(clock.now())])
      await db.query(
        'insert into quiet.mute (channel, until) values ($1, $2) on conflict (channel) do update set until = excluded.until',
        [channel, new Date(end)],
      )
    },

    async lift(channel) {
      await refresh()
      if (!until.has(channel)) return
      changes++
      until.delete(channel)
      await db?.query('delete from quiet.mute where channel = $1', [channel])
    },
  }
}
