/** The operator is told when a state of the bot begins and when it is over, once each. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import addressing from '@kikimimi/addressing'
import reply from '@kikimimi/reply'
import { Alerts, definePlugin, type Platform, type PluginContext } from 'kikimimi'
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
