// postgres: the statements of chroma
import { once } from 'node:events'
import { createServer } from 'node:http'
import facts, { type FactStore, Facts } from '@kikimimi/facts'
import { vectorContract } from '@kikimimi/facts/testing'
import { ChromaClient } from 'chromadb'
import { type Conversation, conversationId, type Database, definePlugin, type Plugin, systemClock } from 'kikimimi'
import { openTestDatabase, silentLog, testBot } from 'kikimimi/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { createCalls } from './calls.ts'
import { chromaIndex } from './chroma-index.ts'
import chroma from './index.ts'
import { chromaServer, whyNoChroma } from './test-server.ts'

const whyNot = await whyNoChroma()

describe.skipIf(whyNot !== undefined)('with a Chroma server', async () => {
  if (whyNot !== undefined) return
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await chromaServer())
  const closing = opening.move()
  afterAll(() => closing.disposeAsync())
  const client = new ChromaClient({ host: '127.0.0.1', port: server.port })
  const collections = async () => (await client.listCollections()).map(({ name }) => name)

  vectorContract('Chroma', async () => {
    const db = await openTestDatabase({ migrations: { chroma: new URL('./migrations/', import.meta.url) } })
    const calls = createCalls(
      { host: '127.0.0.1', port: server.port, ssl: false, headers: {} },
      { clock: systemClock, log: silentLog },
    )
    const index = chromaIndex({ db, calls, prefix: 'contract' })
    return {
      index,
      empty: () => index.keepOnly({ name: 'none', dimensions: 1 }),
      close: () => db.close(),
    }
  })

  async function memory(own: Plugin[] = [chroma({ port: server.port })]) {
    let lent: FactStore | undefined
    const borrower = definePlugin({
      name: 'borrower',
      needs: [Facts],
      setup: ctx => {
        lent = ctx.use(Facts)
      },
    })
    const embeddings = { ...topics }
    const plugins = [facts(), borrower(), own]
    const bot = await testBot({ storage: 'pglite', plugins, models: { embeddings }, logLevel: 'info' })
    const store = () => lent ?? expect.fail('the bot has not started')
    return {
      bot,
      embeddings,
      keep: (content: string) => store().add({ conversation: place, content }),
      forget: (ids: number[]) => store().forget(ids),
      ask: async (text: string) =>
        (await store().recall({ conversation: place, text })).map(one => (one.kind === 'fact' ? one.fact.content : '')),
      /** The network takes real time, so the clock of the bot must not advance too fast. */
      stored: (count: number) =>
        expect.poll(() => bot.pass('1s').then(() => vectorsOf(bot.db)), { timeout: 120_000, interval: 50 }).toBe(count),
      [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
    }
  }

  test('a search by vector finds a fact that shares no word with the question', async () => {
    await using m = await memory()
    await m.keep('Bob is a physician')
    await m.keep('the bus is late')
    await m.bot.pass('1s')
    await m.stored(2)
    expect((await m.ask('whom do I see, a doctor?'))[0]).toBe('Bob is a physician')
    expect((await m.bot.db.query('select * from facts.vector')).rows).toEqual([])
  })

  test('while the server is down the search uses words, and vectors follow later', async () => {
    await using m = await memory()
    await m.keep('Bob is a physician')
    await m.bot.pass('1s')
    await m.stored(1)

    await server.kill()
    expect(await m.ask('which physician?')).toEqual(['Bob is a physician'])
    expect(await m.ask('a doctor?')).toEqual([])
    const { id } = await m.keep('green tea is what Carol likes')
    expect((await m.keep('a kettle for the drinks')).outcome).toBe('new')
    expect(await m.ask('what does Carol like?')).toEqual(['green tea is what Carol likes'])
    expect(await m.forget([id])).toBe(1)
    const warnings = m.bot.log.filter(line => line.includes('Until it responds, memory is searched by words only'))
    expect(warnings).toEqual([expect.stringContaining('docker compose --profile chroma up --detach')])

    await server.start()
    await m.keep('the bus is late')
    await m.stored(3)
    await expect.poll(async () => (await m.ask('a doctor?'))[0]).toBe('Bob is a physician')
    expect((await m.ask('tea, a hot one'))[0]).toBe('a kettle for the drinks')
    expect(m.bot.log.some(line => line.includes('responds again'))).toBe(true)
  })

  test('a bot starts while the server is down, and logs the remedy', async () => {
    await server.kill()
    await using m = await memory()
    expect(m.bot.log).toEqual([expect.stringContaining(`Chroma at http://127.0.0.1:${server.port} cannot be reached`)])
    await m.keep('Bob is a physician')
    expect(await m.ask('which physician?')).toEqual(['Bob is a physician'])
    await server.start()
    await m.keep('the bus is late')
    await m.stored(2)
    expect((await m.ask('a doctor?'))[0]).toBe('Bob is a physician')
  })

  test('a server that lost its data gets all vectors again', async () => {
    await using m = await memory()
    await m.keep('Bob is a physician')
    await m.bot.pass('1s')
    await m.stored(1)
    await server.kill()
    await server.lose()
    await server.start()
    expect(await m.ask('which physician?')).toEqual(['Bob is a physician'])
    await m.keep('a kettle for the drinks')
    await m.bot.pass('1s')
    await m.stored(2)
    expect(await m.ask('a doctor?')).toEqual(['Bob is a physician'])
  })

  test('another model gets a new collection; collections of other bots stay', async () => {
    await client.createCollection({ name: 'kikimimi-of-somebody-else', embeddingFunction: null })
    await using m = await memory()
    await m.keep('Bob is a physician')
    await m.bot.pass('1s')
    await m.stored(1)
    const before = await ours(m.bot.db)

    m.embeddings.model = 'newer'
    await m.bot.restart()
    await m.keep('a kettle for the drinks')
    await m.bot.pass('1s')
    await m.stored(2)
    await expect.poll(() => ours(m.bot.db)).toHaveLength(1)
    expect(await ours(m.bot.db)).not.toEqual(before)
    expect(await collections()).toEqual(expect.arrayContaining(['kikimimi-of-somebody-else', ...(await ours(m.bot.db))]))
    expect(await collections()).not.toEqual(expect.arrayContaining(before))
  })

  test('a bot that adds Chroma later moves its vectors there', async () => {
    const later: Plugin[] = []
    await using m = await memory(later)
    await m.keep('Bob is a physician')
    await m.bot.pass('1s')
    const inDatabase = async () => (await m.bot.db.query('select * from facts.vector')).rows.length
    expect(await inDatabase()).toBe(1)

    later.push(chroma({ port: server.port }))
    await m.bot.restart()
    expect(await m.ask('which physician?')).toEqual(['Bob is a physician'])
    // The clock reaches midnight, when the memory is cleaned up, and not more: the network needs real time.
    await m.bot.pass('14h')
    await m.stored(1)
    // The bot sees them there a moment after the server counts them.
    await expect.poll(() => m.ask('a doctor?')).toEqual(['Bob is a physician'])
    await expect.poll(inDatabase).toBe(0)
  })

  async function ours(db: Database): Promise<string[]> {
    return (await db.query<{ name: string }>('select name from chroma.collection')).rows.map(({ name }) => name)
  }

  async function vectorsOf(db: Database): Promise<number> {
    const there = await collections()
    const counts = (await ours(db)).map(name =>
      there.includes(name) ? client.getCollection({ name }).then(one => one.count()) : 0,
    )
    return (await Promise.all(counts)).reduce<number>((sum, count) => sum + count, 0)
  }
})

describe('at the start', () => {
  /** A server that gives one answer to every request; 0: it never responds. */
  async function answering(status: number, body: string) {
    const server = createServer((_request, response) => {
      if (status > 0) response.writeHead(status).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return { port, [Symbol.dispose]: close }
  }

  test.each([
    ['a refusal', 401, '', 'refuses the bot. Set chroma({ headers })'],
    ['a web page', 200, '<html>', 'does not answer like Chroma'],
    ['a page that is not there', 404, 'not found', 'does not answer like Chroma'],
  ])('%s refuses the start, with the remedy', async (_what, status, body, told) => {
    using server = await answering(status, body)
    await expect(testBot({ plugins: [facts(), chroma({ port: server.port })] })).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message: expect.stringContaining(told),
    })
  })

  test.each([
    ['is overloaded', 503, 'failed: 503'],
    ['never answers', 0, 'did not answer within 2 s'],
  ])('a server that %s does not refuse the start', async (_what, status, told) => {
    using server = await answering(status, '')
    await using bot = await testBot({ plugins: [facts(), chroma({ port: server.port })] })
    expect(bot.log).toEqual([expect.stringContaining(told)])
  })

  test('invalid options are refused', async () => {
    const plugins = [facts(), chroma({ host: 'http://chroma:8000', port: 0, prefix: '' })]
    await expect(testBot({ plugins })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(/host: expected a host alone.*port.*prefix: expected up to 21/s),
    })
  })
})

const where = { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' } as const
const place: Conversation = { ...where, id: conversationId(where) }

/** A model that knows two topics. */
const topics = {
  model: 'topics',
  embedDocuments: async (texts: string[]) =>
    texts.map(text => [Number(/doctor|physician/.test(text)), Number(/tea|drink/.test(text)), 0.1]),
}
