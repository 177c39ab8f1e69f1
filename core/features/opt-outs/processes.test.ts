// postgres: other processes know opt-outs
/** Processes that share a database learn of an opt-out at once. Needs a Postgres server. */
import { expect, test } from 'vitest'
import { definePlugin, OptOuts } from '../../api/index.ts'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import { testBot } from '../../testing/test-bot.ts'
import { sharedTestDatabase, testServer } from '../../testing/test-database.ts'
import { testPlatform } from '../../testing/test-platform.ts'

test.runIf(testServer())('an opt-out of one process holds in the other, and its end too', async () => {
  let optOuts: OptOuts | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [OptOuts],
    setup: ctx => {
      optOuts = ctx.use(OptOuts)
    },
  })
  await using bot = await testBot({ storage: 'postgres', plugins: [] })
  const platforms = [testPlatform({ me: bot.platform.me })]
  const log = createLogger({ level: 'error', format: 'lines', write: () => {}, clock: bot.clock })
  const quiet = { clock: bot.clock, db: await sharedTestDatabase(), log, platforms, env: {}, idle: true }
  await using _other = await startBot({ persona: { name: 'kiki' }, plugins: [borrower()] }, quiet)
  const alice = { platform: 'test', id: 'alice' }
  const recorded = async (text: string) => {
    const id = await bot.say('alice', text)
    return (await bot.db.query('select 1 from kikimimi_v1.message where id = $1 and not being_forgotten', [id])).rowCount === 1
  }
  expect(await recorded('good morning')).toBe(true)
  await optOuts?.begin([alice], new Date(bot.clock.now()))
  await expect.poll(() => recorded('hello')).toBe(false)
  await optOuts?.end([alice], new Date(bot.clock.now()))
  await bot.pass('1s')
  await expect.poll(() => recorded('hello again')).toBe(true)
})
