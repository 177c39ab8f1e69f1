/** Which shards each process of the bot connects, agreed on in their database. */
import { randomUUID } from 'node:crypto'
import type { Clock, Database } from 'kikimimi'

export interface Leases {
  /** To be called every {@link RENEW_MS}. What it returns is this process's own until then. */
  renew(): Promise<Shards>
  /** Takes the turn of the bucket to identify, where Discord allows one every five seconds, or returns the milliseconds to wait for it. */
  takeTurn(bucket: number): Promise<number>
  giveBack(): Promise<void>
}

export interface Shards {
  readonly count: number
  /** Those of this process, by id. */
  readonly own: readonly number[]
}

export const RENEW_MS = 5_000
/** A process that has not renewed for so long is dead, or hears nothing. */
const LEASE_MS = 20_000
/** https://discord.com/developers/docs/events/gateway#sharding-max-concurrency, and a little for the way. */
const IDENTIFY_MS = 5_100

/** @param wanted into how many shards this process would divide the bot */
export function createLeases(db: Database, clock: Clock, wanted: number): Leases {
  const me = randomUUID()
  /** The leases, and since when this process has seen each of them so. */
  let seen = new Map<string, { readonly until: number; readonly since: number }>()

  /** A clock that is wrong sets a lease far ahead. But who lives renews it, and who does not is dead. */
  async function gone(now: number): Promise<readonly string[]> {
    const { rows } = await db.query<{ id: string; until: Date }>('select id, until from discord.process')
    const leases = rows.map(({ id, until }) => ({ id, until: until.getTime() }))
    const before = seen
    const since = (id: string, until: number) => {
      const last = before.get(id)
      return last?.until === until ? Math.min(last.since, now) : now
    }
    seen = new Map(leases.map(({ id, until }) => [id, { until, since: since(id, until) }]))
    return leases.filter(({ id, until }) => Math.min(until, since(id, until) + LEASE_MS) <= now).map(({ id }) => id)
  }

  /** The oldest processes have one more where they do not divide evenly. So nothing moves but to who joins, or from who leaves. */
  async function share(): Promise<Shards & { readonly quota: number }> {
    const now = clock.now()
    await db.query('delete from discord.process where id = any($1)', [await gone(now)])
    await db.query(
      `insert into discord.process (id, until, shards) values ($1, $2, $3) on conflict (id) do update set until = excluded.until`,
      [me, new Date(now + LEASE_MS), wanted],
    )
    const { rows } = await db.query<{ id: string; shards: number }>('select id, shards from discord.process order by place')
    const count = rows[0]?.shards ?? wanted
    const rank = rows.findIndex(({ id }) => id === me)
    await db.query('delete from discord.shard where count <> $1', [count])
    const held = await db.query<{ id: number }>('select id from discord.shard where process = $1 order by id', [me])
    return { count, quota: Math.max(0, Math.ceil((count - rank) / rows.length)), own: held.rows.map(({ id }) => id) }
  }

  return {
    renew: () =>
      db.transaction(async () => {
        // One process at a time: two must not find the same shard free.
        await db.query('lock table discord.process in share row exclusive mode')
        const { count, quota, own } = await share()
        if (own.length > quota) {
          await db.query('delete from discord.shard where id = any($1)', [own.slice(quota)])
          return { count, own: own.slice(0, quota) }
        }
        const { rows } = await db.query<{ id: number }>(
          `insert into discord.shard (id, count, process)
           select id, $1, $2 from generate_series(0, $1::int - 1) as id
           where not exists (select 1 from discord.shard s where s.id = id.id) order by id limit $3
           returning id`,
          [count, me, quota - own.length],
        )
        return { count, own: [...own, ...rows.map(({ id }) => id)].toSorted((a, b) => a - b) }
      }),

    async takeTurn(bucket) {
      const now = clock.now()
      // Nobody's turn was so far ahead: that was a clock, and it is right again.
      const { rowCount } = await db.query(
        `insert into discord.identify as i (bucket, at) values ($1, $2)
         on conflict (bucket) do update set at = $2 where i.at <= $3 or i.at > $4`,
        [bucket, ...[now, now - IDENTIFY_MS, now + IDENTIFY_MS].map(ms => new Date(ms))],
      )
      if (rowCount === 1) return 0
      const { rows } = await db.query<{ at: Date }>('select at from discord.identify where bucket = $1', [bucket])
      return Math.max(1, (rows[0]?.at.getTime() ?? now) + IDENTIFY_MS - now)
    },

    async giveBack() {
      await db.query('delete from discord.process where id = $1', [me])
    },
  }
}
