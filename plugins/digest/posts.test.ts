// postgres: two processes post each digest once
/** Digests that a channel gets at a time of its choice. */
import { type Bot, startBot } from 'kikimimi'
import {
  openTestDatabase,
  scriptedModel,
  type TestBot,
  type TestBotOptions,
  type TestPlatform,
  testBot,
  testPlatform,
  testServer,
} from 'kikimimi/testing'
import { expect, test, vi } from 'vitest'
import digest from './index.ts'

/** At nine in Tokyo, which is midnight in UTC. */
const daily = { at: '0 9 * * *' }
const down = new Error('503')

const posting = (options: Omit<TestBotOptions, 'plugins'> = {}) =>
  testBot({
    timeZone: 'Asia/Tokyo',
    plugins: [digest({}, { channels: { general: daily } })],
    platform: { links: true },
    model: down,
    ...options,
  })

async function talk(bot: TestBot, decision = 'decision', where: { readonly channel?: string } = {}): Promise<void> {
  await bot.say('bob', 'which colour shall the new logo have?', where)
  await bot.say('carol', 'I like the green one most, it is easy to read', where)
  await bot.say('bob', 'ok, let’s go with green for the logo', { ...where, id: decision })
  await bot.say('dave', 'does anybody know when the office closes on Friday?', where)
  await bot.say('erin', 'the printer on the third floor is broken again', where)
}

test('a channel with a time gets its day once, with its threads, and others get none', async () => {
  await using bot = await posting()
  await talk(bot)
  await bot.say('bob', 'the party is moved, we agreed on Saturday', { thread: 't1' })
  await talk(bot, 'other', { channel: 'random' })
  await bot.pass('13h')
  expect(bot.posted).toEqual([])
  await bot.pass('2h')
  expect(bot.posted).toMatchObject([{ channel: 'general', text: expect.stringMatching(/let’s go with green .*\/decision\)/) }])
  expect(bot.sent[0]).toContain('Saturday')
  await bot.pass('3d')
  expect(bot.posted).toHaveLength(1)
})

test('messages that were received at the same time are all read, in whatever order the database stores them', async () => {
  await using bot = await posting()
  await talk(bot)
  // Postgres writes a row with another indexed value to another place, behind the others.
  for (const by of ['1 second', '-1 second'])
    await bot.db.query(
      'update kikimimi.message set received_at = received_at + $1::interval where seq = (select min(seq) from kikimimi.message)',
      [by],
    )
  await bot.pass('15h')
  expect(bot.sent).toHaveLength(1)
})

test('a day with little talk gets no digest, and the next day gets one', async () => {
  await using bot = await posting({ storage: 'pglite' })
  await bot.say('bob', 'good morning, does the printer work?')
  await bot.pass('1d')
  expect(bot.posted).toEqual([])
  await talk(bot)
  await bot.restart('20h')
  await bot.pass('1m')
  expect(bot.sent).toHaveLength(1)
  expect(bot.sent[0]).not.toContain('does the printer work')
})

test('without a time nothing is posted, and a time of the channel counts until it changes', async () => {
  await using bot = await testBot({ plugins: [digest()], model: down })
  await talk(bot)
  await bot.pass('2d')
  expect(bot.posted).toEqual([])
  await bot.reload({ plugins: [digest({ at: '0 9 * * *' })] })
  await talk(bot, 'second')
  await bot.reload({ plugins: [digest({ at: '0 18 * * *' })] })
  await bot.pass('23h')
  expect(bot.posted).toEqual([])
  await bot.pass('10h')
  expect(bot.posted).toHaveLength(1)
})

test('a posted digest leaves the log when a message that it quotes is deleted', async () => {
  await using bot = await posting()
  await talk(bot)
  await bot.pass('15h')
  const own = async () => {
    const { rows } = await bot.db.query<{ text: string }>('select text from kikimimi_v1.message where own')
    return rows.map(({ text }) => text)
  }
  expect(await own()).toEqual([expect.stringContaining('green')])
  await bot.remove('decision')
  expect(await own()).toEqual([''])
})

test('a message that is deleted while the digest is written is not posted', async () => {
  let writing: () => Promise<void> = async () => {}
  const model = async () => {
    await writing()
    return '- green it is [1] [2] [3]'
  }
  await using bot = await posting({ model: { name: 'slow', generate: async () => ({ text: await model(), toolCalls: [] }) } })
  await talk(bot)
  writing = () => bot.remove('decision')
  await bot.pass('15h')
  expect(bot.sent).toHaveLength(1)
  expect(bot.sent[0]).not.toMatch(/green it is|let’s go/)
  expect(bot.sent[0]).toContain('printer')
})

test('a message that is deleted while its digest is sent takes the digest out of the log', async () => {
  await using bot = await posting()
  await talk(bot)
  const { send } = bot.platform
  Object.assign(bot.platform, {
    async send(...args: Parameters<typeof send>) {
      const posted = await send(...args)
      await bot.remove('decision')
      return posted
    },
  })
  await bot.pass('15h')
  expect(bot.sent).toHaveLength(1)
  expect((await bot.db.query('select 1 from kikimimi_v1.message where own and text <> $1', [''])).rowCount).toBe(0)
})

test('a bot without a planned channel does no repeated work', async () => {
  const dayOf = async (plugins: TestBotOptions['plugins']) => {
    await using bot = await testBot({ storage: 'pglite', model: down, ...(plugins && { plugins }) })
    await bot.say('bob', 'hello')
    await bot.pass('1h')
    const before = bot.db.statements
    await bot.pass('1d')
    return bot.db.statements - before
  }
  expect(await dayOf([digest()])).toBe(await dayOf([]))
})

test('quiet days cost no model call, and a planned digest no statement for each message', async () => {
  const model = scriptedModel('unused')
  await using bot = await posting({ storage: 'pglite', model })
  await using plain = await testBot({ storage: 'pglite', model: down })
  const costOf = async (one: TestBot) => {
    await one.say('bob', 'hello')
    const before = one.db.statements
    for (let at = 0; at < 20; at++) await one.say('bob', `number ${at}`)
    return one.db.statements - before
  }
  // The job queue looks for work now and then.
  expect(await costOf(bot)).toBeLessThan((await costOf(plain)) + 5)
  await bot.pass('2d')
  expect(model.asked).toEqual([])
})

test.runIf(testServer())('two processes post each digest once', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const processes: { bot: Bot; platform: TestPlatform }[] = []
  for (let at = 0; at < 2; at++) {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = { persona: { name: 'kiki' }, models: { chat: scriptedModel(down) }, plugins: [digest({ at: '0 0 1 1 *' })] }
    processes.push({ bot: scope.use(await startBot(config, { db, platforms: [platform], env: {} })), platform })
  }
  const [first] = processes
  if (!first) throw new Error('no process')
  const channels = Array.from({ length: 12 }, (_, at) => `c${at}`)
  const at = new Date(Date.now() - 60_000)
  for (const channel of channels)
    for (const [nth, author] of ['bob', 'carol', 'bob', 'carol', 'dave'].entries()) {
      const conversation = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' } as const
      const text = `the printer number ${nth} is broken`
      await first.bot.receive(first.platform, { id: `m${nth}`, conversation, author: { id: author, name: author }, text, at })
    }
  const planned = async () => (await db.query('select 1 from digest.plan')).rowCount
  await vi.waitFor(async () => expect(await planned()).toBe(channels.length), { timeout: 60_000, interval: 50 })
  await db.query('update digest.plan set at = now()')
  await db.query(`update pgboss.job set start_after = now() where data->>'kind' = 'digest.post'`)
  const posted = () => processes.flatMap(({ platform }) => platform.posted.map(({ channel }) => channel)).toSorted()
  await vi.waitFor(() => expect(posted().length).toBeGreaterThanOrEqual(channels.length), { timeout: 60_000, interval: 50 })
  expect(posted()).toEqual(channels.toSorted())
  expect(await planned()).toBe(0)
})
