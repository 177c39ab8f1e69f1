/** Distributes shards and the limit of requests over the processes of the bot, with leases in the database. */
import { randomUUID } from 'node:crypto'
import type { Clock, Database } from 'kikimimi'
import { PER_SECOND } from '../rest/limit.ts'

export interface Leases {
  /** Call it every {@link RENEW_MS}. The result is valid until the next call. */
  renew(): Promise<Shards>
  /** Divides the bot into at least so many shards, in all processes. Each learns it with its next renewal. */
  atLeast(count: number): Promise<void>
  /**
   * Takes the turn of the bucket to identify (Discord allows one per five seconds), or returns the milliseconds to wait.
   */
  takeTurn(bucket: number): Promise<number>
  giveBack(): Promise<void>
}

export interface Shards {
  readonly count: number
  /** Ids of the shards of this process. */
  readonly own: readonly number[]
  /** How many requests a second this process may make. */
  readonly perSecond: number
}

/** Requests a second of a process that does not know of the others: one has just come, or the database does not answer. */
export const FEWEST = 5
export const RENEW_MS = 5_000
/** A process that has not renewed for this long counts as dead or disconnected. */
export const LEASE_MS = 20_000
/** https://discord.com/developers/docs/events/gateway#sharding-max-concurrency, plus latency. */
const IDENTIFY_MS = 5_100

/** @param wanted number of shards into which this process would divide the bot */
export function createLeases(db: Database, clock: Clock, wanted: number): Leases {
  const me = randomUUID()
  /** The leases, and when this process first saw each value. */
  let seen = new Map<string, { readonly until: number; readonly since: number }>()

  let granted = FEWEST

  /** The part of this process in Discord's limit of requests: equal for all, less what other processes still use. */
  async function grant(others: readonly number[]): Promise<number> {
    const part = Math.floor((PER_SECOND - FEWEST) / (others.length + 1))
    const free = PER_SECOND - others.reduce((sum, one) => sum + one, 0)
    const perSecond = Math.max(1, Math.min(part, free))
    await db.query('update discord.process set per_second = $2 where id = $1 and per_second <> $2', [me, perSecond])
    return perSecond
  }

  /** A wrong clock can set a lease far ahead. A live process renews it; one that is never renewed is dead. */
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

  /**
   * If they do not divide evenly, the oldest processes have one more. So shards move only to new processes or from ended
   * ones.
   */
  async function share(): Promise<Shards & { readonly quota: number; readonly isAlone: boolean }> {
    const now = clock.now()
    await db.query('delete from discord.process where id = any($1)', [await gone(now)])
    await db.query(
      `insert into discord.process (id, until, shards) values ($1, $2, $3) on conflict (id) do update set until = excluded.until`,
      [me, new Date(now + LEASE_MS), wanted],
    )
    const { rows } = await db.query<{ id: string; shards: number; used: number }>(
      'select id, shards, per_second as used from discord.process order by place',
    )
    const perSecond = await grant(rows.filter(({ id }) => id !== me).map(({ used }) => used))
    const count = rows[0]?.shards ?? wanted
    const rank = rows.findIndex(({ id }) => id === me)
    await db.query('delete from discord.shard where count <> $1', [count])
    const held = await db.query<{ id: number }>('select id from discord.shard where process = $1 order by id', [me])
    const quota = Math.max(0, Math.ceil((count - rank) / rows.length))
    return { count, quota, own: held.rows.map(({ id }) => id), perSecond, isAlone: rows.length === 1 }
  }

  return {
    async renew() {
      const before = granted
      const shared = await db.transaction(async () => {
        // One process at a time: two must not take the same free shard.
        await db.query('lock table discord.process in share row exclusive mode')
        const { quota, ...mine } = await share()
        const { count, own } = mine
        if (own.length > quota) {
          await db.query('delete from discord.shard where id = any($1)', [own.slice(quota)])
          return { ...mine, own: own.slice(0, quota) }
        }
        const { rows } = await db.query<{ id: number }>(
          `insert into discord.shard (id, count, process)
           select id, $1, $2 from generate_series(0, $1::int - 1) as id
           where not exists (select 1 from discord.shard s where s.id = id.id) order by id limit $3
           returning id`,
          [count, me, quota - own.length],
        )
        return { ...mine, own: [...own, ...rows.map(({ id }) => id)].toSorted((a, b) => a - b) }
      })
      granted = shared.perSecond
      const { isAlone, ...rest } = shared
      // The process that had the larger part may have used it just before.
      return { ...rest, perSecond: isAlone ? granted : Math.min(before, granted) }
    },

    async atLeast(count) {
      await db.query('update discord.process set shards = $1 where shards < $1', [count])
    },

    async takeTurn(bucket) {
      const now = clock.now()
      // No turn can be so far ahead: the clock was wrong and is correct again.
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
