import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { BotConfig, PluginEntry } from '../api/config.ts'
import { definePlatform, definePlugin, Operator, type PlatformContext, type PluginContext, service } from '../api/index.ts'
import { duration } from '../api/time-options.ts'
import { systemClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import { freePort } from '../testing/free-port.ts'
import { testBot } from '../testing/test-bot.ts'
import { testPlatform } from '../testing/test-platform.ts'
import { startBot } from './bot.ts'
import { loadConfig } from './load-config.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const ears = definePlatform({ name: 'ears', setup: () => ({ platform: testPlatform({ me: { id: 'bot', name: 'kiki' } }) }) })

/** The error that the operator reads when these plugins cannot start. */
async function refusal(
  plugins: readonly PluginEntry[],
  config: Partial<BotConfig> = {},
  env: NodeJS.ProcessEnv = {},
  clock = systemClock,
): Promise<{ code: string; message: string }> {
  const started = startBot(
    { persona: { name: 'kiki' }, database: false, ...config, plugins: [ears, plugins] },
    { log, env, clock },
  )
  const error = await started.then(
    async bot => {
      await bot.stop()
      throw new Error('it started')
    },
    (error: unknown) => error,
  )
  if (!(error instanceof Error && 'code' in error)) throw error
  return { code: String(error.code), message: error.message }
}

describe('a start ends with one message that says what to do', () => {
  it('when options are wrong: all of them, of all plugins', async () => {
    const a = definePlugin({
      name: 'a',
      options: z.strictObject({ threshold: z.number().max(100), wait: duration }),
      setup: () => {},
    })
    const b = definePlugin({ name: 'b', options: z.strictObject({ apiKey: z.string().min(40) }), setup: () => {} })
    // The environment has this value, and bot.config.ts does not.
    const c = definePlugin({
      name: 'c',
      options: z.strictObject({ word: z.string().min(12).prefault('short') }).prefault({}),
      setup: () => {},
    })
    // @ts-expect-error people write JavaScript too
    const first = a({ threshold: '60', wait: 'soon', treshold: 1, timeZone: 'Asia/Tokyo' })
    const plugins = [first, b({ apiKey: 'a-secret-that-is-too-short' }), c()]
    expect(await refusal(plugins)).toEqual({
      code: 'OPTIONS_INVALID',
      message: [
        'bot.config.ts is invalid:',
        '  - [a] threshold: expected number, got "60"',
        '  - [a] wait: expected a number of seconds or a string such as "90s", "5m", "1h", "30d", got "soon"',
        '  - [a] unknown option: "treshold". Did you mean "threshold"? Valid: threshold, wait',
        '  - [a] unknown option: "timeZone". It is an option of the bot: set it beside "plugins".',
        '  - [b] apiKey: Too small: expected string to have >=40 characters, got a value that is not shown',
        '  - [c] word: Too small: expected string to have >=12 characters',
      ].join('\n'),
    })
  })

  it('when options are given to a plugin that takes none', async () => {
    // @ts-expect-error people write JavaScript too
    expect(await refusal([definePlugin({ name: 'plain', setup: () => {} })({ x: 1 })])).toMatchObject({
      code: 'OPTIONS_INVALID',
      message:
        'bot.config.ts is invalid:\n  - [plain] takes no options. Remove what stands between its brackets in bot.config.ts.',
    })
  })

  it('when a service is missing', async () => {
    const Facts = service<object>('facts', '@kikimimi/facts')
    expect(await refusal([definePlugin({ name: 'reflection', needs: [Facts], setup: () => {} })])).toEqual({
      code: 'SERVICE_MISSING',
      message:
        'bot.config.ts is invalid:\n  - [reflection] needs the service "facts", and no plugin provides it. Add the plugin @kikimimi/facts to bot.config.ts.',
    })
  })

  it('when plugins need each other in a circle', async () => {
    const A = service<object>('a')
    const B = service<object>('b')
    const one = definePlugin({ name: 'one', needs: [B], provides: [A], setup: () => {} })
    const two = definePlugin({ name: 'two', needs: [A], provides: [B], setup: () => {} })
    expect(await refusal([one, two])).toEqual({
      code: 'SERVICE_CYCLE',
      message:
        'bot.config.ts is invalid:\n  - Plugins need each other in a circle: [one] needs [two] needs [one]. Remove one of these needs.',
    })
  })

  it('when two plugins provide one service, or one does not provide a service that it declares', async () => {
    const A = service<object>('a')
    const provider = (name: string) => definePlugin({ name, provides: [A], setup: ctx => ctx.provide(A, {}) })
    expect(await refusal([provider('one'), provider('two')])).toMatchObject({ code: 'SERVICE_DUPLICATE' })
    const forgetful = definePlugin({ name: 'forgetful', provides: [A], setup: () => {} })
    expect(await refusal([forgetful])).toMatchObject({
      code: 'SETUP_FAILED',
      message: expect.stringContaining('call ctx.provide'),
    })
  })

  it('when a plugin uses a service without declaring it', async () => {
    const A = service<{ a(): void }>('a')
    const B = service<{ b(): void }>('b')
    // @ts-expect-error `needs` does not list it
    const sly = definePlugin({ name: 'sly', setup: ctx => void ctx.use(A) })
    // @ts-expect-error `needs` lists another one
    definePlugin({ name: 'sly', needs: [B], setup: ctx => void ctx.use(A) })
    // @ts-expect-error for platforms too
    definePlatform({ name: 'sly', setup: ctx => void ctx.use(A) })
    // What it lists, what may be missing, and helpers that take the context of any plugin compile.
    const helper = (ctx: PluginContext) => ctx.use(A)
    definePlugin({
      name: 'open',
      needs: [A, B],
      setup(ctx) {
        expectTypeOf(ctx.use(B)).toEqualTypeOf<{ b(): void }>()
        expectTypeOf(helper(ctx)).toEqualTypeOf<{ a(): void }>()
      },
    })
    definePlugin({
      name: 'asks',
      setup: ctx => expectTypeOf(ctx.use(A, 'optional')).toEqualTypeOf<{ a(): void } | undefined>(),
    })
    expect(await refusal([sly])).toEqual({
      code: 'SERVICE_NOT_DECLARED',
      message: '[sly] uses the service "a" without declaring it. Add it to "needs" in its definition.',
    })
  })

  it('when two plugins have one name', async () => {
    const one = definePlugin({ name: 'same', setup: () => {} })
    expect(await refusal([one, one])).toMatchObject({
      code: 'PLUGIN_DUPLICATE',
      message: expect.stringContaining('[same] is listed twice'),
    })
  })

  it('when a command of a plugin has a name that is taken, or none', async () => {
    const bringing = (name: string, command: string) =>
      definePlugin({ name, cli: [{ name: command, usage: [], run: () => {} }], setup: () => {} })
    expect(await refusal([bringing('a', 'tea'), bringing('b', 'tea')])).toEqual({
      code: 'COMMAND_DUPLICATE',
      message: 'bot.config.ts is invalid:\n  - [b] has a command "tea", and so has [a]. Give it another name.',
    })
    expect(await refusal([bringing('a', 'Make tea')])).toMatchObject({ code: 'PLUGIN_INVALID' })
  })

  it('when an entry is no plugin, or has a bad name', async () => {
    // @ts-expect-error people write JavaScript too
    expect(await refusal([{ name: 'x' }])).toMatchObject({
      code: 'PLUGIN_INVALID',
      message: expect.stringContaining('is not a plugin'),
    })
    expect(await refusal([definePlugin({ name: 'My Plugin', setup: () => {} })])).toMatchObject({ code: 'PLUGIN_INVALID' })
  })

  it('when an option without a default is left out, and not when each has one', async () => {
    const keyed = definePlugin({ name: 'keyed', options: z.strictObject({ key: z.string() }), setup: () => {} })
    const usual = definePlugin({
      name: 'usual',
      options: z.strictObject({ count: z.number().default(3) }),
      setup: (_ctx, { count }) => Promise.reject(new Error(`counts to ${count}`)),
    })
    // @ts-expect-error the key is required
    expect(await refusal([keyed()])).toMatchObject({ code: 'OPTIONS_INVALID', message: expect.stringContaining('[keyed] key: ') })
    for (const plugin of [usual, usual()])
      expect(await refusal([plugin])).toMatchObject({ message: '[usual] failed to set up: counts to 3' })
  })

  it('when a plugin sends in setup', async () => {
    const place = { platform: 'test', workspace: 'w', channel: 'c', name: 'c', visibility: 'public' } as const
    const hasty = definePlugin({
      name: 'hasty',
      setup: async ctx => void (await ctx.send(place, { kind: 'text', text: 'hi' }, { sources: 'none' })),
    })
    expect(await refusal([hasty])).toEqual({
      code: 'SETUP_FAILED',
      message: '[hasty] sends in setup, before the bot is connected. Send from a stage, a command, a job or a route.',
    })
  })

  it('when a setup throws, and the plugins before it are closed', async () => {
    const undone: string[] = []
    const scoped = (name: string) => definePlugin({ name, setup: ctx => ctx.scope.defer(() => void undone.push(name)) })
    const throwing = definePlugin({
      name: 'throwing',
      setup: ctx => {
        ctx.scope.defer(() => void undone.push('throwing'))
        throw new Error('no such file: rules.json')
      },
    })
    expect(await refusal([scoped('first'), scoped('second'), throwing, scoped('never')])).toEqual({
      code: 'SETUP_FAILED',
      message: '[throwing] failed to set up: no such file: rules.json',
    })
    expect(undone).toEqual(['throwing', 'second', 'first'])
  })

  it('when a platform cannot connect, or there is none, or there are two of a name', async () => {
    const deaf = definePlatform({
      name: 'deaf',
      setup: () => ({
        platform: {
          ...testPlatform({ me: { id: 'b', name: 'kiki' } }),
          name: 'deaf',
          start: () => Promise.reject(new Error('ECONNREFUSED')),
        },
      }),
    })
    expect(await refusal([deaf])).toEqual({ code: 'PLATFORM_START_FAILED', message: '[deaf] could not connect: ECONNREFUSED' })
    const more = definePlatform({
      name: 'more-ears',
      setup: () => ({ platform: testPlatform({ me: { id: 'b', name: 'kiki' } }) }),
    })
    expect(await refusal([more])).toMatchObject({ code: 'PLATFORM_DUPLICATE' })
    await expect(startBot({ persona: { name: 'kiki' }, database: false, plugins: [] }, { log, env: {} })).rejects.toMatchObject({
      code: 'PLATFORM_MISSING',
    })
  })

  it('when the config has mistakes', async () => {
    // @ts-expect-error people write JavaScript too
    const wrong: Partial<BotConfig> = { persona: { name: '' }, locale: 'fr', pacing: { minWait: 'soon' }, plugin: [] }
    const { code, message } = await refusal([], wrong)
    expect(code).toBe('CONFIG_INVALID')
    expect(message.split('\n')).toEqual([
      'bot.config.ts is invalid:',
      expect.stringContaining('persona.name: '),
      expect.stringContaining('locale: '),
      expect.stringContaining('pacing.minWait: expected a number of seconds'),
      expect.stringMatching(/^ {2}- unknown option: "plugin". Did you mean "plugins"\? Valid: persona, .*, http$/),
    ])
  })

  it('when two plugins have a tool of one name', async () => {
    const tool = { name: 'search', description: '', schema: {}, invoke: async () => '' }
    const has = (name: string) => definePlugin({ name, setup: () => ({ tools: [tool] }) })
    expect(await refusal([has('one'), has('two')])).toMatchObject({
      code: 'TOOL_DUPLICATE',
      message: expect.stringContaining('"search"'),
    })
  })

  it('when a plugin that is no platform returns one, which tsc refuses too', async () => {
    const platform = testPlatform({ me: { id: 'b', name: 'kiki' } })
    // @ts-expect-error `platform` is a hook of definePlatform
    const posing = definePlugin({ name: 'posing', setup: () => ({ platform, after: () => {} }) })
    // @ts-expect-error `afters` is no hook of a platform
    definePlatform({ name: 'typo', setup: () => ({ platform, afters: () => {} }) })
    expect(await refusal([posing])).toEqual({
      code: 'PLUGIN_INVALID',
      message: '[posing] returns a platform and is made by definePlugin. Use definePlatform.',
    })
  })

  it('when a platform lacks what it needs', async () => {
    const mute = definePlatform({
      name: 'mute',
      setup: () => ({ platform: { ...testPlatform({ me: { id: 'b', name: 'kiki' }, textLength: 0 }), name: 'mute' } }),
    })
    expect(await refusal([mute])).toMatchObject({ code: 'PLUGIN_INVALID', message: expect.stringContaining('limits.textLength') })
  })

  it.each(['somewhere', '127.0.0.1', 'http://127.0.0.1:80', '127.0.0.1:99999'])(
    'when %s is the address of its HTTP server',
    async http => {
      expect(await refusal([], { http })).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(http) })
    },
  )

  it('when its HTTP address is in use: before any platform connects', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const connected: string[] = []
    const web = definePlugin({ name: 'web', servesHttp: () => true, setup: () => ({ routes() {} }) })
    const radio = definePlatform({
      name: 'radio',
      setup: () => ({
        platform: {
          ...testPlatform({ me: { id: 'b', name: 'kiki' } }),
          name: 'radio',
          start: () => void connected.push('radio'),
        },
      }),
    })
    try {
      expect(await refusal([web, radio], {}, { KIKIMIMI_HTTP: `127.0.0.1:${port}` })).toEqual({
        code: 'CONFIG_INVALID',
        message: `Something already listens on 127.0.0.1:${port}. Start with KIKIMIMI_HTTP=127.0.0.1:${port + 1}, or change "http" where bot.config.ts has it.`,
      })
      expect(connected).toEqual([])
    } finally {
      other.close()
    }
  })

  it('when two jobs of a plugin have one name', async () => {
    const twice = definePlugin({
      name: 'twice',
      setup: ctx => {
        ctx.job('x', () => {})
        ctx.job('x', () => {})
      },
    })
    expect(await refusal([twice])).toMatchObject({ code: 'JOB_MISPLACED', message: expect.stringContaining('is declared twice') })
  })

  it('when the database cannot be reached, without its password', async () => {
    const database = 'postgres://kiki:hunter2secret@127.0.0.1:1/bot'
    let waited = 0
    // The start waits for the server on the bot's clock.
    const hurried = {
      ...systemClock,
      now: () => waited,
      setTimeout: (run: () => void, ms: number) => {
        waited += ms
        return setImmediate(run)
      },
    }
    const { code, message } = await refusal([], { database }, {}, hurried)
    expect(code).toBe('DATABASE_UNREACHABLE')
    expect(message).toContain('127.0.0.1:1')
    expect(message).not.toContain('hunter2secret')
    expect(waited).toBe(30_000)
  })

  it('when a plugin wants a database and there is none', async () => {
    const wants = definePlugin({ name: 'wants', setup: async ctx => void (await ctx.db.query('select 1')) })
    expect(await refusal([wants])).toMatchObject({
      code: 'DATABASE_NONE',
      message: expect.stringContaining('[wants] needs a database'),
    })
  })

  it('when a plugin has tables and there is no database, before any plugin is set up', async () => {
    const log: string[] = []
    const first = definePlugin({ name: 'first', setup: () => void log.push('first') })
    const tables = { name: 'tables', migrations: new URL('./none/', import.meta.url) }
    const needing = definePlugin({ ...tables, setup: () => {} })
    expect(await refusal([first, needing])).toMatchObject({
      code: 'DATABASE_NONE',
      message: expect.stringContaining('[tables] needs a database, and this bot runs in memory alone. Set "database"'),
    })
    expect(log).toEqual([])
    const idle = definePlugin({ ...tables, needsDatabase: () => false, setup: () => void log.push('idle') })
    await (await startBot({ persona: { name: 'kiki' }, database: false, plugins: [ears, first, idle] }, { env: {} })).stop()
    expect(log).toEqual(['first', 'idle'])
  })

  it('when a job of a plugin repeats too fast', async () => {
    const hasty = definePlugin({ name: 'hasty', setup: ctx => ctx.every('tick', '10ms', () => {}) })
    expect(await refusal([hasty])).toMatchObject({
      code: 'SCHEDULE_INVALID',
      message: '[hasty] ctx.every("tick"): use one second or more, got "10ms".',
    })
  })

  it('when a job of a plugin repeats at times that do not exist', async () => {
    const repeats = (cron: string, timeZone = 'UTC') =>
      definePlugin({ name: 'hasty', setup: ctx => ctx.every('tick', { cron, timeZone }, () => {}) })
    const message = (text: string) => ({ code: 'SCHEDULE_INVALID', message: expect.stringContaining(text) })
    expect(await refusal([repeats('0 25 * * *')])).toMatchObject(
      message('"0 25 * * *" is wrong (minute, hour, day of the month, month, day of the week): Invalid value for hour: 25.'),
    )
    expect(await refusal([repeats('0 7 * * *', 'Asia/Tokio')])).toMatchObject(message('(did you mean "Asia/Tokyo"?)'))
  })
})

describe('bot.config.ts', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kikimimi-config-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const load = async (text: string) => {
    const file = join(folder, 'bot.config.ts')
    await writeFile(file, text)
    return loadConfig(file)
  }

  it('that is missing, broken, or exports no bot gets its own message', async () => {
    await expect(loadConfig(join(folder, 'none.ts'))).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' })
    await expect(load('export default 42')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('must export a bot'),
    })
  })

  it('that throws is reported with the line', async () => {
    await expect(load(`const a = 1\n\nthrow new Error('no persona today')\n`)).rejects.toMatchObject({
      code: 'CONFIG_BROKEN',
      message: expect.stringMatching(/no persona today \(line 3\)$/),
    })
  })
})

describe('plugins', () => {
  it('can be missing, nested, uncalled', async () => {
    const seen: string[] = []
    const noting = (name: string) => definePlugin({ name, setup: () => void seen.push(name) })
    await using _bot = await testBot({ plugins: [false, undefined, noting('a')(), [noting('b'), [noting('c')], null]] })
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('provide services to each other in any order', async () => {
    const Greeting = service<{ greet(name: string): string }>('greeting')
    const user = definePlugin({
      name: 'user',
      needs: [Greeting],
      setup: ctx => ({ respond: turn => ({ kind: 'text', text: ctx.use(Greeting).greet(turn.message.author.name) }) }),
    })
    const provider = definePlugin({
      name: 'provider',
      provides: [Greeting],
      setup: ctx => ctx.provide(Greeting, { greet: name => `hello ${name}` }),
    })
    await using bot = await testBot({ plugins: [user, provider] })
    await bot.say('alice', '@kiki hi')
    expect(bot.sent).toEqual(['hello alice'])
  })

  it('are closed in reverse order when the bot stops', async () => {
    const undone: string[] = []
    const scoped = (name: string) => definePlugin({ name, setup: ctx => ctx.scope.defer(() => void undone.push(name)) })
    const bot = await testBot({ plugins: [scoped('a'), scoped('b')] })
    await bot.bot.stop()
    await bot.bot.stop()
    expect(undone).toEqual(['b', 'a'])
  })

  it('have jobs that survive a restart, and work that repeats', async () => {
    const ran: string[] = []
    let apps: PluginContext[] = []
    const worker = definePlugin({
      name: 'worker',
      setup: ctx => {
        apps = [...apps, ctx]
        const later = ctx.job<string>('later', text => void ran.push(text))
        ctx.every('tick', '1h', () => void ran.push('tick'))
        return {
          async respond(turn) {
            await later.schedule(turn.message.text, { at: new Date(ctx.clock.now() + 60_000), key: 'k' })
            return { kind: 'text', text: 'ok' }
          },
        }
      },
    })
    await using bot = await testBot({ storage: 'pglite', plugins: [worker] })
    await bot.say('alice', '@kiki one')
    await bot.say('alice', '@kiki two')
    await bot.restart()
    await bot.pass('5m')
    expect(ran).toEqual(['@kiki two'])
    await bot.pass('3h')
    expect(ran).toEqual(['@kiki two', 'tick', 'tick', 'tick'])
  })

  it('can pass messages only while the bot listens', async () => {
    let ctx: PlatformContext | undefined
    const keen = definePlatform({
      name: 'keen',
      setup: given => {
        ctx = given
      },
    })
    const bot = await testBot({ plugins: [keen] })
    await bot.bot.stop()
    const message = {
      id: '1',
      conversation: { platform: 'test', workspace: '', channel: 'c', name: 'c', visibility: 'public' },
      author: { id: 'a', name: 'a' },
      text: 'hi',
      at: new Date(),
    } as const
    await expect(ctx?.receive(message)).rejects.toMatchObject({ code: 'STOPPED' })
  })

  it('get an error for a job that is declared after the start', async () => {
    let ctx: PluginContext | undefined
    const late = definePlugin({
      name: 'late',
      setup: given => {
        ctx = given
      },
    })
    await using _bot = await testBot({ plugins: [late] })
    expect(() => ctx?.every('tick', '1h', () => {})).toThrow('comes too late')
  })

  it('get an error when they send or receive inside a transaction', async () => {
    let ctx: PluginContext | undefined
    const entangled = definePlugin({
      name: 'entangled',
      setup: given => {
        ctx = given
      },
    })
    await using bot = await testBot({ storage: 'pglite', plugins: [entangled] })
    const place = { platform: 'test', workspace: 'team', channel: 'c', name: 'c', visibility: 'public' } as const
    const inside = ctx?.db.transaction(async () => ctx?.send(place, { kind: 'text', text: 'hello' }, { sources: 'none' }))
    await expect(inside).rejects.toMatchObject({ code: 'IN_TRANSACTION' })
    await ctx?.send(place, { kind: 'text', text: 'hello' }, { sources: 'none' })
    expect(bot.sent).toEqual(['hello'])
  })

  it('get an error for an invalid message', async () => {
    let ctx: PlatformContext | undefined
    const odd = definePlatform({
      name: 'odd',
      setup: given => {
        ctx = given
      },
    })
    await using _bot = await testBot({ plugins: [odd] })
    const message = {
      id: '',
      conversation: { platform: 'test', workspace: '', channel: 'c', name: 'c', visibility: 'public' },
      author: { id: 'a', name: 'a' },
      text: 'hi',
      at: new Date(),
    } as const
    await expect(ctx?.receive(message)).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
      message: expect.stringContaining('wrong id'),
    })
    await expect(ctx?.receive({ ...message, id: '1', at: new Date('never') })).rejects.toMatchObject({ code: 'MESSAGE_INVALID' })
    await expect(ctx?.receive({ ...message, id: '1', text: 'nul \0 and half \ud83d' })).resolves.toBeUndefined()
  })
})

it('a bot whose plugin has routes serves them on 127.0.0.1:8787, or on the next free port, unless told otherwise', async () => {
  const addresses: string[] = []
  const web = definePlugin({
    name: 'web',
    servesHttp: () => true,
    needs: [Operator],
    setup: ctx => ({
      routes() {
        const { host, port } = ctx.use(Operator).http
        addresses.push(`${host}:${port}`)
      },
    }),
  })
  const told: string[] = []
  const start = (env = {}) =>
    startBot(
      { persona: { name: 'kiki' }, database: false, plugins: [web] },
      {
        log: { ...log, warn: line => void told.push(line) },
        env,
        platforms: [testPlatform({ me: { id: 'b', name: 'kiki' } })],
      },
    )
  await using _first = await start()
  await using _second = await start()
  const [first = '', second = ''] = addresses
  expect(second).not.toBe(first)
  for (const address of [first, second]) expect((await fetch(`http://${address}/healthz`)).status).toBe(200)
  expect(told.at(-1)).toBe(
    `Something already listens on 127.0.0.1:8787, so the bot serves HTTP on ${second}. "http" or KIKIMIMI_HTTP sets an address.`,
  )
  await expect(start({ KIKIMIMI_HTTP: first })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(`Something already listens on ${first}. Start with KIKIMIMI_HTTP=`),
  })
})
