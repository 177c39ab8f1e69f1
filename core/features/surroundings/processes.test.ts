// postgres: two processes read the surroundings
/** Processes that share a database tell each other what nobody may see any more. Needs a Postgres server. */
import { expect, test } from 'vitest'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import { past, surrounded } from '../../testing/surrounded.ts'
import { sharedTestDatabase, testServer } from '../../testing/test-database.ts'
import { testPlatform } from '../../testing/test-platform.ts'

test.runIf(testServer())(
  'what another process hears of a change leaves the cache, and all of it when a person is forgotten',
  async () => {
    const known = ['one', 'two', 'three'].map((text, index) => past(`p${index}`, text, 9 - index))
    await using here = await surrounded({ storage: 'postgres', platform: { past: known } })
    const { bot, ids } = here
    await bot.say('dave', '@kiki hello')
    expect(ids().earlier).toEqual(['p0', 'p1', 'p2'])

    const platforms = [testPlatform({ me: bot.platform.me })]
    const db = await sharedTestDatabase()
    const log = createLogger({ level: 'error', format: 'lines', write: () => {}, clock: bot.clock })
    const quiet = { clock: bot.clock, db, log, platforms, env: {}, idle: true }
    await using other = await startBot({ persona: { name: 'kiki' }, plugins: [] }, quiet)
    const [{ conversation } = past('', '', 0)] = known
    await other.remove(conversation, 'p0')
    await other.edit(conversation, 'p1', { text: 'II' })
    await expect
      .poll(async () => {
        await bot.say('dave', '@kiki hello')
        return ids().earlier
      })
      .toEqual(['p2'])
    expect(bot.platform.reads).toHaveLength(1)

    await other.forget({ platform: 'test', id: 'zoe' })
    await expect
      .poll(async () => {
        await bot.say('dave', '@kiki what did I miss?')
        return bot.platform.reads.length
      })
      .toBe(2)
  },
)
