/** Input that is broken, huge, endless or hostile. */
import { connect } from 'node:net'
import { text as all } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, operations, send } from '../testing/attack.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'

let page: TestPage
beforeAll(async () => {
  page = await openPage()
})
afterAll(() => page[Symbol.asyncDispose]())

const local = () => ({ host: new URL(page.url).host })
const json = () => ({ ...local(), 'content-type': 'application/json' })
const isRefused = (status: number) => status >= 400 && status < 500

/** The server still works, and no error was logged. */
async function works(): Promise<void> {
  const said = await page.api('playground/messages', {
    method: 'POST',
    body: { room: 'general', author: 'alice', text: 'hello' },
  })
  expect(said.status).toBe(200)
  expect(page.log).toEqual([])
}

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const array = JSON.stringify(Array.from({ length: 100_000 }, (_, n) => n))

const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  'half a JSON': '{"room":',
  'no JSON': 'room=general',
  'a text': '"general"',
  'a number': '1e400',
  null: 'null',
  'an empty object': '{}',
  'a list': '[{"room":"general"}]',
  'a huge list': array,
  'a huge list in a field': `{"room":${array},"conversation":${array},"password":${array}}`,
  'deep nesting': nested(200_000),
  'deep nesting of lists': '['.repeat(400_000),
  'a prototype': '{"__proto__":{"polluted":true},"room":"general","author":"alice","text":"x"}',
  'the prototype of a constructor':
    '{"constructor":{"prototype":{"polluted":true}},"room":"general","author":"alice","text":"x"}',
  'fields of other types':
    '{"room":{"toString":1},"author":[["alice"]],"text":{"length":3},"conversation":1,"id":true,"platform":{}}',
  'a field twice': '{"room":"general","room":{"$ne":null},"text":"x"}',
  'three megabytes': `{"text":"${'x'.repeat(3_000_000)}"}`,
  'bytes that are no text': Buffer.from('{"room":"\xff\xfe","author":"alice","text":"x"}', 'latin1'),
  'half a surrogate': '{"room":"general","author":"alice\\ud800","text":"\\ud800"}',
}

test.each(Object.entries(BODIES))('%s is refused by every route with a body', async (_what, body) => {
  for (const { method, path, hasBody } of await operations(page)) {
    if (!hasBody) continue
    const { status, body: told } = await ask(page.url, { method, path, headers: json(), body }).catch(endOf)
    expect([method, path, status]).toEqual([method, path, expect.toSatisfy(isRefused)])
    expect(told).not.toMatch(/node_modules|\.ts:\d|at Object\./)
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  await works()
})

/** A client that sends too much is disconnected, before or after the response. */
function endOf(error: unknown) {
  if (error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
    return { status: 413, body: '' }
  throw error
}

const QUERIES: Readonly<Record<string, string>> = {
  'a prototype': 'limit=__proto__&__proto__[polluted]=1&constructor[prototype][polluted]=1',
  'a list': 'limit[]=1&room[]=general&conversation[]=a',
  'a value twice': 'limit=1&limit=2&room=a&room=b&conversation=a&conversation=b',
  'an operator': 'room[$ne]=a&conversation[$gt]=',
  'numbers out of range': 'limit=1e9&before=-1',
  'the character NUL': 'turn=%00&conversation=%00&text=%00',
  'far too much': `conversation=${'x'.repeat(8_000)}`,
  'a line break': 'room=%0d%0aset-cookie:a=b&conversation=%0d%0aset-cookie:a=b',
  'half a character': 'room=%E0%A4%A&%E0%A4%A=1&conversation=%E0%A4%A',
  SQL: 'conversation=%27;%20drop%20table%20kikimimi.message;%20--&text=%27)%20or%20(%271%27=%271&turn=%27%20or%201=1',
  'a search that means something else': 'text=%25%20_%20%26%20!%20(%20%3A*%20%3C-%3E&conversation=playground%2F%2Fgeneral',
}

test.each(Object.entries(QUERIES))('%s in a query does no harm to any route', async (_what, query) => {
  for (const { method, path } of await operations(page)) {
    if (method !== 'GET') continue
    const { status, headers } = await ask(page.url, { path: `${path}?${query}`, headers: local() })
    expect([path, status]).toEqual([path, expect.toSatisfy(one => one < 500)])
    expect(headers['set-cookie']).toBeUndefined()
  }
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  await works()
})

describe('no path leads to other files', () => {
  const UP = ['..', '%2e%2e', '%2E.', '..%00', '%252e%252e', '....', '..;', '\\..', '%c0%ae%c0%ae', '%uff0e%uff0e']
  const DOWN = ['/', '%2f', '%5c', '%255c', '\\', '%c0%af', '//', '/./']
  test.each(['/', '/vendor/', '/look/', '/api/', '/vendor/preact.js/'])('from %s', async from => {
    for (const up of UP) {
      for (const down of DOWN) {
        for (const file of [`index.ts`, `package.json`, `etc${down}passwd`]) {
          const path = `${from}${`${up}${down}`.repeat(file.startsWith('etc') ? 12 : 1)}${file}`
          const { status, body } = await ask(page.url, { path, headers: local() })
          expect([path, status]).toEqual([path, expect.toSatisfy(isRefused)])
          expect(body).not.toMatch(/definePlugin|"@kikimimi|root:/)
        }
      }
    }
  })
})

test('names and ids with line breaks are refused, or appear in no header', async () => {
  const broken = 'a\r\nset-cookie: kikimimi_session=planted\r\nx-evil: 1'
  const body = { room: 'general', author: 'alice', text: 'hello' }
  const attempts: Record<string, unknown>[] = [
    { ...body, room: broken },
    { ...body, author: broken },
    { ...body, thread: broken },
    { ...body, replyTo: broken },
    { ...body, text: broken },
  ]
  const answers = await Promise.all(attempts.map(one => page.api('playground/messages', { method: 'POST', body: one })))
  for (const path of [
    'panels/',
    'playground/messages?room=',
    'turns?conversation=',
    'turns?turn=',
    'facts?text=',
    'channel?conversation=',
  ])
    answers.push(await page.api(path + encodeURIComponent(broken)))
  expect(answers.map(({ status }) => status).filter(status => status >= 500)).toEqual([])
  for (const { headers } of answers) expect([headers.get('set-cookie'), headers.get('x-evil')]).toEqual([null, null])
  expect(answers.slice(0, 2).map(({ status }) => status)).toEqual([400, 400])
})

test('half a surrogate pair is refused in a text, a name or an id', async () => {
  const body = { room: 'general', author: 'alice', text: 'hello' }
  const half = '\ud83d'
  const said = (await (await page.api('playground/messages', { method: 'POST', body })).json()) as { id: string }
  const status = async (path: string, more: object) => (await page.api(path, { method: 'POST', body: more })).status
  for (const key of ['thread', 'text', 'replyTo'])
    expect([key, await status('playground/messages', { ...body, [key]: `a${half}` })]).toEqual([key, 400])
  const reaction = { room: 'general', by: 'alice', emoji: half }
  expect(await status(`playground/messages/${said.id}/reactions`, reaction)).toBe(400)
  expect(await status('people/forget', { platform: 'playground', id: half })).toBe(400)
  await works()
})

test('headers that are too large or contradictory are refused', async () => {
  const { host } = new URL(page.url)
  const head = `POST /api/playground/messages HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`
  expect(await send(page.url, `${head}x-long: ${'x'.repeat(100_000)}\r\n\r\n`).catch(String)).toMatch(/431|ECONNRESET/)
  const smuggled = `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /api/turns HTTP/1.1\r\nhost: ${host}\r\n\r\n`
  const answer = await send(page.url, smuggled)
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  await works()
})

test('an endless body is cut off at its limit', async () => {
  const { hostname, port, host } = new URL(page.url)
  const socket = connect(Number(port), hostname)
  // A disconnect can appear as a reset.
  socket.on('error', () => {})
  const answer = all(socket).catch(String)
  socket.write(
    `POST /api/playground/messages HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  let sent = 0
  for (
    const chunk = `2710\r\n${'x'.repeat(10_000)}\r\n`;
    !socket.destroyed && socket.writable && sent < 10_000_000;
    sent += 10_000
  ) {
    socket.write(chunk)
    await pause(1)
  }
  expect(await answer).toMatch(/413|ECONNRESET|EPIPE/)
  expect(sent).toBeLessThan(10_000_000)
  await works()
})

test('a client that sends one byte delays neither others nor the stop', async () => {
  await using other = await openPage()
  const { hostname, port, host } = new URL(other.url)
  const slow = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST /api/playground/messages HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    )
    return socket
  })
  expect((await other.api('turns')).status).toBe(200)
  const began = performance.now()
  await other.bot.stop()
  // Requests have five seconds to end.
  expect(performance.now() - began).toBeLessThan(60_000)
  for (const socket of slow) socket.destroy()
})
