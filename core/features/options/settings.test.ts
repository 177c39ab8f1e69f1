// postgres: processes notify each other of changed settings
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { channelOf, definePlugin, StoredSettings } from '../../api/index.ts'
import { startBot } from '../../bot/bot.ts'
import { openTestDatabase, type TestBot, testBot, testPlatform, testServer, VirtualClock } from '../../testing/index.ts'

/** Answers with its options, and has a command that sets one. */
const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({ volume: z.number().min(0).max(11).default(3), top: z.number().default(11), mood: z.string().default('calm') })
    .refine(({ volume, top }) => volume <= top, { error: 'expected volume up to top', path: ['volume'] })
    .prefault({}),
  scoped: ['volume', 'top'],
  needs: [StoredSettings],
  setup: ctx => ({
    respond: ({ conversation }) => ({ kind: 'text', text: Object.values(ctx.optionsFor(conversation)).join(' ') }),
    commands: [
      {
        name: 'set',
        does: { en: 'sets an option', ja: '設定する' },
        usage: 'KEY [VALUE]',
        permission: 'everyone',
        async run({ conversation, person, words: [key = '', value] }) {
          const setting = { place: channelOf(conversation), plugin: 'telling', key }
          if (value === undefined) await ctx.use(StoredSettings).clear(setting)
          else await ctx.use(StoredSettings).set({ ...setting, value: JSON.parse(value), by: person })
          return ctx
            .use(StoredSettings)
            .list(channelOf(conversation))
            .map(one => `${one.key}=${one.value} by ${one.by.name}`)
            .join(', ')
        },
      },
    ],
  }),
})

const plugin = telling({ volume: 4 }, { channels: { dev: { volume: 1 } }, threads: { t1: { volume: 2 } } })

async function told(bot: TestBot, channel = 'dev', thread?: string): Promise<string | undefined> {
  await bot.say('alice', '@kiki well?', { channel, ...(thread && { thread }) })
  return bot.sent.at(-1)
}

const settings = async (bot: TestBot) => (await bot.db.query('select * from kikimimi.setting')).rows

/** The next such statement reaches the database when the test releases it. */
function holdNext(db: TestBot['db'], which: RegExp): { readonly reached: Promise<void>; release(): void } {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const query = db.query.bind(db)
  Object.assign(db, {
    async query(sql: string, params?: readonly unknown[]) {
      if (which.test(sql)) {
        Reflect.deleteProperty(db, 'query')
        reached.resolve()
        await released.promise
      }
      return query(sql, params)
    },
  })
  return { reached: reached.promise, release: released.resolve }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5)
}

describe('a setting made in the chat', () => {
  test('is the narrowest layer of all, in its channel and its threads', async () => {
    await using bot = await testBot({ plugins: [plugin] })
    expect([await told(bot), await told(bot, 'dev', 't1'), await told(bot, 'ops')]).toEqual([
      '1 11 calm',
      '2 11 calm',
      '4 11 calm',
    ])
    expect(await bot.command('bob', 'set volume 7', { channel: 'dev', thread: 't2' })).toBe('volume=7 by bob')
    expect([await told(bot), await told(bot, 'dev', 't1'), await told(bot, 'ops')]).toEqual([
      '7 11 calm',
      '7 11 calm',
      '4 11 calm',
    ])
    expect(await bot.command('bob', 'set volume', { channel: 'dev' })).toBe('Done.')
    expect(await told(bot)).toBe('1 11 calm')
  })

  test('outlives a restart', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    await bot.command('bob', 'set volume 7', { channel: 'dev' })
    await bot.restart()
    expect(await told(bot)).toBe('7 11 calm')
    expect(bot.bot.settings.list()).toEqual([
      {
        place: 'test/team/dev',
        plugin: 'telling',
        key: 'volume',
        value: 7,
        by: { id: 'bob', name: 'bob' },
        at: expect.any(Date),
      },
    ])
  })

  test.each([
    ['set volume 12', 'cannot set volume to 12: Too big: expected number to be <=11'],
    ['set mood "wild"', 'cannot set mood to "wild": mood is the same everywhere; what can differ: volume, top'],
  ])('is checked: %s', async (command, problem) => {
    await using bot = await testBot({ plugins: [plugin] })
    expect(await bot.command('bob', command, { channel: 'dev' })).toMatch(/^Sorry/)
    expect(bot.log).toEqual([expect.stringContaining(`[telling] ${problem}`)])
    expect(await told(bot)).toBe('1 11 calm')
  })

  test('and no longer fits is left out, with one warning', async () => {
    await using bot = await testBot({ plugins: [plugin] })
    await bot.command('bob', 'set top 5', { channel: 'dev' })
    await bot.command('bob', 'set volume 7', { channel: 'dev' })
    expect([await told(bot), await told(bot)]).toEqual(['1 5 calm', '1 5 calm'])
    expect(bot.log).toEqual([
      expect.stringContaining('[telling] ignores volume, set in the channel by bob on 2026-01-05: expected volume up to top'),
    ])
  })

  test('loses the name of its author after the erasure of that person', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    await bot.command('bob', 'set volume 7', { channel: 'dev', name: 'Bobby' })
    await bot.bot.forget({ platform: 'test', id: 'bob' })
    expect(await told(bot)).toBe('7 11 calm')
    expect(JSON.stringify((await bot.db.query('select * from kikimimi.setting')).rows)).not.toMatch(/bob/i)
  })

  test('loses it also while the STOP of the person is still being stored', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    const held = holdNext(bot.db, /^insert into kikimimi\.setting/)
    await bot.command('bob', 'stop', { admin: true })
    await held.reached
    await bot.bot.forget({ platform: 'test', id: 'bob' })
    held.release()
    await until(async () => (await settings(bot)).length === 1 && !(await bot.command('al', 'status'))?.includes('restart'))
    expect(JSON.stringify(await settings(bot))).not.toMatch(/bob/i)
    expect(await bot.command('al', 'status')).toContain('STOPPED, just now')
  })

  test('is not restored by that when another process has removed it meanwhile', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    await bot.command('bob', 'set volume 7', { channel: 'dev' })
    const held = holdNext(bot.db, /^(?:insert into|update) kikimimi\.setting/)
    const forgetting = bot.bot.forget({ platform: 'test', id: 'bob' })
    await held.reached
    await bot.db.query('delete from kikimimi.setting')
    held.release()
    await forgetting
    expect(await settings(bot)).toEqual([])
  })

  test.each(['set volume 7', 'set volume'])('wins over an earlier one that arrives later: %s', async before => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    await bot.command('bob', 'set volume 5', { channel: 'dev' })
    const held = holdNext(bot.db, /^(?:insert into|delete from) kikimimi\.setting/)
    const late = bot.command('bob', before, { channel: 'dev' })
    await held.reached
    await bot.pass('1s')
    await bot.command('bob', 'set volume 8', { channel: 'dev' })
    held.release()
    expect(await late).toBe('volume=8 by bob')
    await bot.restart()
    expect(await told(bot)).toBe('8 11 calm')
  })

  test('is stored although the clock has been set back', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    await bot.command('bob', 'set volume 5', { channel: 'dev' })
    await bot.db.query(`update kikimimi.setting set at = at + interval '1 hour'`)
    await bot.restart()
    await bot.command('bob', 'set volume 8', { channel: 'dev' })
    await bot.restart()
    expect(await told(bot)).toBe('8 11 calm')
    await bot.command('bob', 'set volume', { channel: 'dev' })
    await bot.restart()
    expect(await told(bot)).toBe('1 11 calm')
  })

  test.skipIf(testServer())('costs no statement with an embedded database', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin] })
    const cost = async () => {
      const before = bot.db.statements
      await told(bot)
      return bot.db.statements - before
    }
    await cost()
    const before = await cost()
    await bot.command('bob', 'set volume 7', { channel: 'dev' })
    await told(bot)
    expect(await cost()).toBe(before)
  })

  test('is kept in memory without a database', async () => {
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    await using bot = await startBot(
      { persona: { name: 'kiki' }, plugins: [plugin], database: false, pacing: { minWait: 0 } },
      { platforms: [platform], inMemory: true, env: {} },
    )
    const conversation = { platform: 'test', workspace: '', channel: 'dev', name: 'dev', visibility: 'public' } as const
    const person = { id: 'bob', name: 'bob' }
    expect(
      await bot.chatCommand({ conversation, person, text: 'set volume 7', moderator: () => false, admin: () => false }),
    ).toBe('volume=7 by bob')
    await bot.receive(platform, {
      id: 'm1',
      conversation,
      author: person,
      text: 'well?',
      at: new Date(),
      mentions: [platform.me],
    })
    await bot.drained()
    expect(platform.posted).toMatchObject([{ text: '7 11 calm' }])
  })
})

describe.runIf(testServer())('two processes', () => {
  test('know the settings and the STOP of each other within five seconds', async () => {
    await using scope = new AsyncDisposableStack()
    const db = scope.adopt(await openTestDatabase(), opened => opened.close())
    const clock = new VirtualClock(Date.UTC(2026, 0, 5, 10))
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const start = async () =>
      scope.use(
        await startBot(
          { persona: { name: 'kiki' }, plugins: [plugin], pacing: { minWait: 0 } },
          { db, clock, supervise: false, platforms: [platform], env: {} },
        ),
      )
    const [one, other] = [await start(), await start()]
    const conversation = { platform: 'test', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' } as const
    const person = { id: 'bob', name: 'bob' }
    const command = (bot: typeof one, text: string) =>
      bot.chatCommand({ conversation, person, text, moderator: () => true, admin: () => true })
    let count = 0
    const ask = async (bot: typeof one) => {
      const before = platform.posted.length
      const at = new Date(clock.now())
      await bot.receive(platform, { id: `m${++count}`, conversation, author: person, text: 'well?', at, mentions: [platform.me] })
      await clock.advance(clock.now() + 5_000, { settle: () => new Promise(resolve => setTimeout(resolve, 300)) })
      await other.drained()
      return platform.posted.slice(before).map(posted => (posted.kind === 'text' ? posted.text : posted.emoji))
    }

    expect(await ask(one)).toEqual(['1 11 calm'])
    expect(await command(one, 'set volume 7')).toBe('volume=7 by bob')
    expect(await ask(other)).toEqual(['7 11 calm'])
    await command(other, 'stop')
    expect(await ask(one)).toEqual([])
    await command(one, 'start')
    expect(await ask(other)).toEqual(['7 11 calm'])
  })
})
