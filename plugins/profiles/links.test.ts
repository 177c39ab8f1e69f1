import { type IncomingMessage, KikimimiError } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { type Borrowed, borrowedProfiles, key, place } from './test-people.ts'

/** A bot on two platforms. */
async function onTwoPlatforms() {
  const borrowed = borrowedProfiles()
  const bot = await testBot({ plugins: borrowed.plugins })
  let count = 0
  return {
    ...borrowed,
    bot,
    async say(platform: string, author: string, text: string, more: Partial<IncomingMessage['conversation']> = {}) {
      const { id: _, ...conversation } = place('general', { platform, ...more })
      const at = new Date(bot.clock.now())
      // The platform is the same test platform under another name.
      const heard = { ...bot.platform, name: platform }
      await bot.bot.receive(heard, { id: `m${++count}`, conversation, author: { id: author, name: author }, text, at })
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

test('linked accounts are counted together, and notes of one platform stay there', async () => {
  await using t = await onTwoPlatforms()
  for (let count = 0; count < 4; count++) await t.say('test', 'alice', 'my tomatoes are growing')
  for (let count = 0; count < 3; count++) await t.say('slack', 'U1', 'the merger is on friday', { visibility: 'private' })
  await t.store().note(key('U1', 'slack'), place('general', { platform: 'slack', visibility: 'private' }), { tags: ['merger'] })
  await t.bot.pass('1h')
  expect(await t.known('alice')).toMatchObject({ messages: 4, familiarity: 'stranger' })

  await t.store().link(key('alice'), key('U1', 'slack'))
  expect(await t.known('alice')).toMatchObject({ name: 'alice', messages: 7, familiarity: 'acquaintance' })
  expect(JSON.stringify(await t.known('alice'))).not.toMatch(/merger|slack/)
  const there = place('general', { platform: 'slack', visibility: 'private' })
  const known = await t.store().get(key('U1', 'slack'), there)
  expect(known).toMatchObject({ name: 'U1', messages: 7, topics: ['merger', 'friday'], tags: ['merger'] })
  expect(JSON.stringify(known)).not.toMatch(/tomatoes|test\//)

  await t.store().unlink(key('U1', 'slack'))
  expect(await t.known('alice')).toMatchObject({ messages: 4, familiarity: 'stranger' })
})

describe('links', () => {
  async function links(run: (t: Borrowed & { restart(): Promise<void> }) => Promise<void>) {
    const borrowed = borrowedProfiles()
    await using bot = await testBot({ storage: 'pglite', plugins: borrowed.plugins })
    await run({ ...borrowed, restart: () => bot.restart() })
  }
  const [a, b, c, d] = [key('a'), key('b', 'slack'), key('c', 'discord'), key('d')]

  test('join all accounts of both, and survive a restart', () =>
    links(async ({ store, restart }) => {
      expect(await store().accounts(a)).toEqual([a])
      await store().link(a, b)
      await store().link(c, d)
      await store().link(b, c)
      await store().link(b, c)
      await restart()
      expect(await store().accounts(b)).toEqual([b, c, a, d])
    }))

  test('are removed for one, and for the last remaining one', () =>
    links(async ({ store }) => {
      await store().link(a, b)
      await store().link(b, c)
      await store().unlink(b)
      expect(await store().accounts(a)).toEqual([a, c])
      expect(await store().accounts(b)).toEqual([b])
      await store().unlink(a)
      expect(await store().accounts(c)).toEqual([c])
      await store().unlink(a)
    }))

  test('need two accounts', () =>
    links(async ({ store }) => {
      await expect(store().link(a, key('a'))).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
    }))
})

describe('kikimimi people', () => {
  async function calling() {
    const borrowed = borrowedProfiles()
    const bot = await testBot({ plugins: borrowed.plugins })
    const call = async (args: string, json = false) => {
      const lines: string[] = []
      await bot.bot.command('people', args.split(' ').filter(Boolean), { json, print: line => void lines.push(line) })
      return lines
    }
    return { ...borrowed, bot, call, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }

  test('list shows known people', async () => {
    await using t = await calling()
    expect(await t.call('list')).toEqual(['Nobody is known yet.'])
    await t.bot.say('alice', 'hello')
    await t.bot.say('bob', '@kiki hello')
    await t.bot.say('bob', 'hello', { channel: 'den', visibility: 'private' })
    await t.store().link(key('bob'), key('U1', 'slack'))
    expect(await t.call('list')).toEqual([
      'test:bob = slack:U1  bob  stranger, 2 messages, 1 calls, last seen 2026-01-05',
      'test:alice  alice  stranger, 1 messages, 0 calls, last seen 2026-01-05',
    ])
    expect(await t.call('list --limit 1')).toHaveLength(1)
    expect(JSON.parse((await t.call('list --limit 1', true))[0] ?? '')).toMatchObject({ person: key('bob'), messages: 2 })
  })

  test('show shows everything about one person', async () => {
    await using t = await calling()
    await t.bot.say('bob', 'my tomatoes are growing', { channel: 'den', visibility: 'private' })
    await t
      .store()
      .note(key('bob'), place(), { tags: ['gardener'], personality: 'calm\nand kind', lastConversation: 'Told of tomatoes.' })
    await t.store().link(key('bob'), key('U1', 'slack'))
    await t.bot.pass('1h')
    expect(await t.call('show test:bob')).toEqual([
      'bob (test:bob): stranger',
      '  also slack:U1',
      '  1 messages, 0 calls; last seen 2026-01-05T10:00:00.000Z',
      '  #den 1 (test/team/den)',
      '  last talked about: tomatoes, growing',
      '  tags: gardener',
      '  personality: calm and kind',
      '  last conversation: Told of tomatoes.',
    ])
    expect(JSON.parse((await t.call('show test:bob', true))[0] ?? '')).toMatchObject({ topics: ['tomatoes', 'growing'] })
  })

  test('link and unlink join and separate two people', async () => {
    await using t = await calling()
    expect(await t.call('link test:bob slack:U1')).toEqual(['test:bob = slack:U1'])
    expect(await t.store().accounts(key('bob'))).toHaveLength(2)
    expect(await t.call('unlink test:bob')).toEqual(['test:bob is linked to nobody.'])
    expect(await t.call('link test:bob slack:U1', true)).toEqual([JSON.stringify([key('bob'), key('U1', 'slack')])])
  })

  test.each([
    ['', 'A command is missing.'],
    ['rename test:bob', '"people rename test:bob" is not a command'],
    ['show', '"people show" is not a command'],
    ['show bob', '"bob" is not an ID. An ID is platform:id'],
    ['show test:nobody', 'There is no profile of test:nobody'],
    ['link test:bob', '"people link test:bob" is not a command'],
    ['link test:bob test:bob', 'test:bob cannot be linked to itself'],
    ['list --limit none', '--limit takes a number'],
    ['list --most 3', 'most'],
  ])('"%s" is refused with the remedy', async (args, message) => {
    await using t = await calling()
    const refused = await t.call(args).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(KikimimiError)
    expect(refused).toMatchObject({ code: 'USAGE', message: expect.stringContaining(message) })
    expect(refused).toMatchObject({ message: expect.stringContaining('kikimimi people') })
  })
})
