import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ConfigError } from '../../api/checks/config-error.ts'
import type { BotConfig } from '../../api/config.ts'
import { definePlugin } from '../../api/index.ts'
import { duration } from '../../api/time-options.ts'
import { inspect } from '../../bot/plan.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { testBot } from '../../testing/test-bot.ts'
import { type BotDefinition, defineBot, partsOf } from './define-bot.ts'
import { formatSettings } from './file.ts'
import { merge } from './merge.ts'
import { changed } from './values.ts'

const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({
      volume: z.number().min(0).max(11).default(3),
      rest: duration.default('2m'),
      mood: z.string().default('calm'),
      points: z.strictObject({ a: z.number().optional(), b: z.number().optional() }).optional(),
      apiKey: z.string().optional(),
      url: z.string().optional().meta({ environment: 'TELLING_URL' }),
    })
    .prefault({}),
  scoped: ['volume'],
  setup: ctx => ({
    respond: ({ conversation, persona }) => ({ kind: 'text', text: `${persona.name} ${ctx.optionsFor(conversation).volume}` }),
  }),
})
const plain = definePlugin({ name: 'plain', setup: () => {} })

const CONFIG: BotConfig = {
  persona: { name: 'kiki', names: ['キキ'] },
  apology: 'sorry',
  pacing: { minWait: '4s', channels: { dev: { minWait: '1s', jitter: 0 } } },
  budget: { day: { tokens: 10, money: 1 }, prices: { chat: { input: 1, output: 1 } } },
  models: { chat: scriptedModel('chat'), judge: { ...scriptedModel('yes'), name: 'judge' } },
  plugins: [[telling({ mood: 'wild', points: { a: 1 } }, { channels: { dev: { volume: 4 } } })], plain, false],
}
const define = (settings: unknown, more: Partial<BotDefinition> = {}) => defineBot({ ...CONFIG, ...more, settings })
const pluginOf = (config: BotConfig) =>
  config.plugins.flat(2).find(one => one && 'options' in one && one.definition.name === 'telling')

describe('the values of bot.settings.json', () => {
  test('replace those of bot.config.ts: keys of sections, and whole options', () => {
    const file = {
      persona: { name: 'mimi' },
      pacing: { channels: { dev: { minWait: '2s' }, ops: { minWait: 'auto' } } },
      budget: { day: { tokens: 20 } },
      plugins: { telling: { options: { points: { b: 2 } }, channels: { dev: { volume: 5 }, ops: { volume: 6 } } } },
    }
    const before = structuredClone(CONFIG.persona)
    const merged = merge(CONFIG, file)
    expect(merged).toMatchObject({
      persona: { name: 'mimi', names: ['キキ'] },
      apology: 'sorry',
      pacing: { minWait: '4s', channels: { dev: { minWait: '2s', jitter: 0 }, ops: { minWait: 'auto' } } },
      budget: { day: { tokens: 20 }, prices: { chat: { input: 1, output: 1 } } },
    })
    expect(merged.budget?.day).toEqual({ tokens: 20 })
    expect(pluginOf(merged)).toEqual({
      definition: telling.definition,
      options: { mood: 'wild', points: { b: 2 } },
      overrides: { channels: { dev: { volume: 5 }, ops: { volume: 6 } } },
      fromSettingsFile: ['points'],
    })
    expect(CONFIG.persona).toEqual(before)
  })

  test('are taken away by null, also in a place', () => {
    const merged = merge(CONFIG, {
      apology: null,
      persona: { names: null },
      plugins: { telling: { options: { mood: null }, channels: { dev: { volume: null } } } },
    })
    expect(merged).not.toHaveProperty('apology')
    expect(merged.persona).toEqual({ name: 'kiki' })
    expect(pluginOf(merged)).toMatchObject({ options: { points: { a: 1 } }, overrides: { channels: { dev: {} } } })
  })

  test('turn plugins off, and name models of bot.config.ts for roles', () => {
    const merged = merge(CONFIG, {
      plugins: { plain: { enabled: false }, telling: { enabled: true } },
      models: { judge: 'scripted', channels: { dev: { chat: 'judge' } } },
    })
    expect(merged.plugins.flat().filter(Boolean)).toHaveLength(1)
    expect(merged.models?.judge).toBe(CONFIG.models?.chat)
    expect(merged.models?.channels?.dev).toEqual({ chat: CONFIG.models?.judge })
  })

  test('apply in a running bot, and their source is told', async () => {
    const { persona, plugins } = define({
      persona: { name: 'mimi' },
      plugins: { telling: { options: { volume: 7 }, channels: { dev: { volume: 8 } } } },
    })
    await using bot = await testBot({ persona, plugins })
    await bot.say('alice', '@mimi well?', { channel: 'general' })
    await bot.say('alice', '@mimi well?', { channel: 'dev' })
    expect(bot.sent).toEqual(['mimi 7', 'mimi 8'])
  })

  test('are a config of their own: the parts stay known, and without a file nothing changes', () => {
    const file = { apology: 'oh' }
    expect(partsOf(define(file))).toEqual({ config: CONFIG, file })
    expect(define(undefined)).toEqual(CONFIG)
    expect(partsOf(define(undefined))).toBeUndefined()
  })
})

describe('a wrong bot.settings.json is refused with every mistake', () => {
  const refused = async (settings: unknown) => {
    const { plan, mistakes } = await inspect(define(settings, { budget: {} }), undefined)
    expect(plan).toBeUndefined()
    expect(mistakes.map(({ file }) => file)).toEqual(mistakes.map(() => 'bot.settings.json'))
    return new ConfigError(mistakes).message
  }

  test.each([
    [[], 'bot.settings.json is invalid:\n  - expected object, got []'],
    [
      { persoma: {} },
      /^bot\.settings\.json is invalid:\n {2}- unknown option: "persoma"\. Did you mean "persona"\? Valid: persona, .*, plugins$/,
    ],
    [
      { database: 'postgres://kiki:hunter2@db/kiki' },
      'bot.settings.json is invalid:\n  - database: can only be set in bot.config.ts. It is opened once, at the start, and its address can hold a password.',
    ],
    [{ persona: { name: '' }, concurrency: 0 }, /persona\.name: .*\n.*concurrency: .*got 0$/],
    [
      { plugins: { telling: { options: { volume: 12, treshold: 1 } } } },
      /\[telling\] volume: Too big.*got 12\n.*\[telling\] unknown option: "treshold"/,
    ],
    [{ plugins: { telling: { channels: { dev: { volume: 99 } } } } }, /\[telling\] in the channel "dev": volume: .*got 99$/],
    [
      { plugins: { telling: { channels: { dev: { mood: 'x' } } } } },
      /"dev": mood: is the same everywhere; what can differ: volume$/,
    ],
    [{ plugins: { plain: { options: { a: 1 } } } }, /\[plain\] takes no options\. Remove them from bot\.settings\.json\.$/],
    [{ models: { judge: 'scriptd' } }, /models\.judge: no model "scriptd"; .*scripted.* Did you mean "scripted"\?$/],
  ])('%j', async (settings, message) =>
    expect(await refused(settings)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message)),
  )

  test.each([
    [{ apiKey: 'abc' }, 'apiKey: cannot be set in this file. It is a secret'],
    [{ url: 'https://x.example' }, 'url: cannot be set in this file. It comes from the environment: set TELLING_URL there'],
    [{ mood: 'xoxb-1234567890-abcdef' }, 'mood: is a secret, and this file is for git'],
    [{ mood: 'https://kiki:hunter22@example.com' }, 'mood: is a secret'],
  ])('no secret may be there: %j', async (options, message) => {
    const said = await refused({ plugins: { telling: { options } } })
    expect(said).toContain(message)
    expect(said).not.toMatch(/hunter22|xoxb-|abc\b/)
  })

  test('a name of 500 characters, and 50,000 channels hold', () => {
    const channels = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`channel-${at}`, { volume: at % 11 }]))
    const name = 'k'.repeat(500)
    const config = define({ persona: { name }, plugins: { telling: { channels } } })
    expect(config.persona.name).toBe(name)
    // With `dev` of bot.config.ts.
    expect(Object.keys(Object(pluginOf(config)).overrides.channels)).toHaveLength(50_001)
  })

  test('a plugin that bot.config.ts does not list now is no mistake: its token may be missing', async () => {
    const { mistakes } = await inspect(define({ plugins: { discord: { options: { shards: 2 } } } }, { budget: {} }), undefined)
    expect(mistakes).toEqual([])
  })

  test('also by a bot whose other settings a test replaces', async () => {
    const { persona: _, models: __, budget: ___, ...rest } = define({ persoma: {} })
    await expect(testBot(rest)).rejects.toThrow('bot.settings.json is invalid:\n  - unknown option: "persoma"')
  })
})

test('the file is readable: sections in order, keys sorted, a newline at the end, and nothing empty', () => {
  const settings = { plugins: { b: { options: { z: 1, a: [2, 1] } }, a: { enabled: false } }, persona: { name: 'kiki' } }
  expect(formatSettings(settings)).toBe(`{
  "persona": {
    "name": "kiki"
  },
  "plugins": {
    "a": {
      "enabled": false
    },
    "b": {
      "options": {
        "a": [
          2,
          1
        ],
        "z": 1
      }
    }
  }
}
`)
  const next = changed(settings, [
    { path: ['plugins', 'b', 'options', 'z'] },
    { path: ['plugins', 'b', 'options', 'a'] },
    { path: ['plugins', 'a', 'enabled'], value: null },
    { path: ['apology'], value: false },
  ])
  expect(next).toEqual({ persona: { name: 'kiki' }, plugins: { a: { enabled: null } }, apology: false })
})
