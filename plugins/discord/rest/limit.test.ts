import { type Clock, systemClock } from 'kikimimi'
import { VirtualClock } from 'kikimimi/testing'
import { beforeEach, expect, test } from 'vitest'
import { createRequestLimit, type RequestLimit } from './limit.ts'

const API = 'https://discord.test/api/v10'
const WINDOW = 1_010

let clock: VirtualClock
let limit: RequestLimit
let sent: { readonly at: number; readonly path: string }[]
let answer: { status: number; headers: Record<string, string> }
let told: (readonly [string, number])[]

beforeEach(() => {
  clock = new VirtualClock(new Date(0))
  sent = []
  told = []
  answer = { status: 200, headers: {} }
  limit = createRequestLimit(
    { clock, timeoutMs: 1_000, perSecond: 3, usedUp: (route, ms) => told.push([route, ms]) },
    async url => {
      sent.push({ at: clock.now(), path: new URL(url).pathname.replace('/api/v10', '') })
      return new Response(null, answer) as never
    },
  )
})

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const pass = (ms: number) => clock.advance(clock.now() + ms, { settle })
const ask = (path: string, method = 'POST', signal?: AbortSignal) => {
  const asked = limit.makeRequest(`${API}${path}`, { method, ...(signal && { signal }) } as never)
  asked.catch(() => {})
  return asked
}
const many = (count: number, path = '/channels/1/messages') => Array.from({ length: count }, () => ask(path))

test('no second has more requests than allowed, whenever it begins', async () => {
  many(8)
  await pass(500)
  many(2)
  await pass(10_000)
  expect(sent).toHaveLength(10)
  expect(sent.map(({ at }) => sent.filter(one => one.at >= at && one.at < at + WINDOW).length).every(count => count <= 3)).toBe(
    true,
  )
  expect(sent.at(-1)?.at).toBe(3 * WINDOW)
})

test('answers to commands do not count', async () => {
  many(6, '/interactions/1/token/callback')
  many(6, '/webhooks/1/token/messages/@original')
  await settle()
  expect(sent).toHaveLength(12)
})

test('answers go before reads of the history and typing indicators', async () => {
  many(3)
  ask('/channels/1/messages', 'GET')
  ask('/channels/1/typing')
  many(3, '/channels/2/messages')
  await pass(5_000)
  expect(sent.map(({ path }) => path).slice(3, 6)).toEqual(Array(3).fill('/channels/2/messages'))
  expect(sent).toHaveLength(8)
})

test('a global limit of Discord pauses all requests', async () => {
  answer = { status: 429, headers: { 'X-RateLimit-Scope': 'global', 'Retry-After': '4' } }
  await ask('/channels/1/messages')
  answer = { status: 200, headers: {} }
  ask('/channels/2/messages')
  await pass(3_999)
  expect(sent).toHaveLength(1)
  await pass(1)
  expect(sent).toHaveLength(2)
})

test('a route that is used up is told to others, and held for their time', async () => {
  answer = { status: 200, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '4.5' } }
  await ask('/channels/1/messages')
  expect(told).toEqual([['POST /api/v10/channels/1/messages', 4_500]])
  limit.hold('POST /api/v10/channels/1/messages', 4_500)
  ask('/channels/1/messages')
  ask('/channels/2/messages')
  await pass(4_499)
  expect(sent.map(({ path }) => path)).toEqual(['/channels/1/messages', '/channels/2/messages'])
  await pass(1)
  expect(sent).toHaveLength(3)
})

test('a limit that ends soon is not told', async () => {
  answer = { status: 200, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '0.25' } }
  await ask('/channels/1/messages')
  expect(told).toEqual([])
})

test('a request that is called off leaves the queue', async () => {
  many(3)
  const stop = new AbortController()
  const asked = ask('/channels/2/messages', 'POST', stop.signal)
  await settle()
  stop.abort(new Error('stopped'))
  await expect(asked).rejects.toThrow('stopped')
  await pass(5_000)
  expect(sent).toHaveLength(3)
})

test('a clock that is set back does not stop the requests', async () => {
  let now = 10 * 60_000
  const wrong: Clock = { ...systemClock, now: () => now }
  limit = createRequestLimit({ clock: wrong, timeoutMs: 1_000, perSecond: 1 }, async url => {
    sent.push({ at: now, path: url })
    return new Response(null, answer) as never
  })
  await ask('/channels/1/messages')
  now = 0
  await ask('/channels/1/messages')
  expect(sent).toHaveLength(2)
})

test('a request counts until a second after its answer, because Discord can have received it as late as that', async () => {
  const answers: (() => void)[] = []
  limit = createRequestLimit({ clock, timeoutMs: 10_000, perSecond: 3 }, async url => {
    sent.push({ at: clock.now(), path: url })
    await new Promise<void>(resolve => answers.push(resolve))
    return new Response(null, answer) as never
  })
  many(4)
  await pass(700)
  expect(sent).toHaveLength(3)
  for (const one of answers) one()
  await pass(WINDOW - 1)
  expect(sent).toHaveLength(3)
  await pass(1)
  expect(sent.map(({ at }) => at)).toEqual([0, 0, 0, 700 + WINDOW])
})
