import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PluginEntry } from '../../api/config.ts'
import { definePlatform, type IncomingMessage, type PlatformContext } from '../../api/index.ts'
import { systemClock } from '../../base/clock.ts'
import { createLogger } from '../../base/log.ts'
import { startBot } from '../../bot/bot.ts'
import type { Bot } from '../../bot/bot-type.ts'
import { type TestPlatform, testPlatform } from '../../testing/test-platform.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

const answer = definePlatform({ name: 'answer', setup: () => ({ respond: () => ({ kind: 'text', text: 'here' }) }) })

let count = 0
const message = (platform: string): IncomingMessage => ({
  id: `m${++count}`,
  conversation: { platform, workspace: '', channel: 'c', name: 'c', visibility: 'direct' },
  author: { id: 'alice', name: 'alice' },
  text: 'hello',
  at: new Date(),
})

/** A platform with a journal of its starts and stops. */
function radio(name: string) {
  const lives: {
    readonly station: string
    readonly ctx: PlatformContext
    readonly platform: TestPlatform
    signal?: AbortSignal
  }[] = []
  const plugin = definePlatform({
    name,
    options: z.strictObject({ station: z.string() }),
    setup(ctx, { station }) {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      const platform = { ...testPlatform({ me: { id: 'bot', name: 'kiki' } }), name, closed }
      const life: (typeof lives)[number] = { station, ctx, platform }
      lives.push(life)
      return {
        platform: {
          ...platform,
          async start(signal) {
            life.signal = signal
            signal.addEventListener('abort', () => close())
            if (station === 'nowhere') throw new Error('nobody answers')
            if (station === 'far away') await new Promise(() => {})
            // A message while the platform was not connected.
            await ctx.receive(message(name))
            if (station === 'over') close()
          },
        },
      }
    },
  })
  return { plugin, lives }
}

let bot: Bot
async function start(plugins: readonly PluginEntry[], http?: string): Promise<void> {
  const config = { persona: { name: 'kiki' }, database: false, plugins, ...(http && { http }) } as const
  bot = await startBot(config, { log, env: {} })
}
const answered = ({ lives: [first] }: ReturnType<typeof radio>) =>
  expect.poll(() => first?.platform.posted).toMatchObject([{ text: 'here' }])
const reload = (plugins: readonly PluginEntry[]) => bot.reload({ persona: { name: 'kiki' }, database: false, plugins })
afterEach(() => bot.stop())

describe('a platform', () => {
  it('with other options connects again, and the others stay connected', async () => {
    const [one, two] = [radio('one'), radio('two')]
    await start([one.plugin({ station: 'a' }), two.plugin({ station: 'a' }), answer])
    await answered(one)
    expect(await reload([one.plugin({ station: 'b' }), two.plugin({ station: 'a' }), answer])).toMatchObject({
      restarted: ['one'],
    })
    expect(one.lives.map(({ station, signal }) => [station, signal?.aborted])).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(two.lives.map(({ signal }) => signal?.aborted)).toEqual([false])
    await expect.poll(() => one.lives[1]?.platform.posted).toMatchObject([{ text: 'here' }])
    await expect(one.lives[0]?.ctx.receive(message('one'))).rejects.toMatchObject({ code: 'STOPPED' })
  })

  it('that cannot connect returns to its previous options', async () => {
    const one = radio('one')
    await start([one.plugin({ station: 'a' }), answer])
    await answered(one)
    await expect(reload([one.plugin({ station: 'nowhere' }), answer])).rejects.toMatchObject({
      code: 'PLATFORM_START_FAILED',
      message: '[one] could not connect: nobody answers',
    })
    expect(one.lives.map(({ station, signal }) => [station, signal?.aborted])).toEqual([
      ['a', true],
      ['nowhere', true],
      ['a', false],
    ])
    await expect.poll(() => one.lives[2]?.platform.posted).toMatchObject([{ text: 'here' }])
  })

  it('that does not connect does not delay the end of the bot, nor does a plugin in its set-up', async () => {
    const one = radio('one')
    await start([one.plugin({ station: 'a' }), answer])
    const connecting = reload([one.plugin({ station: 'far away' }), answer])
    await expect.poll(() => one.lives[1]?.signal).toBeDefined()
    await Promise.all([expect(connecting).rejects.toMatchObject({ code: 'STOPPED' }), bot.stop()])
    expect(one.lives.map(({ signal }) => signal?.aborted)).toEqual([true, true])

    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const stuck = definePlatform({ name: 'stuck', setup: () => new Promise<never>(() => begin()) })
    await start([one.plugin({ station: 'a' }), answer])
    const settingUp = reload([one.plugin({ station: 'a' }), answer, stuck])
    await begun
    await Promise.all([expect(settingUp).rejects.toMatchObject({ code: 'STOPPED' }), bot.stop()])
  })

  it('stays when it is the last one', async () => {
    const one = radio('one')
    await start([one.plugin({ station: 'a' }), answer])
    await expect(reload([answer])).rejects.toMatchObject({ code: 'PLATFORM_MISSING' })
    expect(one.lives.at(-1)).toMatchObject({ station: 'a', signal: { aborted: false } })
  })

  it('that closes because it restarts does not end the bot, and one that closes by itself does', async () => {
    const one = radio('one')
    let isClosed = false
    await start([one.plugin({ station: 'a' }), answer])
    void bot.closed.then(() => {
      isClosed = true
    })
    await reload([one.plugin({ station: 'b' }), answer])
    expect(isClosed).toBe(false)
    await reload([one.plugin({ station: 'over' }), answer])
    await bot.closed
  })

  it('keeps its connection when the bot gets another name', async () => {
    const one = radio('one')
    await start([one.plugin({ station: 'a' }), answer])
    const plugins = [one.plugin({ station: 'a' }), answer]
    expect(await bot.reload({ persona: { name: 'momo' }, database: false, plugins })).toMatchObject({ restarted: ['answer'] })
    expect(one.lives).toHaveLength(1)
    expect(one.lives[0]?.ctx.bot.name).toBe('momo')
  })
})

describe('routes', () => {
  const one = radio('one').plugin({ station: 'a' })
  const web = definePlatform({
    name: 'web',
    servesHttp: () => true,
    options: z.strictObject({ says: z.string(), hold: z.custom<() => Promise<void>>().optional() }),
    setup: (_ctx, { says, hold }) => ({
      routes(server) {
        server.get('/word', async () => {
          await hold?.()
          return says
        })
      },
    }),
  })
  const other = definePlatform({
    name: 'other',
    servesHttp: () => true,
    setup: () => ({ routes: server => void server.get('/other', () => 'other') }),
  })

  let address: string
  beforeEach(async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const given = server.address()
    address = `127.0.0.1:${typeof given === 'object' ? given?.port : ''}`
    await new Promise(resolve => server.close(resolve))
  })
  const get = async (path: string) => {
    const response = await fetch(`http://${address}${path}`)
    return response.ok ? response.text() : response.status
  }

  it('belong to the running plugins, and requests to the old ones are answered', async () => {
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hold = () => {
      begun.resolve()
      return end.promise
    }
    await start([one, web({ says: 'old', hold }), other], address)
    const asked = get('/word')
    await begun.promise
    await reload([one, web({ says: 'new' }), other])
    expect([await get('/word'), await get('/other'), await get('/healthz')]).toEqual(['new', 'other', '{"ok":true}'])
    end.resolve()
    expect(await asked).toBe('old')
    await reload([one, other])
    expect([await get('/word'), await get('/other')]).toEqual([404, 'other'])
  })

  it('that cannot be added leave the previous ones', async () => {
    const twice = definePlatform({
      name: 'twice',
      servesHttp: () => true,
      setup: () => ({ routes: server => void server.get('/other', () => 'twice') }),
    })
    await start([one, other], address)
    await expect(reload([one, other, twice])).rejects.toThrow('/other')
    expect(await get('/other')).toBe('other')
  })
})
