/** Reminders on Discord, with the real client: whom they ping. */
import addressing from '@kikimimi/addressing'
import discordPlugin from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import promises from '@kikimimi/promises'
import type { Reply, Turn } from 'kikimimi'
import { openTestDatabase, platformBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'

test('a reminder for another person pings that person, and one of the person itself that one', async () => {
  await using opened = new AsyncDisposableStack()
  const discord = opened.use(await startDiscord())
  const db = await openTestDatabase()
  opened.defer(() => db.close())
  const plugins = [discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }), promises(), addressing()]
  const answer = ({ message }: Turn): Reply | undefined =>
    message.text.includes('remind') ? undefined : { kind: 'text', text: 'hello' }
  const { turns } = opened.use(await platformBot({ plugins, answer, timeZone: 'UTC' }, { db }))
  const say = (author: string, text: string) => discord.say({ author, channel: 'general', text })
  say('bob', '@kiki hello')
  await expect.poll(() => discord.posted.length, { timeout: 20_000 }).toBe(1)
  say('alice', '@kiki remind bob in 3 seconds to show @everyone the invoice')
  say('bob', '@kiki remind me in 3 seconds to eat')
  await expect.poll(() => discord.posted.map(({ text }) => text.slice(0, 40)), { timeout: 40_000 }).toHaveLength(5)
  const bob = turns[0]?.message.author.id
  const told = discord.calls.flatMap(({ path, body }) => {
    const { content = '', allowed_mentions: allowed } = (path.endsWith('/messages') ? (body ?? {}) : {}) as {
      content?: string
      allowed_mentions?: unknown
    }
    return content.includes('<@') ? [[content, allowed]] : []
  })
  const alone = { parse: [], users: [bob], replied_user: false }
  expect(told).toHaveLength(2)
  expect(told).toEqual(
    expect.arrayContaining([
      [`⏰ <@${bob}>: show @everyone the invoice (from alice)`, alone],
      [`⏰ <@${bob}>: eat`, alone],
    ]),
  )
}, 90_000)
