import { cached, type PluginContext, RecentMap } from 'kikimimi'

/** The channels in which people asked the bot to be quiet. */
export interface Mutes {
  /** Whether the channel is muted now. */
  holds(channel: string): Promise<boolean>
  /** Remaining time of the mute in milliseconds; 0: not muted. */
  left(channel: string): Promise<number>
  /** @param until end of the mute, in milliseconds since the epoch */
  mute(channel: string, until: number): Promise<void>
  lift(channel: string): Promise<void>
}

interface Table {
  read(): Promise<ReadonlyMap<string, number>>
  set(channel: string, until: number): Promise<void>
  remove(channel: string): Promise<void>
}

/** Limit of entries in memory. The oldest entry goes first. */
const MUTES = 10_000

export async function createMutes(ctx: Pick<PluginContext, 'db' | 'clock' | 'scope'>): Promise<Mutes> {
  const { clock } = ctx
  const table = ctx.db.kind !== 'none' ? await inDatabase(ctx) : inMemory()
  const left = async (channel: string) => Math.max(0, ((await table.read()).get(channel) ?? 0) - clock.now())

  return {
    left,
    holds: async channel => (await left(channel)) > 0,
    mute: table.set,
    async lift(channel) {
      if ((await table.read()).has(channel)) await table.remove(channel)
    },
  }
}

/** Mutes in the database, cached in memory (see `cached`), because every turn asks for them. */
async function inDatabase(ctx: Pick<PluginContext, 'db' | 'clock' | 'scope'>): Promise<Table> {
  const { db, clock } = ctx
  const mutes = await cached(ctx, 'quiet.mute', async () => {
    const { rows } = await db.query<{ channel: string; until: Date }>(
      'select channel, until from quiet.mute where until > $1 order by until limit $2',
      [new Date(clock.now()), MUTES],
    )
    return new Map(rows.map(({ channel, until }) => [channel, until.getTime()]))
  })

  return {
    read: mutes.read,

    set: (channel, until) =>
      mutes.write(async () => {
        await db.query('delete from quiet.mute where until <= $1', [new Date(clock.now())])
        await db.query(
          'insert into quiet.mute (channel, until) values ($1, $2) on conflict (channel) do update set until = excluded.until',
          [channel, new Date(until)],
        )
      }),

    remove: channel => mutes.write(async () => void (await db.query('delete from quiet.mute where channel = $1', [channel]))),
  }
}

/** Mutes in memory only. They are lost on restart. */
function inMemory(): Table {
  const mutes = new RecentMap<number>(MUTES)
  return {
    read: async () => mutes,

    async set(channel, until) {
      mutes.set(channel, until)
    },

    remove: async channel => void mutes.delete(channel),
  }
}
