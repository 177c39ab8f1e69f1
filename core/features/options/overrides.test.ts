import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { definePlugin } from '../../api/index.ts'
import { duration } from '../../api/time-options.ts'
import { testBot } from '../../testing/index.ts'

/** Answers with its options. */
const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({
      volume: z.number().min(0).max(11).default(3),
      rest: duration.default('2m'),
      mood: z.string().default('calm'),
    })
    .prefault({}),
  scoped: ['volume', 'rest'],
  setup: ctx => ({
    respond: ({ conversation }) => ({ kind: 'text', text: Object.values(ctx.optionsFor(conversation)).join(' ') }),
  }),
})

const plugin = telling(
  { volume: 4 },
  {
    workspaces: { team: { rest: '5m' } },
    channels: { dev: { volume: 1 }, '#ops': { volume: 2, rest: '1m' } },
    threads: { t1: { volume: 11 } },
  },
)

describe('the options of a plugin', () => {
  test.each([
    ['general', undefined, '4 300000 calm'],
    ['dev', undefined, '1 300000 calm'],
    ['ops', undefined, '2 60000 calm'],
    ['ops', 't1', '11 60000 calm'],
    ['ops', 't2', '2 60000 calm'],
  ])('in %s, thread %s: the narrower wins', async (channel, thread, told) => {
    await using bot = await testBot({ plugins: [plugin] })
    await bot.say('alice', '@kiki well?', { channel, ...(thread && { thread }) })
    expect(bot.sent).toEqual([told])
  })

  test('of a place are checked before the start, all at once', async () => {
    const wrong = {
      ...telling(),
      overrides: { channels: { dev: { volume: 12, mood: 'wild', volumes: 3 } }, threads: { t1: { rest: 'soon' } } },
    }
    await expect(testBot({ plugins: [wrong] })).rejects.toThrow(
      `bot.config.ts is invalid:
  - [telling] in the channel "dev": mood: is the same everywhere; what can differ: volume, rest
  - [telling] in the channel "dev": volumes: there is no such option; what can differ: volume, rest. Did you mean "volume"?
  - [telling] in the channel "dev": volume: Too big: expected number to be <=11, got 12
  - [telling] in the thread "t1": rest: expected a number of seconds or a string such as "90s", "5m", "1h", "30d", got "soon"`,
    )
  })

  test('are the same everywhere when a plugin has no `scoped`', async () => {
    const plain = definePlugin({ name: 'plain', options: z.object({ a: z.number() }), setup: () => {} })
    const wrong = { ...plain({ a: 1 }), overrides: { channels: { dev: { a: 2 } }, rooms: {} } }
    await expect(testBot({ plugins: [wrong] })).rejects.toThrow(
      `bot.config.ts is invalid:
  - [plain] in the channel "dev": a: this plugin has the same options everywhere
  - [plain] knows options for workspaces, channels and threads, and none for "rooms".`,
    )
  })

  test('of a place that are no object are refused', async () => {
    const wrong = { ...definePlugin({ name: 'plain', setup: () => {} })(), overrides: { channels: { dev: JSON.parse('null') } } }
    await expect(testBot({ plugins: [wrong] })).rejects.toThrow(
      'bot.config.ts is invalid:\n  - [plain] in the channel "dev": expected options, got null',
    )
  })

  test('of two places that do not fit together are refused with both names', async () => {
    const ranging = definePlugin({
      name: 'ranging',
      options: z
        .strictObject({ low: z.number().default(1), high: z.number().default(10) })
        .refine(({ low, high }) => low < high, { error: 'expected low below high', path: ['low'] })
        .prefault({}),
      scoped: ['low', 'high'],
      setup: ctx => ({
        respond: ({ conversation }) => ({ kind: 'text', text: String(ctx.optionsFor(conversation).low) }),
      }),
    })
    const places = { workspaces: { team: { low: 8 } }, channels: { dev: { high: 5 } } }
    await using bot = await testBot({ plugins: [ranging({}, places)] })
    await bot.say('alice', '@kiki well?', { channel: 'dev' })
    expect((await bot.trace()).problems).toEqual([
      {
        plugin: 'ranging',
        stage: 'respond',
        message:
          '[ranging] invalid options for workspace team and channel dev together in bot.config.ts: - low: expected low below high, got 8',
      },
    ])
  })

  test('are typed: only scoped options, of the right type', () => {
    // @ts-expect-error: the mood is the same everywhere
    telling({}, { channels: { dev: { mood: 'wild' } } })
    // @ts-expect-error: a number
    telling({}, { channels: { dev: { volume: 'loud' } } })
    expect(telling({}, { channels: { dev: { volume: 1 } } }).overrides).toEqual({ channels: { dev: { volume: 1 } } })
  })
})
