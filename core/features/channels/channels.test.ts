import { testBot, testPlatform } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import { Channels, definePlugin } from '../../api/index.ts'

const withChannels = () => {
  const { promise, resolve } = Promise.withResolvers<Channels>()
  return {
    plugin: definePlugin({ name: 'asks', needs: [Channels], setup: ctx => resolve(ctx.use(Channels)) }),
    channels: promise,
  }
}

it('finds a channel by its name, with and without its sign, and by its id', async () => {
  const { plugin, channels } = withChannels()
  await using bot = await testBot({ plugins: [plugin], platform: { channels: ['general', 'Standup'] } })
  const { find } = await channels
  const standup = {
    id: 'test/team/Standup',
    platform: 'test',
    workspace: 'team',
    channel: 'Standup',
    name: 'Standup',
    visibility: 'public',
  }
  for (const name of ['#standup', 'standup', 'Standup', ' #STANDUP ']) expect(await find(name)).toEqual(standup)
  expect(bot.sent).toEqual([])
})

it('finds a channel that is only recorded, and no thread and no direct conversation of that name', async () => {
  const { plugin, channels } = withChannels()
  await using bot = await testBot({ plugins: [plugin] })
  const { find } = await channels
  await expect(find('news')).rejects.toMatchObject({
    code: 'CHANNEL_MISSING',
    message: expect.stringContaining('It can read none now'),
  })
  await bot.say('alice', 'hello', { channel: 'news' })
  await bot.say('alice', 'hello', { channel: 'news', thread: 't1' })
  await bot.say('alice', 'hello', { channel: 'alice', visibility: 'direct' })
  expect((await find('#news')).id).toBe('test/team/news')
  await expect(find('alice')).rejects.toMatchObject({ code: 'CHANNEL_MISSING' })
})

it('a channel of which only threads are recorded has the name that the newest one tells', async () => {
  const { plugin, channels } = withChannels()
  await using bot = await testBot({ plugins: [plugin] })
  const { find } = await channels
  for (const [thread, name] of Object.entries({ t1: 'news', t2: 'bulletin' }))
    await bot.bot.receive(bot.platform, {
      ...{ id: thread, author: { id: 'alice', name: 'alice' }, text: 'hello', at: new Date(bot.clock.now()), attachments: [] },
      conversation: { platform: 'test', workspace: 'team', channel: 'c1', thread, name, visibility: 'public' },
    })
  expect(await find('bulletin')).toMatchObject({ channel: 'c1', name: 'bulletin' })
  await expect(find('news')).rejects.toMatchObject({ code: 'CHANNEL_MISSING' })
})

it('says in setup that it finds channels when the bot runs', async () => {
  const early = definePlugin({
    name: 'early',
    needs: [Channels],
    setup: async ctx => void (await ctx.use(Channels).find('general')),
  })
  await expect(testBot({ plugins: [early] })).rejects.toMatchObject({
    code: 'CHANNEL_MISSING',
    message:
      'There is no channel "general" that the bot can read. It can read none now. Look for channels when the bot runs, not in setup, and invite the bot to the channel.',
  })
})

it('says which names are near when there is no such channel', async () => {
  const { plugin, channels } = withChannels()
  await using _bot = await testBot({
    plugins: [plugin],
    platform: { channels: ['general', 'random', 'standup', 'stand-up', 'a', 'b', 'c'] },
  })
  const { find } = await channels
  await expect(find('#standpu')).rejects.toMatchObject({
    code: 'CHANNEL_MISSING',
    message: 'There is no channel "#standpu" that the bot can read. The nearest names: #standup, #stand-up.',
  })
  await expect(find('weather')).rejects.toThrow('The bot can read: #a, #b, #c, #general, #random, and 2 more.')
})

it('says how to choose among channels of one name, and finds each', async () => {
  const { plugin, channels } = withChannels()
  const other = testPlatform({ me: { id: 'bot', name: 'kiki' }, name: 'other', channels: ['general'] })
  await using bot = await testBot({ plugins: [plugin], morePlatforms: [other] })
  const { find } = await channels
  for (const workspace of ['team', 'club'])
    await bot.say('alice', 'hello', { workspace, details: { workspaceName: `The ${workspace}` } })
  const refused = find('general')
  await expect(refused).rejects.toMatchObject({ code: 'CHANNEL_AMBIGUOUS' })
  await expect(refused).rejects.toThrow('- platform "test", workspace "club" (The club), channel "general"')
  await expect(refused).rejects.toThrow('- platform "other", workspace "team", channel "general"')
  expect((await find('general', { platform: 'other' })).platform).toBe('other')
  expect((await find('general', { platform: 'test', workspace: 'club' })).workspace).toBe('club')
  expect((await find('general', { workspace: 'The team' })).platform).toBe('test')
  await expect(find('general', { platform: 'tset' })).rejects.toMatchObject({ code: 'PLATFORM_MISSING' })
})

it('one platform that does not answer hides no channel of another', async () => {
  const { plugin, channels } = withChannels()
  const broken = {
    ...testPlatform({ me: { id: 'bot', name: 'kiki' }, name: 'other' }),
    channels: () => Promise.reject(new Error('down')),
  }
  await using _bot = await testBot({ plugins: [plugin], platform: { channels: ['general'] }, morePlatforms: [broken] })
  const { find } = await channels
  expect((await find('general')).platform).toBe('test')
  await expect(find('random')).rejects.toThrow('down')
})
