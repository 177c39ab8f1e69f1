/** The operator is told when a state of the bot begins and when it is over, once each. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import { definePlugin, Operator, type PluginContext } from 'kikimimi'
import { Alerts } from 'kikimimi/host'
import type { Platform } from 'kikimimi/platform'
import { scriptedModel, type TestBot, testBot, testPlatform } from 'kikimimi/testing'
import { expect, test } from 'vitest'

const SECRET = 'a key that signs'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  /** The status of answers. */
  status: number
}

/** A server on loopback that keeps what is posted to it. */
async function receiver(): Promise<Receiver> {
  const received: Received[] = []
  const state = { status: 204 }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (state.status < 300) received.push({ headers: request.headers, body })
    response.writeHead(state.status).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  })
}

/** A platform that can lose its connection: `link.why` says why. */
function shaky() {
  const link: { why: string | undefined } = { why: undefined }
  const platform: Platform = { ...testPlatform({ name: 'shaky', me: { id: 'bot', name: 'kiki' } }), unready: () => link.why }
  return { link, platform }
}

/** Lets time pass in the bot, which looks every 30 s, until this was told. Requests take time that its clock does not see. */
async function tells(bot: TestBot, hook: Receiver, expected: readonly string[]): Promise<void> {
  const next = async () => {
    await bot.pass('30s')
    return told(hook)
  }
  await expect.poll(next, { timeout: 60_000, interval: 5 }).toEqual(expected)
}

const told = ({ received }: Receiver) =>
  received.map(({ body }) => {
    const { state, alert, subject } = JSON.parse(body)
    return [state, alert, subject].join(' ').trim()
  })

const environment = ({ url }: Receiver) => ({ ALERT_WEBHOOK_URL: url, ALERT_SECRET: SECRET })

test('a lost connection is told once after five minutes, signed, and its end once, over a restart', async () => {
  await using hook = await receiver()
  const { link, platform } = shaky()
  await using bot = await testBot({ storage: 'pglite', env: environment(hook), morePlatforms: [platform] })
  await bot.pass('10m')
  link.why = 'the token is wrong'
  await tells(bot, hook, ['began not-connected shaky'])
  const [{ headers, body }] = hook.received as [Received]
  const { since, text: said, content, bot: name, id } = JSON.parse(body)
  const timestamp = Number(headers['kikimimi-timestamp'])
  expect([said, content, name]).toEqual([said, said, 'kiki'])
  expect(said).toBe('The bot has no connection to shaky: the token is wrong')
  const waited = timestamp - Date.parse(since) / 1_000
  expect([waited >= 300, waited <= 390]).toEqual([true, true])
  const signature = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  expect(headers['kikimimi-signature']).toBe(`v1=${signature}`)

  await bot.pass('20m')
  await bot.restart()
  await bot.pass('20m')
  link.why = undefined
  await tells(bot, hook, ['began not-connected shaky', 'over not-connected shaky'])
  expect(JSON.parse(hook.received[1]?.body ?? '')).toMatchObject({ id, since, text: `Over: ${said}` })
  expect((await bot.db.query('select name from kikimimi.alert')).rows).toEqual([])
})

test('what comes and goes is one state, and what is over before its time is not told', async () => {
  await using hook = await receiver()
  const { link, platform } = shaky()
  await using bot = await testBot({ storage: 'pglite', env: environment(hook), morePlatforms: [platform] })
  link.why = 'away'
  await bot.pass('4m')
  link.why = undefined
  await bot.pass('10m')
  expect(told(hook)).toEqual([])
  for (let time = 0; time < 6; time++) {
    link.why = time % 2 === 0 ? 'away' : undefined
    await bot.pass('2m')
  }
  link.why = undefined
  await tells(bot, hook, ['began not-connected shaky', 'over not-connected shaky'])
})

test('channels are told by the bot itself, but not on the platform that has no connection', async () => {
  await using hook = await receiver()
  const { link, platform } = shaky()
  await using bot = await testBot({
    storage: 'pglite',
    alerts: { channels: ['test/#ops', 'shaky/team/lost'] },
    env: environment(hook),
    morePlatforms: [platform],
  })
  await bot.say('olga', 'here come the alerts', { channel: 'ops' })
  link.why = 'away'
  await tells(bot, hook, ['began not-connected shaky'])
  await expect.poll(() => bot.posted).toMatchObject([{ channel: 'ops', text: '⚠️ The bot has no connection to shaky: away' }])
  link.why = undefined
  await tells(bot, hook, ['began not-connected shaky', 'over not-connected shaky'])
  await expect.poll(() => bot.sent.at(-1)).toBe('✅ Over: The bot has no connection to shaky: away')
  expect(bot.log).toEqual([])
})

test('a receiver that does not answer is told later, once, and the log says so once', async () => {
  await using hook = await receiver()
  hook.status = 500
  const { link, platform } = shaky()
  await using bot = await testBot({ storage: 'pglite', env: environment(hook), morePlatforms: [platform] })
  link.why = 'away'
  const warned = async () => {
    await bot.pass('30s')
    return bot.log.length
  }
  await expect.poll(warned, { timeout: 60_000, interval: 5 }).toBe(1)
  await bot.pass('10m')
  hook.status = 200
  await tells(bot, hook, ['began not-connected shaky'])
  expect(bot.log).toEqual([
    expect.stringContaining(`could not send an alert to webhook: the webhook at ${new URL(hook.url).host} answered 500`),
  ])
})

test('answers that fail, a budget that is nearly used and the problem of a plugin are told', async () => {
  await using hook = await receiver()
  let problem: string | undefined = 'the last backup failed: no space'
  const copier = definePlugin({
    name: 'copier',
    setup: () => ({ health: () => ({ state: 'copies', gauges: [], ...(problem !== undefined && { problem }) }) }),
  })
  await using bot = await testBot({
    storage: 'pglite',
    env: environment(hook),
    budget: { day: { tokens: 20_000 } },
    alerts: { budget: 0.1 },
    plugins: [copier, addressing(), reply()],
    model: scriptedModel(({ messages }) =>
      JSON.stringify(messages).includes('break') ? new Error('broken') : 'word '.repeat(9_000),
    ),
  })
  await tells(bot, hook, ['began plugin copier'])
  problem = undefined
  await tells(bot, hook, ['began plugin copier', 'over plugin copier'])
  await bot.say('alice', '@kiki tell me all')
  await tells(bot, hook, ['began plugin copier', 'over plugin copier', 'began budget day'])
  expect(hook.received.at(-1)?.body).toMatch(/\d+ % of the budget are used/)
})

test('dead letters, the database, models, failed answers and late turns each begin and end once', async () => {
  await using hook = await receiver()
  let [isMended, answers]: [boolean, 'well' | 'slowly' | 'broken'] = [false, 'well']
  let ctx: PluginContext | undefined
  const worker = definePlugin({
    name: 'worker',
    needs: [Operator],
    setup(one) {
      ctx = one
      one.job<object>('sum', async () => {
        if (!isMended) throw new Error('no')
      })
      return {
        respond: async () => {
          if (answers === 'slowly') await new Promise<void>(resolve => void one.clock.setTimeout(() => resolve(), 100_000))
          return undefined
        },
      }
    },
  })
  await using bot = await testBot({
    storage: 'pglite',
    env: environment(hook),
    concurrency: 1,
    plugins: [worker, addressing(), reply()],
    model: scriptedModel(() => (answers === 'broken' ? new Error('broken') : 'At ten.')),
  })
  const all: string[] = []
  const tellsOf = async (state: string) => {
    const [began, over] = [`began ${state}`, `over ${state}`]
    const mend = async (mended: () => unknown) => {
      await mended()
      await tells(bot, hook, [...all, over])
      all.push(over)
    }
    await tells(bot, hook, [...all, began])
    all.push(began)
    return mend
  }

  await bot.bot.jobs.schedule('worker.sum', {}, { key: 'today' })
  const letterGone = await tellsOf('dead-letters')
  const operator = ctx?.use(Operator)
  const [letter] = (await operator?.deadLetters()) ?? []
  isMended = true
  await letterGone(() => letter && operator?.replayDeadLetter(letter))

  // The bot cannot record any more.
  await bot.db.query('alter function kikimimi.beat(timestamptz) rename to gone')
  const databaseBack = await tellsOf('database')
  await databaseBack(() => bot.db.query('alter function kikimimi.gone(timestamptz) rename to beat'))

  answers = 'broken'
  for (let minute = 0; minute < 12; minute++) {
    await bot.say('alice', '@kiki when does it leave?')
    await bot.pass('1m')
  }
  all.push('began fails-to-answer')
  const modelsBack = await tellsOf('models-fail')
  answers = 'well'
  await modelsBack(() => {})
  await tells(bot, hook, [...all, 'over fails-to-answer'])
  all.push('over fails-to-answer')

  answers = 'slowly'
  for (let n = 0; n < 12; n++) await bot.say('alice', '@kiki when does it leave?', { channel: `room${n}` })
  const inTime = await tellsOf('turns-are-late')
  await inTime(() => {})
  await bot.pass('1h')
  expect(told(hook)).toEqual(all)
  for (const { headers, body } of hook.received) {
    const signature = createHmac('sha256', SECRET).update(`${headers['kikimimi-timestamp']}.${body}`).digest('hex')
    expect(headers['kikimimi-signature']).toBe(`v1=${signature}`)
  }
})

test('a test goes to each target, and says what is wrong', async () => {
  await using hook = await receiver()
  let ctx: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    needs: [Alerts],
    setup: one => {
      ctx = one
    },
  })
  await using bot = await testBot({
    storage: 'pglite',
    env: environment(hook),
    alerts: { channels: ['test/ops', 'test/none'] },
    plugins: [lender],
  })
  await bot.say('olga', 'here come the alerts', { channel: 'ops' })
  expect(await ctx?.use(Alerts).test()).toEqual([
    { target: 'webhook' },
    { target: 'test/ops' },
    { target: 'test/none', problem: expect.stringContaining('the bot has heard nothing in "test/none" yet') },
  ])
  expect([told(hook), bot.sent]).toEqual([['test test'], ['⚠️ This is a test of the alerts.']])
  const lines: string[] = []
  await expect(bot.bot.command('alert', [], { json: false, print: line => void lines.push(line) })).rejects.toThrow(
    'Not every target',
  )
  expect(lines.slice(0, 2)).toEqual(['ok webhook', 'ok test/ops'])
})

test('an address that is none is refused at the start, without its text', async () => {
  const starting = testBot({ storage: 'pglite', env: { ALERT_WEBHOOK_URL: 'hooks.example.com/T1/secret' } })
  await expect(starting).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.not.stringContaining('secret') })
})
