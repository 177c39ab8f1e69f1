// postgres: two processes share reminders
/** Several processes of one bot on one Postgres server: each reminder is told once. */
import { type Bot, startBot } from 'kikimimi'
import { openTestDatabase, type TestPlatform, testPlatform, testServer } from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import promises from './index.ts'

const REMINDERS = 12

test.runIf(testServer())('two processes tell each reminder once, also when the one that has planned it ends', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const told: string[] = []
  const processes: { readonly bot: Bot; readonly platform: TestPlatform }[] = []
  for (let at = 0; at < 2; at++) {
    const made = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const platform: TestPlatform = {
      ...made,
      async send(conversation, message, signal) {
        told.push(message.text)
        return made.send(conversation, message, signal)
      },
    }
    const config = { persona: { name: 'kiki' }, pacing: { minWait: 0 }, timeZone: 'UTC', plugins: [promises()] }
    const bot = await startBot(config, { db, platforms: [platform], env: {} })
    if (at === 1) scope.use(bot)
    processes.push({ bot, platform })
  }
  const [first] = processes
  if (!first) throw new Error('no process')
  for (let n = 0; n < REMINDERS; n++) {
    const where = { platform: 'test', workspace: 'team', channel: `c${n}`, name: `c${n}`, visibility: 'public' } as const
    const message = { id: `m${n}`, conversation: where, author: { id: 'alice', name: 'alice' }, at: new Date() }
    await first.bot.receive(first.platform, {
      ...message,
      text: `@kiki remind me in 10 seconds to stretch ${n}`,
      mentions: [{ id: 'bot', name: 'kiki' }],
    })
  }
  const waiting = async () => (await db.query('select 1 from promises.reminder where told_at is null')).rowCount
  const reminders = () => told.filter(text => text.startsWith('⏰ alice:'))
  const confirmed = () => told.filter(text => text.includes('· no. '))
  await vi.waitFor(() => expect(confirmed()).toHaveLength(REMINDERS), { timeout: 60_000, interval: 50 })
  await first.bot.stop()
  await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 120_000, interval: 100 })
  await vi.waitFor(() => expect(reminders()).toHaveLength(REMINDERS), { timeout: 60_000, interval: 50 })
  expect(new Set(reminders()).size).toBe(REMINDERS)
})
