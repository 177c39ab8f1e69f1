// postgres: the erasure of each plugin is one transaction
/** After an erasure, no data of the person remain. */
import { definePlugin, Erasure, type ForgottenPerson, type PluginContext, startBot } from 'kikimimi'
import { scriptedModel, type TestBot, testBot, testPlatform, VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { dump, findIn, pgDump } from '../core/testing/privacy/dump.ts'
import { EVE, HER_WORDS, NAMES, OTHERS_WORDS, town } from './erasure/town.ts'
import { silent, until } from './support.ts'

test('no stored data contain the words of an erased person, and only what others said has the names', async () => {
  await using here = await town()
  const { bot, ctx } = here
  await here.live()
  const before = await dump(bot.db)
  expect([...HER_WORDS, ...NAMES].filter(word => findIn(before, [word]).length === 0)).toEqual([])
  expect(await tablesWith(bot, EVE.id)).toEqual(
    expect.arrayContaining(['eavesdrop.intervention', 'facts.fact_source', 'facts.person', 'memory_summary.speaker']),
  )
  expect(findIn(before, HER_WORDS).filter(found => found.startsWith('kikimimi.prompt:'))).not.toEqual([])
  expect(bot.sent.filter(said => HER_WORDS.some(word => said.includes(word))).length).toBeGreaterThan(2)

  await ctx.use(Erasure, 'optional')?.forget(EVE)
  await bot.pass('10m')
  const after = await dump(bot.db)
  expect(findIn(after, HER_WORDS)).toEqual([])
  expect(tablesIn(findIn(after, NAMES))).toEqual(OF_OTHERS)
  expect(OTHERS_WORDS.filter(word => findIn(after, [word]).length === 0)).toEqual([])
  // Some plugins store whom to skip, until the log has no data of the person.
  expect((await tablesWith(bot, EVE.id)).filter(table => !table.endsWith('.forgotten'))).toEqual([])
  if (bot.db.kind === 'postgres') expect(findIn(new Map([['pg_dump', await pgDump(bot.db)]]), HER_WORDS)).toEqual([])

  // The bot continues, and makes memories again from the remaining messages.
  await here.say({ id: 'U0BOB', name: 'bob' }, { ...GENERAL }, '@kiki what hangs behind the door?')
  await bot.pass('5m')
  expect(findIn(await dump(bot.db), HER_WORDS)).toEqual([])
  expect(await summaries(bot)).toContain('printer')
  expect(bot.log).toEqual([])
})

const GENERAL = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const

/** Messages of others, and what is made of them alone. */
const OF_OTHERS = ['facts.fact', 'kikimimi.message', 'memory_summary.memory', 'profiles.activity']

const tablesIn = (found: readonly string[]) => [...new Set(found.map(one => one.slice(0, one.indexOf(':'))))].sort()

async function tablesWith(bot: TestBot, word: string): Promise<string[]> {
  return tablesIn(findIn(await dump(bot.db), [word]))
}

async function summaries(bot: TestBot): Promise<string> {
  const { rows } = await bot.db.query<{ text: string }>('select recent || history as text from memory_summary.memory')
  return rows.map(({ text }) => text).join('\n')
}

/** A bot that exposes its context and runs code of the test during an erasure. */
async function forgetful(forget: (person: ForgottenPerson) => void = () => {}, more: Parameters<typeof testBot>[0] = {}) {
  let ctx: PluginContext | undefined
  const { plugins = [], ...options } = more
  const lender = definePlugin({
    name: 'lender',
    setup: one => {
      ctx = one
      return { forget }
    },
  })
  const bot = await testBot({ storage: 'pglite', plugins: [lender, plugins], ...options })
  const lent = () => {
    if (ctx) return ctx
    throw new Error('the bot has not started')
  }
  return { bot, ctx: lent, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const ALICE = { platform: 'test', id: 'alice' } as const

const log = async (bot: TestBot) => {
  const { rows } = await bot.db.query<{ text: string }>('select text from kikimimi.message where deleted_at is null order by seq')
  return rows.map(({ text }) => text)
}

test('later messages of the person are stored, and those of others about them', async () => {
  await using here = await forgetful()
  const { bot } = here
  await bot.say('alice', 'my old address is Mill Lane seven')
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('1s')
  await bot.say('alice', 'hello again, I live on the hill now')
  await bot.say('bob', 'alice: "hello again, I live on the hill now"')
  await bot.pass('10m')
  expect(await log(bot)).toEqual(['hello again, I live on the hill now', 'alice: "hello again, I live on the hill now"'])
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('10m')
  expect(await log(bot)).toEqual(['alice: "[…]"'])
})

test('if a plugin fails, the others still erase, and the log waits for all of them', async () => {
  const heard: ForgottenPerson[] = []
  let broken = true
  const failing = definePlugin({
    name: 'failing',
    setup: () => ({
      forget: () => {
        if (broken) throw new Error('my secret is out')
      },
    }),
  })
  await using here = await forgetful(person => void heard.push(person), { plugins: [failing] })
  const { bot } = here
  await bot.say('alice', 'my secret is out')
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('1s')
  const before = new Date(bot.clock.now() - 1_000)
  expect(heard).toEqual([{ ...ALICE, names: ['alice'], before }])
  expect(await log(bot)).toEqual(['my secret is out'])
  expect(bot.log.join()).toContain('[failing] an error (Error)')
  expect(bot.log.join()).not.toContain('my secret is out')

  await bot.pass('5m')
  expect(heard.length).toBeGreaterThan(3)
  expect(heard.length).toBeLessThan(8)
  await bot.restart()
  expect(await log(bot)).toEqual(['my secret is out'])
  broken = false
  await bot.restart()
  expect(await log(bot)).toEqual([])
  // The final step survives a restart, too.
  await bot.restart()
  await bot.pass('10m')
  expect(await dump(bot.db).then(all => findIn(all, ['my secret', 'alice']))).toEqual([])
})

test('an answer that was in progress during the erasure is erased after it is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const thinker = definePlugin({
    name: 'thinker',
    setup: () => ({
      respond: async ({ history }) => {
        await promise
        return { kind: 'text', text: `I was told that ${history[0]?.text}` }
      },
    }),
  })
  await using here = await forgetful(undefined, { plugins: [thinker], model: scriptedModel('') })
  const { bot } = here
  await bot.say('alice', 'the key lies under the mat')
  await bot.say('bob', '@kiki where is it?')
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('2s')
  expect(await log(bot)).toEqual(['@kiki where is it?'])
  resolve()
  await bot.pass('1s')
  expect(bot.sent).toEqual(['I was told that the key lies under the mat'])
  expect(await log(bot)).toEqual(['@kiki where is it?'])
  await bot.pass('10m')
  expect(await log(bot)).toEqual(['@kiki where is it?'])
  expect(await tablesWith(bot, 'under the mat')).toEqual([])
})

test('messages of others stay: earlier ones, common phrases, similar words', async () => {
  await using here = await forgetful()
  const { bot } = here
  const said = [
    'the train to Ueno leaves at ten',
    'malice, alicent and ALICE are other words',
    'good morning to all of you',
    'アリスタルコスの話をしました',
  ]
  for (const text of said) await bot.say('bob', text)
  await bot.say('alice', 'the train to Ueno leaves at ten')
  await bot.say('alice', 'short')
  await bot.say('bob', 'a short one')
  await bot.say('bob', 'the train to Ueno leaves at ten, I said')
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('10m')
  expect(await log(bot)).toEqual([...said, 'a short one', 'the train to Ueno leaves at ten, I said'])
})

test('in a long log, the person is erased where they took part first, and then everywhere', async () => {
  await using here = await forgetful()
  const { bot } = here
  await bot.say('alice', 'the key lies under the blue mat')
  await bot.say('bob', 'alice: the key lies under the blue mat')
  await bot.pass('20d')
  // The numbers of a log of 200,000 messages.
  await bot.db.query(`select setval('kikimimi.message_seq_seq', 200000)`)
  await bot.say('bob', 'somebody said: the key lies under the blue mat')
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('10m')
  expect(findIn(await dump(bot.db), ['blue mat'])).toEqual([])
  expect(await log(bot)).toEqual(['alice: […]', 'somebody said: […]'])
  expect((await bot.db.query('show enable_sort')).rows).toEqual([{ enable_sort: 'on' }])
})

test('a message of the person that the platform delivers again stays erased', async () => {
  await using here = await forgetful()
  const { bot } = here
  await bot.say('alice', 'said once', { id: 'one' })
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('10m')
  await bot.say('alice', 'said once', { id: 'one' })
  expect(await log(bot)).toEqual([])
})

test('queued jobs continue without the name, and jobs about the person are deleted', async () => {
  const ran: unknown[] = []
  let schedule: ((payload: unknown, at: Date) => Promise<void>) | undefined
  const later = definePlugin({
    name: 'later',
    setup: ctx => {
      const job = ctx.job<unknown>('note', payload => void ran.push(payload))
      schedule = (payload, at) => job.schedule(payload, { at })
    },
  })
  await using here = await forgetful(undefined, { plugins: [later] })
  const { bot } = here
  await bot.say('alice', 'remind me of the dentist at the station')
  const at = new Date(bot.clock.now() + 3_600_000)
  await schedule?.({ why: 'because alice asked', conversation: { id: 'test/team/alice' } }, at)
  await schedule?.({ person: 'alice' }, at)
  await schedule?.({ text: 'remind me of the dentist at the station' }, at)
  await schedule?.({ text: 'tea' }, at)
  await here.ctx().use(Erasure, 'optional')?.forget(ALICE)
  await bot.pass('2h')
  expect(ran).toHaveLength(2)
  expect(ran).toEqual(
    expect.arrayContaining([{ why: 'because […] asked', conversation: { id: 'test/team/alice' } }, { text: 'tea' }]),
  )
})

test('a bot without a database erases too', async () => {
  let ctx: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    setup: one => {
      ctx = one
      return { respond: ({ history }) => ({ kind: 'text', text: `I heard: ${history[0]?.text}` }) }
    },
  })
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
  const config = { persona: { name: 'kiki' }, database: false, plugins: [lender] } as const
  await using bot = await startBot(config, { clock, log: silent, platforms: [platform], env: {} })
  const settle = () =>
    until(async () => {
      const states = await Promise.all([bot.jobs.state(), bot.turns.state()])
      return states.every(({ active, due }) => active + due === 0)
    })
  const pass = (ms: number) => clock.advance(clock.now() + ms, { settle })
  const say = async (id: string, text: string, mentions = [platform.me]) => {
    const at = new Date(clock.now())
    await bot.receive(platform, {
      id: `${id}-${text.length}`,
      conversation: GENERAL,
      author: { id, name: id },
      text,
      at,
      mentions,
    })
    await pass(1_000)
  }
  await say('alice', 'the key lies under the mat', [])
  await say('bob', 'alice says "the key lies under the mat"', [{ id: 'alice', name: 'alice' }])
  await say('bob', '@kiki where is it?')
  await bot.reaction(GENERAL, 'bob-18', { emoji: '👍', by: 'alice' })
  expect(platform.posted).toHaveLength(1)
  expect(await bot.traces()).toHaveLength(1)

  await ctx?.use(Erasure, 'optional')?.forget(ALICE)
  await pass(1_000)
  await say('alice', 'it rains today', [])
  await pass(600_000)
  const kept = (await ctx?.history(GENERAL)) ?? []
  expect(kept.map(({ text }) => text)).toEqual(['alice says "[…]"', '@kiki where is it?', 'it rains today'])
  expect(kept.flatMap(({ reactions = [], mentions }) => [...reactions, ...mentions])).toEqual([platform.me])
  expect((await bot.traces()).filter(({ messages }) => messages.includes('alice-26'))).toEqual([])
})
