/** The bot of bot.config.ts finds by meaning as soon as it has a model, with no more than the variables of .env. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listPlugins, loadConfig } from 'kikimimi/host'
import { testBot } from 'kikimimi/testing'
import { startGemini } from 'kikimimi/testing/gemini'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'

const open = new AsyncDisposableStack()
afterAll(() => open.disposeAsync())

/** Requests that have no answer yet. */
const running = new Set<Promise<unknown>>()
/** Addresses that requests go to instead. */
const moved = new Map<string, string>()

beforeEach(() => {
  vi.resetModules()
  moved.clear()
  const others = [
    'DISCORD_TOKEN',
    'SLACK_BOT_TOKEN',
    'DASHBOARD_PASSWORD',
    'OLLAMA_EMBEDDING_MODEL',
    'OPENAI_EMBEDDING_MODEL',
    'LOCAL_EMBEDDINGS',
  ]
  for (const name of ['GOOGLE_API_KEY', 'OLLAMA_MODEL', 'OPENAI_MODEL', ...others]) vi.stubEnv(name, undefined)
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = fetch(`${moved.get(url.origin) ?? url.origin}${url.pathname}${url.search}`, init).then(
      // The whole body, so that the answer has arrived when the request has ended.
      async response => new Response(await response.arrayBuffer(), response),
    )
    const ended = answer.catch(() => {}).finally(() => running.delete(ended))
    running.add(ended)
    return answer
  })
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

test('with a key for Gemini', async () => {
  const gemini = open.use(await startGemini({ vector: vectorOf }))
  moved.set('https://generativelanguage.googleapis.com', gemini.baseUrl)
  const { spaces } = await asked({ GOOGLE_API_KEY: gemini.apiKey })
  const prompt = JSON.stringify(
    gemini.calls.findLast(({ route, text }) => route === 'generateContent' && text.includes('eat?'))?.body,
  )
  expect(prompt).toContain('Peanuts make me ill.')
  expect(spaces).toEqual(['gemini-embedding-2 title: none | text:/768'])
})

test.each([
  ['a model of Ollama', { OLLAMA_MODEL: 'qwen3:4b' }, 'OLLAMA_BASE_URL', '', 'embeddinggemma title: none | text:/8'],
  [
    'a server with the API of OpenAI',
    { OPENAI_MODEL: 'local', OPENAI_EMBEDDING_MODEL: 'bge-m3' },
    'OPENAI_BASE_URL',
    '/v1',
    'bge-m3/8',
  ],
])('with %s', async (_what, env, address, path, space) => {
  const server = await startServer()
  const { spaces } = await asked({ ...env, [address]: `${server.url}${path}` })
  const prompt = server.asked.findLast(body => body.includes('eat?') && body.includes('messages'))
  expect(prompt).toContain('Peanuts make me ill.')
  expect(spaces).toEqual([space])
})

test('without a key, with a static model in a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'meaning-'))
  open.defer(() => rm(folder, { recursive: true }))
  const table = { peanuts: [1, 0], eat: [1, 0], bicycle: [0, 1] }
  const vocab = [['<unk>', 0], ...Object.keys(table).map(word => [word, -1])]
  const rules = {
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    model: { type: 'Unigram', unk_id: 0, vocab },
  }
  const rows = Buffer.from(Float32Array.from([0, 0, ...Object.values(table).flat()]).buffer)
  const header = JSON.stringify({ embeddings: { dtype: 'F32', shape: [vocab.length, 2], data_offsets: [0, rows.length] } })
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  await writeFile(join(folder, 'model.safetensors'), Buffer.concat([length, Buffer.from(header), rows]))
  await writeFile(
    join(folder, 'tokenizer.json'),
    JSON.stringify({ added_tokens: [], post_processor: null, decoder: null, ...rules }),
  )
  const server = await startServer()
  const { spaces } = await asked({ OLLAMA_MODEL: 'qwen3:4b', OLLAMA_BASE_URL: server.url, LOCAL_EMBEDDINGS: folder })
  const prompt = server.asked.findLast(body => body.includes('eat?') && body.includes('messages'))
  expect(prompt).toContain('Peanuts make me ill.')
  expect(spaces).toEqual([`${basename(folder)}/2`])
})

test('not without a model for vectors', async () => {
  const server = await startServer()
  const { spaces } = await asked({ OPENAI_MODEL: 'local', OPENAI_BASE_URL: `${server.url}/v1` }, 0)
  expect(server.asked.findLast(body => body.includes('eat?'))).not.toContain('Peanuts')
  expect(spaces).toEqual([])
})

/** A talk, and a day later a question that shares no word with it. */
async function asked(env: Readonly<Record<string, string>>, vectors = 2) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const { config } = await loadConfig(fileURLToPath(new URL('../bot.config.ts', import.meta.url)))
  const { database: _, ...settings } = config
  const plugins = listPlugins(config.plugins).plugins.flatMap(({ name, plugin }) => (NEEDED.includes(name) ? [plugin] : []))
  // A model in a folder is read in real time. On the moved clock of the bot, that takes longer than a model may.
  if (env.LOCAL_EMBEDDINGS) await settings.models?.embeddings?.embedDocuments(['read the model now'])
  await using bot = await testBot({ ...settings, plugins })
  const settled = async () => {
    do {
      await Promise.all(running)
      for (let turn = 0; turn < 4; turn++) await setImmediate()
      await bot.pass(0)
    } while (running.size > 0)
  }
  await bot.say('alice', 'Peanuts make me ill.')
  await bot.say('bob', 'My bicycle is being repaired.')
  for (let seconds = 0; seconds < 120; seconds += 5) {
    await bot.pass('5s')
    await settled()
  }
  const stored = async () => {
    await bot.pass('5s')
    await settled()
    return (await bot.db.query('select item from facts.vector')).rowCount
  }
  await expect.poll(stored).toBe(vectors)
  await bot.pass('1h')
  await bot.say('bob', '@kiki where shall we eat?')
  await settled()
  expect(bot.sent).toHaveLength(1)
  const { rows } = await bot.db.query<{ key: string }>('select key from facts.space')
  return { spaces: rows.map(({ key }) => key) }
}

/** Without those that ask models in the background. */
const NEEDED = ['judge-rules', 'facts', 'reply']

/** Texts about food are near each other. */
function vectorOf(text: string, dimensions: number): number[] {
  const about = [/\beat\b|peanut/i, /bicycle/i].map(topic => Number(topic.test(text)))
  return Array.from({ length: dimensions }, (_, at) => about[at] ?? 0.01)
}

/** A server with the API of Ollama and that of OpenAI. */
async function startServer() {
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as { model: string; input?: string | string[] }
    asked.push(JSON.stringify(body))
    const { model } = body
    const vectors = [body.input ?? []].flat().map(text => vectorOf(text, 8))
    const answers: Record<string, unknown> = {
      '/api/chat': {
        model,
        message: { role: 'assistant', content: 'At home.' },
        done: true,
        prompt_eval_count: 1,
        eval_count: 1,
      },
      '/api/embed': { model, embeddings: vectors },
      '/v1/chat/completions': {
        id: '1',
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'At home.' }, finish_reason: 'stop' }],
      },
      '/v1/embeddings': { model, data: vectors.map((embedding, index) => ({ index, embedding })) },
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify(answers[request.url ?? ''])}\n`)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.defer(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
