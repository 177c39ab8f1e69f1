/** A bot that starts while Slack is slow, with a question and an answer of the process before it. */
import { startSlack } from '@kikimimi/slack/testing'
import { systemClock } from 'kikimimi'
import { openTestDatabase } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { mention, startOnSlack, until } from './test-bot.ts'

test('what waits from before the start is sent and answered once Slack has accepted the token', async () => {
  await using ends = new AsyncDisposableStack()
  const db = ends.adopt(await openTestDatabase(), opened => opened.close())
  const slack = ends.use(await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } }))
  const has = async (what: string) => (await db.query(`select 1 from kikimimi.${what}`)).rows.length > 0
  const first = await startOnSlack({ there: slack, parts: { db } })
  slack.fail('chat.postMessage', { rateLimit: true, retryAfter: 60 })
  await slack.say(mention('answered'))
  await until(() => has('delivery where retry_at is not null'))
  await slack.say(mention('asked'))
  await until(() => has(`message where text like '%asked'`))
  await first.bot.stop()
  await db.query('update kikimimi.delivery set retry_at = now()')
  slack.fail('auth.test', { lateMs: 3_000 }, 1)
  // The turn can be due a minute after the first attempt: Slack named that time.
  const clock = { ...systemClock, now: () => Date.now() + 60_000 }
  const second = ends.use(await startOnSlack({ there: slack, parts: { db, clock } }))
  await expect.poll(() => second.texts()).toEqual(['to answered', 'to asked'])
})
