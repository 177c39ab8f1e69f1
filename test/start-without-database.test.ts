// postgres: a start before its server
/** A start whose database server is away, comes later, or goes away in the middle, as a supervisor sees it. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { startDiscord } from '@kikimimi/discord/testing'
import facts from '@kikimimi/facts'
import reflection from '@kikimimi/reflection'
import { KikimimiError, startBot } from 'kikimimi'
import { collectLog, silentLog, testPlatform, VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { openTestDatabase, testServer } from '../core/testing/test-database.ts'
import { type Ended, startProcess } from './bot-process.ts'

const LOG = { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
const SECRET = 'hunter2secret'

const urlOf = (server: Server) => `postgres://kiki:${SECRET}@127.0.0.1:${(server.address() as AddressInfo).port}/bot`

async function listening(serve: (socket: Socket) => void) {
  const server = createServer(socket => {
    serve(socket.on('error', () => {}))
    // A socket that reads nothing does not notice its end.
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** The lines of the log about the database, and the last line. */
function told({ err }: Ended): readonly string[] {
  expect(err).not.toMatch(/^\s+at /m)
  expect(err).not.toContain(SECRET)
  return err.split('\n').filter(line => line.includes('Postgres at'))
}

/** Starts on a clock that runs ahead from the first attempt, so that half a minute of attempts takes as long as one. */
async function failedStart(url: string): Promise<{ readonly error: unknown; readonly lines: readonly string[] }> {
  const lines: string[] = []
  const clock = new VirtualClock()
  const ticking = setInterval(() => {
    if (lines.some(line => line.includes('tries it again'))) void clock.advance(clock.now() + 1_000, { settle: async () => {} })
  }, 10)
  try {
    const parts = { platforms: [testPlatform({ me: { id: 'bot', name: 'kiki' } })], env: {}, log: collectLog(lines), clock }
    const error = await startBot({ persona: { name: 'kiki' }, plugins: [], database: url }, parts).then(
      () => new Error('it started'),
      (thrown: unknown) => thrown,
    )
    expect(clock.now()).toBeGreaterThanOrEqual(30_000)
    expect(lines.join('')).not.toContain(SECRET)
    return { error, lines: lines.filter(line => line.includes('Postgres at')) }
  } finally {
    clearInterval(ticking)
  }
}

describe.concurrent('a start without a database', () => {
  test('ends with one sentence, when the server accepts and never answers', async () => {
    await using server = await listening(() => {})
    const { error, lines } = await failedStart(urlOf(server))
    expect(lines).toEqual([expect.stringMatching(/"level":"warn".*it does not answer\. .* The start tries it again for 30 s\."/)])
    expect(error).toBeInstanceOf(KikimimiError)
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Cannot reach Postgres at 127\.0\.0\.1:\d+, database "bot": it does not answer\. Check /),
    })
  })

  test('ends with one sentence, when nothing listens', async () => {
    const server = await listening(() => {})
    const url = urlOf(server)
    await server[Symbol.asyncDispose]()
    const { error, lines } = await failedStart(url)
    expect(lines).toEqual([
      expect.stringMatching(/"level":"warn".*nothing listens there\. .* The start tries it again for 30 s\."/),
    ])
    expect(error).toMatchObject({
      message: expect.stringMatching(/^Cannot reach Postgres at .*: nothing listens there\. Start the server, or correct /),
    })
  })

  test('ends at once with code 0, when it is asked to', async () => {
    const { promise: second, resolve } = Promise.withResolvers<void>()
    let connections = 0
    await using server = await listening(socket => {
      if (++connections === 2) resolve()
      socket.resetAndDestroy()
    })
    const bot = startProcess({ ...LOG, DATABASE_URL: urlOf(server) })
    await second
    const ended = await bot.stop()
    expect(told(ended)).toHaveLength(1)
    expect(ended.code).toBe(0)
  })
})

describe.skipIf(!testServer())('a start beside a server', () => {
  test('that answers after a while succeeds', async () => {
    const db = await openTestDatabase()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    const target = new URL(testServer() ?? '')
    let connections = 0
    // The first connection gets no answer, the second one is refused.
    await using door = await listening(socket => {
      connections++
      if (connections === 2) socket.resetAndDestroy()
      if (connections > 2) passOn(socket, target, () => true)
    })
    await using discord = await startDiscord()
    const url = throughDoor(db, door)
    const env = { ...LOG, DATABASE_URL: url, DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl }
    await using bot = startProcess(env)
    await bot.listening
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => discord.posted.length === 1)
    const ended = await bot.stop()
    expect(told(ended)).toHaveLength(1)
    expect(ended.code).toBe(0)
  })

  // Each start goes on where the one before was cut off: the database, its tables, the queue, the plugins.
  test.each(['reset', 'silent'] as const)('that becomes %s in the middle says so, and blames no other', async fault => {
    const db = await openTestDatabase()
    await using _closed = { [Symbol.asyncDispose]: () => db.close() }
    const target = new URL(testServer() ?? '')
    let left = 0
    await using door = await listening(socket => {
      if (left > 0) passOn(socket, target, () => --left > 0, fault)
      else if (fault === 'reset') socket.resetAndDestroy()
    })
    const config = { persona: { name: 'kiki' }, plugins: [facts(), reflection()], database: throughDoor(db, door) }
    const start = () =>
      startBot(config, { platforms: [testPlatform({ me: { id: 'bot', name: 'kiki' } })], env: {}, log: silentLog })
    const messages: string[] = []
    for (let packets = 5; ; packets = Math.ceil(packets * (fault === 'reset' ? 1.2 : 2))) {
      left = packets
      const bot = await start().catch((error: unknown) => error)
      if (!(bot instanceof Error)) {
        await (bot as Awaited<ReturnType<typeof start>>).stop()
        break
      }
      expect(bot, `after ${packets} packets: ${bot.stack}`).toBeInstanceOf(KikimimiError)
      messages.push(bot.message)
    }
    expect(messages.length).toBeGreaterThan(fault === 'reset' ? 10 : 3)
    for (const message of messages) {
      expect(message).toMatch(
        /^(?:Cannot reach|Lost the connection to) Postgres at .*|the connection with the lock of the upgrade is lost/,
      )
    }
  })
})

function throughDoor(db: Awaited<ReturnType<typeof openTestDatabase>>, door: Server): string {
  const url = new URL(db.kind === 'postgres' ? db.url : '')
  url.port = String((door.address() as AddressInfo).port)
  return url.href
}

/** @param passes whether the next packet of the bot reaches the server */
function passOn(socket: Socket, { hostname, port }: URL, passes: () => boolean, fault: 'reset' | 'silent' = 'reset'): void {
  const server = connect({ host: hostname, port: Number(port) }).on('error', () => {})
  socket.on('data', chunk => {
    if (passes()) server.write(chunk)
    else if (fault === 'reset') socket.resetAndDestroy()
  })
  server.on('data', chunk => socket.write(chunk))
  socket.on('close', () => server.destroy())
  server.on('close', () => socket.destroy())
}
