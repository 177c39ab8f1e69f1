/**
 * Sends ended turns to watchers, each once, from this process and from others on the same server. Without watchers there is
 * no
 * query.
 */
import { type PluginContext, RecentMap, sleep } from 'kikimimi'
import { turns } from '../history/turns.ts'
import type { Feed } from '../server/feed.ts'

export interface TurnFeed {
  /** A turn of this process has ended. */
  done(turn: string): void
  /** A watcher connects. Turns that are not in the database when this resolves will be sent. */
  begin(): Promise<void>
}

/**
 * Time in which turns are collected and then read together, in milliseconds. At 1,000 turns a minute, a read each 250 ms raised the 95th
 * percentile of a turn on PGlite from 15 to 20 ms.
 */
const GATHER = 1_000

/** Milliseconds between two queries for turns of other processes. */
const LOOK = 1_000

/** Milliseconds after which a turn with a lower number is certainly committed. */
const COMMITTED = 10_000

/** Maximum number of turns per read. Others are shown when the page is opened again. */
const MOST = 500

/** Number of turns that are remembered as sent. */
const TOLD = 5_000

interface Numbered {
  readonly seq: number
  readonly turn: string
}

export function createTurnFeed(
  ctx: Pick<PluginContext, 'db' | 'clock' | 'log' | 'use'>,
  feed: Feed,
  signal: AbortSignal,
): TurnFeed {
  const told = new RecentMap<true>(TOLD)
  const waiting = new Set<string>()
  let telling = false

  function add(turn: string): void {
    if (told.has(turn) || waiting.size >= MOST) return
    remember(turn)
    waiting.add(turn)
    if (!telling) void tell()
  }

  /** The first at once, later ones together. */
  async function tell(): Promise<void> {
    telling = true
    try {
      while (waiting.size > 0) {
        const now = [...waiting]
        waiting.clear()
        const found = await turns(ctx, { turns: now, limit: now.length })
        feed.tell(...found.toReversed().map(turn => ({ type: 'turn' as const, turn })))
        await sleep(ctx.clock, GATHER, signal)
      }
    } catch (error) {
      failed(error)
    } finally {
      // In the same tick as the last check: no turn can be added in between.
      telling = false
    }
  }

  function remember(turn: string): void {
    told.set(turn, true)
  }

  const failed = (error: unknown) => {
    if (!signal.aborted) ctx.log.debug('turns could not be shown as they came', { error })
  }

  // ------------------------------------------------------------ of other processes

  /** Recent numbers with the time they were seen, oldest first. All numbers up to `low` have been seen. */
  const seen = new Map<number, number>()
  let low: number | undefined
  let watching: Promise<void> | undefined

  function see(rows: readonly Numbered[]): void {
    for (const { seq } of rows) seen.set(seq, ctx.clock.now())
  }

  /** The page reads existing turns itself. */
  async function mark(): Promise<void> {
    const { rows } = await ctx.db.query<Numbered>(`select seq, turn from kikimimi_v1.trace order by seq desc limit ${MOST}`)
    seen.clear()
    see(rows)
    for (const { turn } of rows) remember(turn)
    low = rows.length < MOST ? 0 : rows.at(-1)?.seq
  }

  async function look(): Promise<void> {
    if (low === undefined) return mark()
    for (const [seq, at] of seen) {
      if (ctx.clock.now() - at < COMMITTED) break
      seen.delete(seq)
      low = Math.max(low, seq)
    }
    const { rows } = await ctx.db.query<Numbered>(
      `select seq, turn from kikimimi_v1.trace where seq > $1 and seq <> all($2::bigint[]) order by seq limit ${MOST}`,
      [low, [...seen.keys()]],
    )
    see(rows)
    for (const { turn } of rows) add(turn)
  }

  async function watch(): Promise<void> {
    for (;;) {
      await sleep(ctx.clock, LOOK, signal)
      if (!feed.watched) break
      await look().catch(failed)
    }
    low = undefined
    watching = undefined
  }

  return {
    done(turn) {
      if (feed.watched) add(turn)
    },

    async begin() {
      if (ctx.db.kind !== 'postgres') return
      watching ??= mark()
        .catch(failed)
        .then(() => void watch().catch(failed))
      await watching
    },
  }
}
