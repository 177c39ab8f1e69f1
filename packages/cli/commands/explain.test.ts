import {
  type Conversation,
  channelOf,
  definePlugin,
  duration,
  Operator,
  type PluginContext,
  StoredSettings,
  startBot,
} from 'kikimimi'
import type { ExplainedOption } from 'kikimimi/host'
import { testBot, testPlatform } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const DEV: Conversation = {
  ...{ id: 'test/team/dev', platform: 'test', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' },
}
const THREAD: Conversation = { ...DEV, id: 'test/team/dev/t1', thread: 't1' }

const apps: PluginContext[] = []

const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({
      volume: z.number().min(0).max(11).default(3).describe('How loud it is.'),
      rest: duration.default('2m'),
      manner: z.enum(['plain', 'flowery']).default('plain'),
      wish: z.string().optional(),
      words: z.array(z.string()).default([]),
      crowd: z.object({ size: z.number().default(3), within: duration.default('1m') }).prefault({}),
      style: z.enum(['short', 'long']).default('short'),
    })
    .prefault({}),
  scoped: ['volume', 'rest', 'manner', 'wish', 'words', 'crowd'],
  setup: ctx => void apps.unshift(ctx),
})

const explain = (where: Conversation) => about('telling', where)

function about(plugin: string, where: Conversation): Record<string, ExplainedOption> {
  const all = apps[0]?.use(Operator, 'optional')?.explain(where) ?? []
  return Object.fromEntries(all.filter(one => one.plugin === plugin).map(one => [one.option, one]))
}

test('each option has its value, the source of the value, and the allowed values', async () => {
  const plugin = telling({ manner: 'flowery' }, { channels: { dev: { rest: '5m' } }, threads: { t1: { volume: 1 } } })
  await using bot = await testBot({ plugins: [plugin] })
  expect(Object.values(explain(DEV))).toEqual([
    {
      ...{ plugin: 'telling', option: 'volume', value: 3, redacted: false, from: 'default', scoped: true },
      ...{ takes: 'number', least: 0, most: 11, does: 'How loud it is.' },
    },
    { plugin: 'telling', option: 'rest', value: '5m', redacted: false, from: 'channel dev', scoped: true, takes: 'other' },
    {
      ...{ plugin: 'telling', option: 'manner', value: 'flowery', redacted: false, from: 'bot.config.ts', scoped: true },
      ...{ takes: 'choice', choices: ['plain', 'flowery'] },
    },
    { plugin: 'telling', option: 'words', value: [], redacted: false, from: 'default', scoped: true, takes: 'texts' },
    {
      ...{ plugin: 'telling', option: 'crowd', value: { size: 3, within: '1m' }, redacted: false, from: 'default' },
      ...{ scoped: true, takes: 'other' },
    },
    {
      ...{ plugin: 'telling', option: 'style', value: 'short', redacted: false, from: 'default', scoped: false },
      ...{ takes: 'choice', choices: ['short', 'long'] },
    },
    { plugin: 'telling', option: 'wish', redacted: false, from: 'default', scoped: true, takes: 'text' },
  ])
  expect(explain(THREAD).volume).toMatchObject({ value: 1, from: 'thread t1' })
  const elsewhere = explain({ ...DEV, id: 'test/team/ops', channel: 'ops', name: 'ops' })
  expect(elsewhere.rest).toMatchObject({ value: '2m', from: 'default' })
  expect(bot.log).toEqual([])
})

test('a setting made in the chat wins over all others, in threads too, until it is removed', async () => {
  await using _bot = await testBot({ plugins: [telling({}, { threads: { t1: { volume: 1 } } })] })
  const setting = { place: channelOf(THREAD), plugin: 'telling', key: 'volume' }
  await apps[0]?.use(StoredSettings, 'optional')?.set({ ...setting, value: 7, by: { id: 'bob', name: 'bob' } })
  const set = { value: 7, from: 'set in the channel by bob on 2026-01-05' }
  expect([explain(DEV).volume, explain(THREAD).volume]).toMatchObject([set, set])
  await apps[0]?.use(StoredSettings, 'optional')?.clear(setting)
  expect(explain(THREAD).volume).toMatchObject({ value: 1, from: 'thread t1' })
})

test('a value that could be a secret is not shown', async () => {
  const keeper = definePlugin({
    name: 'keeper',
    options: z.strictObject({
      token: z.string(),
      greeting: z.string(),
      home: z.string(),
      fromEnvironment: z.string().default(() => 'hunter2-default'),
      servers: z.array(z.object({ host: z.string(), port: z.number() })),
      byName: z.record(z.string(), z.number()),
      pin: z.any(),
      accessKey: z.number(),
      wish: z.string(),
      hook: z.string(),
      headers: z.record(z.string(), z.string()),
      made: z.any(),
      mode: z.union([z.literal('safe'), z.literal('fast')]),
      port: z.number(),
      maxTokens: z.number(),
      open: z.string().meta({ public: true }),
      tokens: z.object({ answer: z.number(), key: z.string() }).meta({ public: true }),
      openHook: z.string().meta({ public: true }),
      nested: z.object({ level: z.enum(['low', 'high']), on: z.boolean() }),
    }),
    scoped: ['wish', 'hook', 'headers'],
    setup: ctx => void apps.unshift(ctx),
  })
  const given = {
    token: 'hunter2',
    greeting: 'hunter2',
    home: 'postgres://me:hunter2@db/bot',
    servers: [{ host: 'hunter2', port: 1 }],
    byName: { hunter2: 1 },
    pin: { a: { b: 'hunter2' } },
    accessKey: 424_242,
    wish: 'say hunter2-of-the-environment often',
    hook: 'https://hooks.test/send?key=hunter2',
    headers: { 'x-any': 'hunter2' },
    made: new Map([['a', 'hunter2']]),
    mode: 'safe',
    port: 8_000,
    maxTokens: 100,
    open: 'good morning',
    tokens: { answer: 500, key: 'hunter2' },
    openHook: 'https://me:hunter2@hooks.test/',
    nested: { level: 'low', on: true },
  } as const
  await using _bot = await startBot(
    { persona: { name: 'kiki' }, plugins: [keeper({ ...given, servers: [...given.servers] })], database: false },
    {
      platforms: [testPlatform({ me: { id: 'bot', name: 'kiki' } })],
      inMemory: true,
      env: { A_KEY: 'hunter2-of-the-environment' },
    },
  )
  const told = about('keeper', DEV)
  expect(JSON.stringify(told)).not.toMatch(/hunter2|424242/)
  const shown = Object.values(told).filter(one => !one.redacted)
  expect(shown.map(({ option, value }) => [option, value])).toEqual([
    ['mode', 'safe'],
    ['port', 8_000],
    ['maxTokens', 100],
    ['open', 'good morning'],
    ['nested', { level: 'low', on: true }],
  ])
})
