// postgres: two processes share a quota
import { afterEach, describe, expect, test } from 'vitest'
import { type ChatModel, definePlugin } from '../../api/index.ts'
import { startBot } from '../../bot/bot.ts'
import { openTestDatabase, type TestBot, testBot, testPlatform, testServer } from '../../testing/index.ts'

/** Takes 1,000 tokens for each request, and is booked with less than 100 more. */
const model: ChatModel = {
  name: 'meter',
  generate: async () => ({ text: 'An answer.', toolCalls: [], inputTokens: 900, outputTokens: 100 }),
}

const answers = definePlugin({
  name: 'answers',
  setup: ctx => ({
    respond: async turn => {
      const messages = [{ role: 'user' as const, text: turn.message.text }]
      return { kind: 'text', text: await ctx.models.text('chat', { system: '', messages, maxTokens: 50, turn }) }
    },
    commands: [
      {
        name: 'haiku',
        does: { en: 'writes a haiku' },
        permission: 'everyone',
        run: () => ctx.models.text('chat', { system: '', messages: [{ role: 'user', text: 'a haiku' }], maxTokens: 50 }),
      },
    ],
  }),
})

const kiki = (options: Parameters<typeof testBot>[0] = {}) =>
  testBot({ storage: 'pglite', plugins: [answers], models: { chat: model }, pacing: { jitter: 0 }, ...options })

/** What a person sees after a call. */
async function calls(bot: TestBot, author: string, channel = 'general', text = '@kiki help') {
  const before = bot.posted.length
  await bot.say(author, text, { channel })
  return bot.posted.slice(before).map(one => (one.kind === 'text' ? one.text : one.emoji))
}

describe.each(['memory', 'pglite'] as const)('in %s', storage => {
  test('a person over quota sees one emoji in an hour, and then nothing; others are answered', async () => {
    await using bot = await kiki({ storage, access: { callsPerHour: 2 } })
    expect(await calls(bot, 'alice')).toEqual(['An answer.'])
    expect(await calls(bot, 'alice', 'dev')).toEqual(['An answer.'])
    expect(await calls(bot, 'alice')).toEqual(['⏳'])
    expect(await calls(bot, 'alice', 'dev')).toEqual([])
    expect((await bot.trace()).decision).toMatchObject({
      kind: 'silent',
      why: 'access.callsPerHour: 2 calls of one person',
      plugin: 'kikimimi-access',
    })
    expect(await bot.command('alice', 'why')).toContain('access.callsPerHour: 2 calls of one person')
    expect(await bot.command('alice', 'haiku')).toMatch(/^You have used up what one person may use/)
    expect(await bot.command('alice', 'haiku', { locale: 'ja' })).toContain('使い切りました')
    expect(await calls(bot, 'bob')).toEqual(['An answer.'])
    await bot.pass('1h')
    expect(await calls(bot, 'alice')).toEqual(['An answer.'])
  })

  test('the tokens of a person, in commands too', async () => {
    await using bot = await kiki({ storage, access: { tokensPerHour: 2_500 } })
    expect(await calls(bot, 'alice')).toEqual(['An answer.'])
    expect(await bot.command('alice', 'haiku')).toBe('An answer.')
    await bot.pass('1m')
    // The second is booked before it is known to be too much, so this one is refused by the model's budget.
    expect(await calls(bot, 'alice')).toEqual(['An answer.'])
    expect(await calls(bot, 'alice')).toEqual(['⏳'])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'access.tokensPerHour: 2500 tokens of one person' })
    expect(await calls(bot, 'alice')).toEqual([])
    expect((await bot.trace()).decision).toMatchObject({ kind: 'silent', why: 'access.tokensPerHour: 2500 tokens of one person' })
    expect(await calls(bot, 'bob')).toEqual(['An answer.'])
  })

  // A call takes 1,000 tokens.
  test.each(storage === 'memory' ? [{ times: 1_000, tokens: 200_000 }] : [{ times: 100, tokens: 20_000 }])(
    '$times calls of one person leave nine tenths of the budget of the channel to twenty others',
    async ({ times, tokens }) => {
      await using bot = await kiki({ storage, budget: { channel: { hour: { tokens } } } })
      for (let at = 0; at < times; at++) await bot.say('alice', '@kiki help')
      const mine = bot.sent.length
      expect(bot.posted.filter(({ kind }) => kind === 'reaction')).toHaveLength(1)
      expect((await bot.trace()).decision?.why).toBe('budget.channel.share: 10 % of what the channel may spend in this hour')
      let others = 0
      for (let at = 0; at < tokens / 1_000; at++) if ((await calls(bot, `p${at % 20}`)).includes('An answer.')) others++
      expect({ mine, others }).toEqual({ mine: tokens / 10_000, others: (9 * tokens) / 10_000 })
    },
  )
})

test('a share that is smaller than one call is one call', async () => {
  await using bot = await kiki({ budget: { channel: { hour: { tokens: 3_000 } } } })
  expect(await calls(bot, 'alice')).toEqual(['An answer.'])
  expect(await calls(bot, 'alice')).toEqual(['⏳'])
  expect(await calls(bot, 'bob')).toEqual(['An answer.'])
})

test('a direct conversation has no others', async () => {
  await using bot = await kiki({ budget: { channel: { hour: { tokens: 5_500 } } } })
  for (let at = 0; at < 5; at++) await bot.say('alice', 'help', { channel: 'alice', visibility: 'direct' })
  expect(bot.sent).toHaveLength(5)
})

test('a share of 1 leaves nothing to others', async () => {
  await using bot = await kiki({ budget: { channel: { hour: { tokens: 5_500 }, share: 1 } } })
  for (let at = 0; at < 5; at++) await bot.say('alice', '@kiki help')
  expect(bot.sent).toHaveLength(5)
})

test('a place has its own quota', async () => {
  await using bot = await kiki({ access: { callsPerHour: 1, channels: { help: { callsPerHour: 100 } } } })
  expect(await calls(bot, 'alice', 'help')).toEqual(['An answer.'])
  expect(await calls(bot, 'alice', 'help')).toEqual(['An answer.'])
  expect(await calls(bot, 'alice')).toEqual(['⏳'])
})

test('talk that is ignored costs no more statements with rules, quotas and budgets', async () => {
  const spent: number[] = []
  const rules = {
    access: { call: ['admins'], callsPerHour: 5, tokensPerHour: 50 },
    budget: { channel: { hour: { tokens: 9 } } },
  } as const
  for (const options of [{}, rules]) {
    await using bot = await kiki(options)
    await bot.say('alice', 'hello')
    await bot.pass('1m')
    const before = bot.db.statements
    for (let at = 0; at < 10; at++) await bot.say('alice', `it rains ${at}`)
    await bot.pass('1m')
    spent.push(bot.db.statements - before)
  }
  expect(spent[1]).toBe(spent[0])
})

test('what is counted of a person is deleted with the person', async () => {
  await using bot = await kiki({ access: { callsPerHour: 5 }, budget: { channel: { hour: { tokens: 100_000 } } } })
  await calls(bot, 'alice')
  await calls(bot, 'bob')
  const people = async () =>
    (await bot.db.query<{ scope: string }>(`select scope from kikimimi.spending where scope like '%@%'`)).rows
  expect((await people()).map(({ scope }) => scope).toSorted()).toEqual([
    'test/team/general@alice',
    'test/team/general@bob',
    'test@alice',
    'test@bob',
  ])
  await bot.bot.forget({ platform: 'test', id: 'alice' })
  expect((await people()).map(({ scope }) => scope).toSorted()).toEqual(['test/team/general@bob', 'test@bob'])
})

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

test.runIf(testServer())('two processes share the quota of a person', async () => {
  const db = await openTestDatabase()
  open.push({ [Symbol.asyncDispose]: () => db.close() })
  const start = async () => {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = { persona: { name: 'kiki' }, plugins: [answers], models: { chat: model }, access: { callsPerHour: 5 } }
    const bot = await startBot(config, { db, platforms: [platform], env: {} })
    open.push(bot)
    return { bot, platform }
  }
  const processes = [await start(), await start()]
  for (let at = 0; at < 10; at++) {
    const { bot, platform } = processes[at % 2] ?? {}
    if (!bot || !platform) continue
    const conversation = { platform: 'test', workspace: 'team', channel: `c${at}`, name: `c${at}`, visibility: 'public' } as const
    const author = { id: 'alice', name: 'alice' }
    await bot.receive(platform, {
      id: `m${at}`,
      conversation,
      author,
      text: '@kiki help',
      at: new Date(),
      mentions: [platform.me],
    })
  }
  const posted = () => processes.flatMap(({ platform }) => platform.posted)
  await expect.poll(async () => (await processes[0]?.bot.traces(100))?.length, { timeout: 30_000 }).toBe(10)
  expect(posted().filter(({ kind }) => kind === 'text')).toHaveLength(5)
  expect(posted().filter(({ kind }) => kind === 'reaction')).toHaveLength(1)
})
