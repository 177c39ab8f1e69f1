/** Stores which facts were brought up where, and the plans. */
import { MessageLog, type PluginContext } from 'kikimimi'
import type { Options } from './options.ts'
import { type Reached, reached } from './reached.ts'

/** A fact that was brought up, or is about to be. */
export interface Shared {
  /** The conversation without its thread. */
  readonly channel: string
  readonly fact: number
  readonly conversation: string
  readonly turn: string
  readonly at: Date
}

export interface Plan {
  readonly fact: number
  /** The last message of the batch of the decision. */
  readonly message: string
  /** The model declined. */
  readonly declined: boolean
  readonly at: Date
}

const DAY = 24 * 60 * 60_000

/** Maximum interval. Ignored facts double it. */
const MAX_INTERVAL_MS = 7 * DAY

export type SharedFacts = ReturnType<typeof createShared>

export function createShared({ db, clock, use }: Pick<PluginContext, 'db' | 'clock' | 'use'>, options: Options) {
  const log = use(MessageLog)
  const { interval, perDay } = options
  const maxInterval = Math.max(interval, MAX_INTERVAL_MS)

  /** Whether a limit of the day is reached, in this channel or in total. */
  async function isEnough(channel: string): Promise<boolean> {
    const { rows } = await db.query<{ here: number; all: number }>(
      `select count(*) filter (where channel = $1)::int as here, count(*)::int as all from proactive.shared where at > $2`,
      [channel, new Date(clock.now() - DAY)],
    )
    const [{ here, all } = { here: 0, all: 0 }] = rows
    return here >= perDay.channel || all >= perDay.bot
  }

  async function sinceLast(channel: string): Promise<number> {
    const { rows } = await db.query<{ at: Date | null }>('select max(at) as at from proactive.shared where channel = $1', [
      channel,
    ])
    const at = rows[0]?.at
    return at ? clock.now() - at.getTime() : Number.POSITIVE_INFINITY
  }

  /** Number of ignored remarks in a row, counted from the last one. */
  async function ignored(channel: string): Promise<number> {
    const { rows } = await db.query<Reached & { turn: string; reacted: boolean }>(
      `select turn, channel, conversation, sent, reacted from proactive.shared
       where channel = $1 and sent is not null order by at desc limit $2`,
      [channel, Math.ceil(Math.log2(maxInterval / Math.max(1, interval))) + 1],
    )
    for (const [count, { turn, reacted, ...said }] of rows.entries()) {
      if (reacted) return count
      if (!(await reached(log, said))) continue
      await db.query('update proactive.shared set reacted = true where turn = $1', [turn])
      return count
    }
    return rows.length
  }

  return {
    /** Whether the interval has not passed, or a limit of the day is reached. */
    async mustWait(channel: string): Promise<boolean> {
      const since = await sinceLast(channel)
      if (since < interval || (await isEnough(channel))) return true
      return since < maxInterval && since < Math.min(maxInterval, interval * 2 ** (await ignored(channel)))
    },

    /** Those of the facts that were brought up in the channel. */
    async among(channel: string, facts: readonly number[]): Promise<ReadonlySet<number>> {
      const { rows } = await db.query<{ fact: number }>(
        'select fact from proactive.shared where channel = $1 and fact = any($2::bigint[])',
        [channel, facts],
      )
      return new Set(rows.map(({ fact }) => fact))
    },

    /**
     * Called before sending, so that a process that dies does not send twice. Returns false if the fact was already brought
     * up,
     * or another process has just reached the limit.
     */
    mark: ({ channel, fact, conversation, turn, at }: Shared): Promise<boolean> =>
      db.transaction(async () => {
        await db.query('lock table proactive.shared in share row exclusive mode')
        if ((await sinceLast(channel)) < interval || (await isEnough(channel))) return false
        const { rowCount } = await db.query(
          `insert into proactive.shared (channel, fact, conversation, turn, at) values ($1, $2, $3, $4, $5) on conflict do nothing`,
          [channel, fact, conversation, turn, at],
        )
        return rowCount > 0
      }),

    async said(turn: string, sent: readonly string[]): Promise<void> {
      await db.query('update proactive.shared set sent = $2::text[] where turn = $1', [turn, sent])
    },

    /** The remark was certainly not sent. */
    async unsaid(turn: string): Promise<void> {
      await db.query('delete from proactive.shared where turn = $1', [turn])
    },

    async plan(conversation: string): Promise<Plan | undefined> {
      const { rows } = await db.query<Plan>('select fact, message, declined, at from proactive.plan where conversation = $1', [
        conversation,
      ])
      return rows[0]
    },

    async keepPlan(conversation: string, { fact, message, declined, at }: Plan): Promise<void> {
      await db.query(
        `insert into proactive.plan (conversation, fact, message, declined, at) values ($1, $2, $3, $4, $5)
         on conflict (conversation) do update
         set fact = excluded.fact, message = excluded.message, declined = excluded.declined, at = excluded.at`,
        [conversation, fact, message, declined, at],
      )
    },

    async forget(facts: readonly number[]): Promise<void> {
      await db.query('delete from proactive.shared where fact = any($1::bigint[])', [facts])
      await db.query('delete from proactive.plan where fact = any($1::bigint[])', [facts])
    },

    async sweep(): Promise<void> {
      await db.query('delete from proactive.plan where at <= $1', [new Date(clock.now() - DAY)])
    },
  }
}
