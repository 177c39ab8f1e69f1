/** Turns of a whole bot, taken again with other options. */
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { definePlugin, type PluginContext } from 'kikimimi'
import { type ScriptedModel, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import replay, { Evaluations } from '../index.ts'

/** Remembers one sentence, and counts how often it was asked. */
const memory = definePlugin({
  name: 'memory',
  remembers: true,
  setup: () => ({ context: () => ({ title: 'Facts', text: 'The train leaves at ten.', place: 'facts' as const }) }),
})

const answers = (name: string): ScriptedModel => {
  const model = scriptedModel(({ system, messages }) => {
    const prompt = `${system}\n${JSON.stringify(messages)}`
    return `${name}${prompt.includes('at ten') ? ' at ten' : ''}${prompt.includes('a pirate') ? ' arr' : ''}`
  })
  return { ...model, name, asked: model.asked }
}

async function talked() {
  let lent: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    needs: [Evaluations],
    setup: ctx => {
      lent = ctx
    },
  })
  const [chat, summary] = [answers('large'), answers('small')]
  const bot = await testBot({
    storage: 'pglite',
    pacing: { minWait: 0, jitter: 0 },
    models: { chat, summary },
    plugins: [replay, lender, addressing(), judgeRules({ threshold: 60 }), memory(), reply()],
  })
  await bot.say('bob', 'the museum is open until six')
  await bot.pass('1m')
  await bot.say('alice', '@kiki when does the train leave?')
  await bot.pass('1m')
  if (!lent) throw new Error('nothing was set up')
  const [silent, answered] = (await bot.traces()).map(({ turn }) => turn)
  if (silent === undefined || answered === undefined) throw new Error('there are no two turns')
  return { bot, chat, summary, silent, answered, evaluations: lent.use(Evaluations), [Symbol.asyncDispose]: () => bot.bot.stop() }
}

/** What an evaluation must not change: everything that the bot has posted or stored. */
/** Without the costs, in which calls of evaluations are booked. */
async function stateOf({ sent, posted, db }: TestBot) {
  const tables = await db.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('kikimimi', 'judge_llm', 'attention') and table_type = 'BASE TABLE' and table_name not like 'model_use%'
     order by 1`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables.rows) rows[name] = (await db.query(`select count(*) from ${name}`)).rows
  return { sent: [...sent], posted: posted.length, rows }
}

test('a turn is taken again with today’s options: the same prompt, nothing posted, only its cost stored', async () => {
  await using one = await talked()
  const [before, prompt] = [await stateOf(one.bot), one.chat.asked.at(-1)]
  const { cases, sides } = await one.evaluations.evaluate({ turns: [{ turn: one.answered }], changes: [{}], budget: 10_000 })
  expect(cases).toMatchObject([{ name: one.answered, results: [{ said: ['large at ten'], left: false }] }])
  expect(sides).toMatchObject([{ spent: { calls: 1, failed: 0 }, failed: 0, left: 0 }])
  expect(one.chat.asked).toHaveLength(2)
  expect(one.chat.asked.at(-1)?.messages).toEqual(prompt?.messages)
  expect(await stateOf(one.bot)).toEqual(before)
})

test.each([
  ['another persona', { persona: 'You are a pirate.' }, ['large at ten arr']],
  ['another model', { model: 'small' }, ['small at ten']],
  ['no memory', { memory: false }, ['large']],
])('side by side with %s', async (_what, change, said) => {
  await using one = await talked()
  const { cases } = await one.evaluations.evaluate({ turns: [{ turn: one.answered }], changes: [{}, change], budget: 10_000 })
  expect(cases[0]?.results.map(result => result.said)).toEqual([['large at ten'], said])
})

test('rated turns are counted against what was expected, and compared', async () => {
  await using one = await talked()
  const { rows, cases } = await one.evaluations.evaluate({
    turns: [
      { turn: one.silent, expected: { speaks: true } },
      { turn: one.answered, expected: { speaks: true, contains: ['ten'], forbids: ['arr'] } },
    ],
    changes: [{}, { settings: { 'judge-rules': { threshold: 0 } }, persona: 'You are a pirate.' }],
    budget: 10_000,
  })
  expect(cases.map(({ results }) => results.map(({ checks }) => checks.map(({ passed }) => passed)))).toEqual([
    [[false], [true]],
    [
      [true, true, true],
      [true, true, false],
    ],
  ])
  expect(rows).toMatchObject([
    {
      kind: 'rated',
      shares: [
        { n: 2, passed: 1 },
        { n: 2, passed: 1 },
      ],
      difference: { won: 1, lost: 1, value: 0 },
    },
  ])
})

test('a forgotten person is in no case: a turn of theirs is gone, and their lines are not in the talk of others', async () => {
  await using one = await talked()
  await one.bot.bot.forget({ platform: 'test', id: 'bob' })
  await one.bot.pass('10m')
  await one.bot.say('alice', '@kiki and the next one?')
  await one.bot.pass('1m')
  const latest = (await one.bot.traces()).at(-1)?.turn ?? ''
  const asked = one.chat.asked.length
  const { gone } = await one.evaluations.evaluate({
    turns: [{ turn: one.silent }, { turn: latest }],
    changes: [{}],
    budget: 10_000,
  })
  expect(gone).toEqual([one.silent])
  const prompts = JSON.stringify(one.chat.asked.slice(asked).map(({ messages }) => messages))
  expect(prompts).toContain('and the next one?')
  expect(prompts).not.toContain('museum')
})

test('a person who is being forgotten is in no case', async () => {
  await using one = await talked()
  const asked = one.chat.asked.length
  await one.bot.db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'bob', $1)`, [
    new Date(one.bot.clock.now()),
  ])
  const turns = [{ turn: one.silent }, { turn: one.answered }]
  const { gone } = await one.evaluations.evaluate({ turns, changes: [{}], budget: 10_000 })
  expect(gone).toEqual([one.silent])
  const prompts = JSON.stringify(one.chat.asked.slice(asked).map(({ messages }) => messages))
  expect(prompts).toContain('when does the train leave?')
  expect(prompts).not.toContain('museum')
})

test('the budget, a wrong option and an unknown model are told', async () => {
  await using one = await talked()
  const turns = [{ turn: one.answered, expected: { speaks: true } }]
  const { sides, rows } = await one.evaluations.evaluate({ turns, changes: [{}], budget: 10 })
  expect(sides).toMatchObject([{ left: 1, spent: { calls: 0, tokens: 0 } }])
  expect(rows).toMatchObject([{ shares: [{ n: 0 }] }])
  const refused = (change: object) => one.evaluations.evaluate({ turns, changes: [change], budget: 10_000 })
  await expect(refused({ settings: { 'judge-rules': { threshold: 'much' } } })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  await expect(refused({ model: 'huge' })).rejects.toThrow('The bot has no model "huge".')
  const unknown = one.evaluations.evaluate({ turns: [{ turn: 'none' }], changes: [{}], budget: 10_000 })
  await expect(unknown).rejects.toMatchObject({ code: 'REPLAY_NOTHING' })
})
