// postgres: the stop reaches other processes
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { definePlugin, type PluginContext, type Turn } from '../../api/index.ts'
import { startBot } from '../../bot/bot.ts'
import { openTestDatabase, type TestBot, testBot, testPlatform, testServer } from '../../testing/index.ts'

const BOSS = { admin: true }

/** Answers every message. */
const eager = (answer: (turn: Turn) => string | Promise<string> = () => 'yes', delayMs = 0) =>
  definePlugin({
    name: 'eager',
    setup: () => ({
      decide: () => ({ kind: 'full', why: 'eager', ...(delayMs && { delayMs }) }),
      respond: async turn => ({ kind: 'text', text: await answer(turn) }),
    }),
  })

const kiki = (options: Parameters<typeof testBot>[0] = {}) =>
  testBot({ plugins: [eager()], pacing: { minWait: '4s', jitter: 0 }, ...options })

/** The answer to a mention. */
async function answered(bot: TestBot, where: Parameters<TestBot['say']>[2] = {}): Promise<readonly string[]> {
  const before = bot.sent.length
  await bot.say('alice', '@kiki hello', where)
  await bot.pass('10s')
  return bot.sent.slice(before)
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5)
}

describe('a stopped bot', () => {
  test.each([
    ['en', 'I am stopped and say nothing more. An admin ends this with /kiki start', 'I may speak again.'],
    ['ja', 'これから何も話しません。管理者が /kiki start と言うと再開します。', 'また話せるようになりました。'],
  ] as const)('posts nothing in that workspace until START: %s', async (locale, stopped, started) => {
    await using bot = await kiki({ locale })
    expect(await bot.command('alice', 'stop', BOSS)).toBe(stopped)
    expect(await answered(bot)).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'silent', decision: { why: 'was told to stop' }, models: [] })
    expect(await answered(bot, { channel: 'dev', thread: 't1' })).toEqual([])
    expect(await answered(bot, { workspace: 'other' })).toEqual(['yes'])
    expect(await bot.command('alice', 'start', BOSS)).toBe(started)
    expect(await answered(bot)).toEqual(['yes'])
  })

  test('shows it in the status', async () => {
    await using bot = await kiki()
    await bot.command('alice', 'stop', BOSS)
    await bot.pass('12m')
    expect(await bot.command('bob', 'status')).toContain('STOPPED by alice, 12 minutes ago: I say nothing until /kiki start.')
    expect(await bot.command('bob', 'status', { locale: 'ja' })).toContain(
      '停止中です（aliceによる、12分前）：/kiki start まで何も話しません。',
    )
  })

  test('does not post delayed answers and earlier requests', async () => {
    await using bot = await kiki({ plugins: [eager(undefined, 60_000)] })
    await bot.say('alice', 'hello')
    await bot.pass('10s')
    expect((await bot.trace()).outcome).toBe('delayed')
    await bot.command('alice', 'stop', BOSS)
    await bot.pass('5m')
    await bot.command('alice', 'start', BOSS)
    await bot.pass('5m')
    expect(bot.posted).toEqual([])
  })

  test('does not post an answer that its model is still making', async () => {
    const thinking = Promise.withResolvers<string>()
    await using bot = await kiki({ plugins: [eager(() => thinking.promise)] })
    const saying = bot.say('alice', '@kiki think hard')
    await until(() => bot.platform.typingNow === 1)
    await bot.bot.chatCommand(given('stop'))
    await saying
    await until(async () => bot.platform.typingNow === 0 && (await bot.traces()).length > 0)
    expect(await bot.trace()).toMatchObject({ outcome: 'cancelled', why: 'was told to stop' })
    await bot.command('alice', 'start', BOSS)
    thinking.resolve('There it is.')
    await bot.say('bob', 'hm')
    expect(bot.posted).toEqual([])
  })

  test('does not post the rest of an answer', async () => {
    const slow = Promise.withResolvers<void>()
    await using bot = await kiki({ plugins: [eager(() => 'one two '.repeat(60))], platform: { textLength: 100 } })
    bot.platform.faults.push(Promise.resolve(), slow.promise)
    const saying = bot.say('alice', '@kiki tell me all')
    await until(() => bot.platform.faults.length === 0)
    await bot.bot.chatCommand(given('stop'))
    await saying
    await bot.command('alice', 'start', BOSS)
    expect(await answered(bot, { channel: 'dev' })).not.toEqual([])
    expect(bot.posted.filter(({ channel }) => channel === 'general')).toHaveLength(1)
  })

  test('does not post with `ctx.send`', async () => {
    let ctx: PluginContext | undefined
    const sender = definePlugin({
      name: 'sender',
      setup: lent => {
        ctx = lent
      },
    })
    await using bot = await kiki({ plugins: [sender] })
    const where = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
    await bot.command('alice', 'stop', BOSS)
    await expect(ctx?.send(where, { kind: 'text', text: 'by the way' }, { sources: 'none' })).rejects.toThrow('was told to stop')
    expect(bot.posted).toEqual([])
  })

  test('stays stopped over a restart, also when its plugins throw', async () => {
    const broken = definePlugin({
      name: 'broken',
      setup: () => ({
        filter: () => undefined,
        score: () => Promise.reject(new Error('no')),
        decide: () => Promise.reject(new Error('no')),
        respond: () => Promise.reject(new Error('no')),
        after: () => Promise.reject(new Error('no')),
      }),
    })
    await using bot = await kiki({ storage: 'pglite', plugins: [broken, eager()] })
    await bot.command('alice', 'stop', BOSS)
    await bot.restart()
    expect(await answered(bot)).toEqual([])
    await bot.command('alice', 'start', BOSS)
    await bot.restart()
    expect(await answered(bot)).toEqual(['yes'])
  })

  test('in a direct conversation is stopped only there', async () => {
    await using bot = await kiki()
    const alone = { channel: 'alice', visibility: 'direct', workspace: '' } as const
    await bot.command('alice', 'stop', { ...alone, ...BOSS })
    expect(await answered(bot, alone)).toEqual([])
    expect(await answered(bot, { ...alone, channel: 'bob' })).toEqual(['yes'])
    expect(await answered(bot)).toEqual(['yes'])
  })

  test('in the workspace is not started in a direct conversation', async () => {
    await using bot = await kiki()
    const alone = { channel: 'alice', visibility: 'direct' } as const
    await bot.command('alice', 'stop', BOSS)
    expect(await bot.command('bob', 'start', { ...alone, ...BOSS })).toMatch(/^I am stopped in the whole workspace/)
    expect(await bot.command('bob', 'start', { ...alone, ...BOSS, locale: 'ja' })).toMatch(/^ワークスペース全体で停止しています/)
    expect(await answered(bot, alone)).toEqual([])
  })
})

describe('a message stops it', () => {
  test.each(['@kiki STOP', 'kiki, STOP!!', '＠kiki ＳＴＯＰ', 'キキ、ストップ', 'キキ黙れ！', '@kiki 停止'])('%s', async text => {
    await using bot = await kiki({ persona: { name: 'kiki', names: ['キキ'] } })
    await bot.say('alice', text, BOSS)
    expect(await answered(bot)).toEqual([])
    await bot.say('alice', text.includes('@') ? '@kiki START' : 'キキ、再開', BOSS)
    await bot.pass('10s')
    expect((await answered(bot)).length).toBeGreaterThan(0)
  })

  test.each([
    ['its own message', 'bot', {}],
    ['another bot', 'echo', { bot: true }],
  ])('and not by %s', async (_who, author, how) => {
    await using bot = await kiki()
    const alone = { channel: 'alice', visibility: 'direct', workspace: '' } as const
    await bot.say(author, 'STOP', { ...alone, ...BOSS, ...how })
    await bot.say(author, '@kiki STOP', { ...BOSS, ...how })
    expect(await bot.command('bob', 'status', alone)).not.toContain('STOPPED')
    expect(await bot.command('bob', 'status')).not.toContain('STOPPED')
    await bot.command('alice', 'stop', BOSS)
    await bot.say(author, '@kiki START', { ...BOSS, ...how })
    expect(await bot.command('bob', 'status')).toContain('STOPPED')
  })

  test('once, even when the message is delivered again', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki STOP', { id: 'stop', ...BOSS })
    await bot.command('alice', 'start', BOSS)
    await bot.say('alice', '@kiki STOP', { id: 'stop', ...BOSS })
    expect(await answered(bot)).not.toEqual([])
  })

  test.each([
    ['@kiki stop', BOSS],
    ['@kiki STOP', {}],
    ['STOP', BOSS],
    ['@bob STOP', BOSS],
    ['@kiki STOP posting so much', BOSS],
    ['@kiki please STOP', BOSS],
  ])('and not by %s, %j', async (text, how) => {
    await using bot = await kiki()
    await bot.say('alice', text, how)
    await bot.pass('10s')
    expect((await answered(bot)).length).toBeGreaterThan(0)
  })
})

describe('when everything else fails', () => {
  test('it stops with a database that does not answer and a model that hangs, and stores it later', async () => {
    await using scope = new AsyncDisposableStack()
    const db = scope.adopt(await openTestDatabase(), opened => opened.close())
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const thinking = Promise.withResolvers<string>()
    const bot = scope.use(
      await startBot(
        { persona: { name: 'kiki' }, plugins: [eager(() => thinking.promise)], pacing: { minWait: 0 } },
        { db, platforms: [platform], env: {} },
      ),
    )
    await bot.receive(platform, { ...MESSAGE, id: 'm1', at: new Date() })
    await until(() => platform.typingNow === 1)

    const held = Promise.withResolvers<void>()
    // The embedded database has one connection, and here it is in use.
    const holding = db.kind === 'pglite' ? db.transaction(() => held.promise) : db.transaction(locked)
    async function locked() {
      await db.query('lock table kikimimi.setting, kikimimi.delivery, kikimimi.message')
      await held.promise
    }
    await sleep(50)
    expect(await bot.chatCommand(given('stop'))).toBe('I am stopped and say nothing more. An admin ends this with /kiki start')
    await until(() => platform.typingNow === 0)
    thinking.resolve('Here I am.')
    const status = await bot.chatCommand(given('status'))
    expect(status).toContain('STOPPED by alice, just now')
    expect(status).toContain('The database has not stored this yet')
    expect(status).toContain('My database does not answer.')
    held.resolve()
    await holding

    await until(async () => (await db.query('select 1 from kikimimi.setting')).rows.length === 1)
    await bot.drained()
    expect(platform.posted).toEqual([])
    expect(await bot.chatCommand(given('status'))).not.toContain('not stored this')
  })

  test('it stops with a database that refuses, and stores it when that is possible', async () => {
    await using bot = await kiki({ storage: 'pglite' })
    await bot.db.query('alter table kikimimi.setting rename to elsewhere')
    await bot.command('alice', 'stop', BOSS)
    expect(await answered(bot)).toEqual([])
    expect(bot.log).toContainEqual(expect.stringContaining('"stopped" could not be stored, and is tried again'))
    await bot.db.query('alter table kikimimi.elsewhere rename to setting')
    await bot.pass('5s')
    await bot.restart()
    expect(await answered(bot)).toEqual([])
  })
})

test.runIf(testServer())('the running turn of another process is cancelled too', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const thinking = Promise.withResolvers<string>()
  const config = { persona: { name: 'kiki' }, plugins: [eager(() => thinking.promise)], pacing: { minWait: 0 } }
  const parts = { db, platforms: [platform], env: {} }
  const bot = scope.use(await startBot(config, parts))
  await bot.receive(platform, { ...MESSAGE, id: 'm1', at: new Date() })
  await until(() => platform.typingNow === 1)
  const other = scope.use(await startBot(config, { ...parts, idle: true }))
  await other.chatCommand(given('stop'))
  await until(() => platform.typingNow === 0)
  thinking.resolve('Here I am.')
  await bot.drained()
  expect(platform.posted).toEqual([])
})

const CONVERSATION = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
const ALICE = { id: 'alice', name: 'alice' }
const MESSAGE = { conversation: CONVERSATION, author: ALICE, text: '@kiki hello', mentions: [{ id: 'bot', name: 'kiki' }] }

/** Alice is an admin. */
function given(text: string) {
  return { conversation: CONVERSATION, person: ALICE, text, moderator: () => true, admin: () => true }
}
