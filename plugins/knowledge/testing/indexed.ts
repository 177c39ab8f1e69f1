/** Waits until the sources are read: files and their parser are outside of the clock that a test moves. */
import { setImmediate } from 'node:timers/promises'
import type { TestBot } from 'kikimimi/testing'

/** Milliseconds of real time after which a test has failed. */
const PATIENCE_MS = 60_000

/**
 * Lets time pass until all sources have been read since the beginning of the call.
 * @param pass the time until the next look at the sources
 */
export async function indexed(bot: TestBot, sources: number, pass: '2s' | '1h' = '2s'): Promise<void> {
  const from = new Date(bot.clock.now())
  await bot.pass(pass)
  await until(bot, sources, 'select 1 from knowledge.source where checked_at > $1', [from])
}

/** Lets time pass until a statement has so many rows. */
export async function until(bot: TestBot, rows: number, sql: string, params: readonly unknown[] = []): Promise<void> {
  for (const begun = performance.now(); ; ) {
    const { rowCount } = await bot.db.query(sql, params)
    if (rowCount === rows) return
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`${rowCount} of ${rows} rows: ${sql}\n${bot.log.join('\n')}`)
    await bot.pass('1s')
    await setImmediate()
  }
}
