/** Waits until the sources are read: files and their parser are outside of the clock that a test moves. */
import type { TestBot } from 'kikimimi/testing'
import { expect, vi } from 'vitest'

/**
 * Lets time pass until all sources have been read since the beginning of the call.
 * @param pass the time until the next look at the sources
 */
export async function indexed(bot: TestBot, sources: number, pass: '2s' | '10m' = '2s'): Promise<void> {
  const from = new Date(bot.clock.now())
  await bot.pass(pass)
  await vi.waitFor(
    async () => {
      await bot.pass('1s')
      const { rowCount } = await bot.db.query('select 1 from knowledge.source where checked_at > $1', [from])
      expect(rowCount).toBe(sources)
    },
    { timeout: 60_000, interval: 20 },
  )
}
