import { definePlugin } from 'kikimimi'
import { definePlatform, type PlatformContext } from 'kikimimi/platform'
import { testBot } from 'kikimimi/testing'
import { expect, it } from 'vitest'

it('plugins see each recorded message of a person once: talk, calls and missed ones, none of the bot and none that is dropped', async () => {
  const seen: string[] = []
  let ctx: PlatformContext | undefined
  const platform = definePlatform({
    name: 'place',
    setup(lent) {
      ctx = lent
    },
  })
  const counter = definePlugin({
    name: 'counter',
    setup: () => ({
      filter: ({ text }) => (text === 'spam' ? 'spam' : undefined),
      onRecorded: ({ id, addressed, missed }, { channel }) => void seen.push([channel, id, addressed, missed].join(' ')),
      respond: () => ({ kind: 'text', text: 'yes' }),
    }),
  })
  await using bot = await testBot({ plugins: [platform, counter] })
  await bot.say('alice', 'hello', { id: '1' })
  await bot.say('alice', '@kiki hello', { id: '2', channel: 'news' })
  await bot.say('alice', 'spam', { id: '3' })
  await bot.say('alice', 'hello', { id: '1' })
  const conversation = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
  const missed = {
    id: '4',
    conversation,
    author: { id: 'bob', name: 'bob' },
    text: 'earlier',
    at: new Date(bot.clock.now() - 60_000),
  }
  await ctx?.receive(missed, { missed: true })
  await bot.pass('10s')
  expect(bot.sent).toEqual(['yes'])
  expect(seen).toEqual(['general 1  ', 'news 2 mention ', 'general 4  true'])
})
