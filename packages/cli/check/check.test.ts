// postgres: the check describes a server
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bot, startBot, systemClock } from 'kikimimi'
import { createLogger, KERNEL_MIGRATIONS, migrate, openDatabase } from 'kikimimi/host'
import { definePlatform } from 'kikimimi/platform'
import { freePort, testServer } from 'kikimimi/testing'
import { type Gemini, startGemini } from 'kikimimi/testing/gemini'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { check } from './check.ts'

const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })
const kernel = KERNEL_MIGRATIONS

let folder: string
beforeAll(async () => {
  const cache = fileURLToPath(new URL('../../../.cache/', import.meta.url))
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'check-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0

/** The findings for a bot with these settings, one per line. */
async function checked(
  settings: string,
  { imports = '', plugins = '', env = {} }: { imports?: string; plugins?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const file = join(folder, `bot-${++count}.config.ts`)
  const bot = `export default defineBot({ persona: { name: 'kiki' }, database: 'memory', plugins: [${plugins}], ${settings} })`
  await writeFile(file, `import { defineBot, definePlugin, service } from 'kikimimi'\n${imports}\n${bot}\n`)
  const lines: string[] = []
  for await (const { what, problem, warning } of check(file, { clock: systemClock, log, env })) {
    const line = problem === undefined ? `${warning ? ' !' : 'ok'} ${what}` : `!! ${what}: ${problem}`
    lines.push(line.replaceAll(`${folder}/`, ''))
  }
  return lines
}

const about = (lines: readonly string[], ...words: string[]) =>
  lines.filter(line => words.some(word => line.slice(3).startsWith(word)))

describe('what is checked', () => {
  test('of a bot without problems', async () => {
    const imports = ['addressing', 'reply', 'terminal'].map(name => `import ${name} from '@kikimimi/${name}'`).join('\n')
    expect(await checked('', { imports, plugins: 'terminal(), addressing(), reply()' })).toEqual([
      `ok Node ${process.versions.node}`,
      expect.stringMatching(/^ok bot-\d+\.config\.ts$/),
      'ok plugins',
      'ok database: in memory, lost when the bot stops',
      'ok model offline (chat, judge, summary, reflection): offline, answers by simple rules',
      'ok HTTP: no address is set',
    ])
  })

  test.each([
    ['en', 'Memory finds shared words only'],
    ['ja', '記憶は同じ言葉だけで探します'],
    ['ko', '기억은 같은 낱말로만 찾습니다'],
  ])('of a bot whose memory has no model for vectors, in the language %s', async (locale, said) => {
    const facts = { imports: `import facts from '@kikimimi/facts'`, plugins: 'facts()' }
    const saying = (lines: readonly string[]) => lines.filter(line => line.includes(said))
    const place = / ! bot-\d+\.config\.ts:3:\d+ {2}.*GOOGLE_API_KEY/
    expect(saying(await checked(`locale: '${locale}'`, facts))).toEqual([expect.stringMatching(place)])
    const ruler = `models: { embeddings: { embedDocuments: async texts => texts.map(text => [text.length]) } }`
    expect(saying(await checked(`locale: '${locale}', ${ruler}`, facts))).toEqual([])
  })

  test('a variable of bot.config.ts that has no value', async () => {
    const imports = 'const { FIRST_TOKEN, SECOND_TOKEN } = process.env'
    const env = { FIRST_TOKEN: '', SECOND_TOKEN: 'a token', THIRD_TOKEN: '' }
    const lines = await checked('', { imports, plugins: 'FIRST_TOKEN, SECOND_TOKEN && undefined', env })
    expect(about(lines, 'FIRST', 'SECOND', 'THIRD')).toEqual([
      ' ! FIRST_TOKEN has no value yet. Put it into .env after FIRST_TOKEN=.',
    ])
  })

  test('a config that does not load or is invalid ends the check', async () => {
    expect((await checked('', { imports: `import 'no-such-package'` })).slice(1)).toEqual([
      expect.stringMatching(/^!! bot-\d+\.config\.ts: .*:2:8 {2}the package "no-such-package" is not installed/),
    ])
    expect((await checked(`concurrency: 0, colour: 'red'`)).slice(2)).toEqual([
      expect.stringMatching(/^!! bot-\d+\.config\.ts:3:\d+: concurrency: /),
      expect.stringMatching(/^!! bot-\d+\.config\.ts:3:\d+: unknown option: "colour"/),
    ])
    const dear = `budget: { day: { money: 1 } }, models: { chat: { name: 'dear', generate: async () => {} } }`
    expect((await checked(dear)).join('\n')).toContain('no price for "dear"')
  })

  test('plugins that do not fit together do not hide other findings', async () => {
    const lonely = `definePlugin({ name: 'lonely', needs: [service('company')], setup: () => {} })`
    const lines = await checked(`plugins: [${lonely}]`)
    expect(about(lines, 'bot', 'HTTP').slice(1)).toEqual([
      expect.stringMatching(/^!! bot-\d+\.config\.ts:3:\d+: \[lonely\] needs the service "company"/),
      'ok HTTP: no address is set',
    ])
  })

  test('plugins have their own findings, and a failing check is reported without secrets', async () => {
    vi.stubEnv('SOME_TOKEN', undefined)
    const plugin = (name: string, run: string) =>
      `definePlugin({ name: '${name}', options: z.object({ apiKey: z.string() }), check: ${run}, setup: () => {} })({ apiKey: 'hunter2-of-${name}' })`
    const lines = await checked(
      `plugins: [${plugin('well', `() => [{ what: 'fine' }, { what: 'half', problem: 'Fill it.' }]`)}, ${plugin('ill', `({ apiKey }) => { throw new Error(apiKey + ' is refused, and ' + process.env.SOME_TOKEN) }`)}]`,
      { imports: `import { z } from 'zod'\nprocess.env.SOME_TOKEN = 'swordfish'`, env: { SOME_TOKEN: 'swordfish' } },
    )
    expect(about(lines, 'well', 'ill')).toEqual([
      'ok well: fine',
      '!! well: half: Fill it.',
      '!! ill: [secret] is refused, and [secret]',
    ])
  })
})

describe('the database', () => {
  const tables = (lines: readonly string[]) => about(lines, 'database', 'tables')
  const facts = { imports: `import facts from '@kikimimi/facts'` }

  test('a missing folder is not created', async () => {
    const target = join(folder, 'none')
    expect(tables(await checked(`database: '${target}'`))).toEqual(['ok database: none, will be created by the next start'])
    expect(tables(await checked(`database: '${target}'`))).toEqual(['ok database: none, will be created by the next start'])
  })

  test('a folder with other files is reported as no database', async () => {
    expect(tables(await checked(`database: '${folder}'`))).toEqual([
      expect.stringMatching(/^!! database: .* holds other files and no database .* Choose an empty folder/),
    ])
  })

  test('its kind and version, its tables, and their pending migrations', async () => {
    const target = join(folder, 'data')
    const db = await openDatabase(target, { clock: systemClock, log })
    await migrate(db, 'kikimimi', kernel, systemClock)
    await db.close()
    const kind = expect.stringMatching(/^ok database: data, PGlite with Postgres \d+\.\d+, pgvector \d/)
    expect(tables(await checked(`database: '${target}'`))).toEqual([kind, 'ok tables: up to date'])
    const pending = [kind, expect.stringMatching(/^ok tables: will be updated by the next start \(facts: \d+\)$/)]
    // The check changes nothing: the second time gives the same result.
    for (let at = 0; at < 2; at++) {
      expect(tables(await checked(`database: '${target}', plugins: [facts()]`, facts))).toEqual(pending)
    }
    const again = await openDatabase(target, { clock: systemClock, log })
    try {
      await again.query(`update kikimimi.migration set checksum = 'another' where owner = 'kikimimi'`)
      // In use, it is not opened.
      expect(tables(await checked(`database: '${target}'`))).toEqual([
        'ok database: data is in use by a running bot; stop the bot to check its tables',
      ])
    } finally {
      await again.close()
    }
    expect(tables(await checked(`database: '${target}'`))).toEqual([
      kind,
      expect.stringMatching(
        /^!! tables: \[kikimimi\] This data folder is of a version before 0\.1\.0, or 001-.* was edited since/,
      ),
    ])
  })

  test('an unreachable server is reported without the password', async () => {
    const lines = await checked(`database: 'postgres://kiki:hunter2secret@127.0.0.1:1/bot'`)
    expect(tables(lines)).toEqual([
      expect.stringMatching(/^!! database: Cannot reach Postgres at 127\.0\.0\.1:1, .*nothing listens there/),
    ])
    expect(lines.join()).not.toContain('hunter2secret')
  })

  test.runIf(testServer())('a server is reported with its version', async () => {
    expect(tables(await checked(`database: '${testServer()}'`))[0]).toMatch(/^ok database: Postgres \d+.*, pgvector \d/)
  })

  test('no database, when plugins need one', async () => {
    expect(tables(await checked('database: false'))).toEqual(['ok database: none, the bot keeps nothing'])
    expect(tables(await checked('database: false, plugins: [facts()]', facts))).toEqual([
      '!! database: none, but some plugins need one (facts). Set "database" in bot.config.ts.',
    ])
    const eavesdrop = { imports: "import eavesdrop from '@kikimimi/eavesdrop'" }
    const idle = await checked('database: false, plugins: [eavesdrop({ channels: [] })]', eavesdrop)
    expect(tables(idle)).toEqual(['ok database: none, the bot keeps nothing'])
    const listening = await checked(`database: false, plugins: [eavesdrop({ channels: ['dev'] })]`, eavesdrop)
    expect(tables(listening)[0]).toMatch(/some plugins need one \(eavesdrop\)/)
  })
})

describe('the models', () => {
  let gemini: Gemini
  beforeAll(async () => {
    gemini = await startGemini()
  })
  afterAll(() => gemini[Symbol.asyncDispose]())

  const imports = `import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'`
  const at = (model: string, apiKey: string) => `{ model: '${model}', apiKey: '${apiKey}', baseUrl: '${gemini.baseUrl}' }`

  test('each is called once, for any number of roles, and the offline one not at all', async () => {
    const model = `new ChatGoogleGenerativeAI(${at('gemini-2.5-flash', gemini.apiKey)})`
    const vectors = `new GoogleGenerativeAIEmbeddings(${at('gemini-embedding-001', gemini.apiKey)})`
    const lines = await checked(`models: { judge: ${model}, embeddings: ${vectors} }`, { imports })
    expect(about(lines, 'model')).toEqual([
      'ok model offline (chat, summary, reflection): offline, answers by simple rules',
      expect.stringMatching(/^ok model gemini-2\.5-flash \(judge\): answered in \d+\.\d s$/),
      expect.stringMatching(/^ok model gemini-embedding-001 \(embeddings\): answered in \d+\.\d s$/),
    ])
    expect(gemini.calls.filter(({ model }) => model === 'gemini-2.5-flash')).toHaveLength(1)
  })

  test('a refused key is reported with the error of the bot', async () => {
    const model = `new ChatGoogleGenerativeAI(${at('gemini-2.5-flash', 'not-the-key')})`
    const lines = await checked(`models: { chat: ${model} }`, { imports })
    expect(about(lines, 'model')).toEqual([
      expect.stringMatching(
        /^!! model gemini-2\.5-flash \(chat, judge, summary, reflection\): \[models\] gemini-2\.5-flash did not accept the API key \(.*Check the key/,
      ),
    ])
    expect(lines.join()).not.toContain('not-the-key')
  })
})

describe('the address', () => {
  let port: number
  let address: string
  beforeAll(async () => {
    port = await freePort()
    address = `127.0.0.1:${port}`
  })
  const radio = definePlatform({
    name: 'radio',
    setup: () => ({
      platform: { name: 'radio', me: { id: 'bot', name: 'kiki' }, limits: { textLength: 100 }, send: async () => ({ id: '1' }) },
    }),
  })
  const start = (): Promise<Bot> =>
    startBot({ persona: { name: 'kiki' }, database: false, http: address, plugins: [radio] }, { log })

  test('is the default when a plugin has routes and no address is set', async () => {
    const imports = `const web = definePlugin({ name: 'web', servesHttp: () => true, setup: () => ({ routes() {} }) })`
    const found = about(await checked('', { imports, env: { KIKIMIMI_HTTP: '' }, plugins: 'web' }), 'HTTP')
    // The first addresses can be in use on this machine.
    expect(found).toEqual([expect.stringMatching(/^ok HTTP: 127\.0\.0\.1:87\d\d is /)])
  })

  test('is free, used by a bot, or used by another program', async () => {
    expect((await checked(`http: '${address}'`)).at(-1)).toBe(`ok HTTP: ${address} is free`)
    await using bot = await start()
    expect((await checked('', { env: { KIKIMIMI_HTTP: address } })).at(-1)).toBe(`ok HTTP: ${address} is in use by a running bot`)
    await bot.stop()
    const { createServer } = await import('node:http')
    const other = createServer((_request, response) => void response.end('hello'))
    await new Promise<void>(resolve => other.listen(port, '127.0.0.1', resolve))
    try {
      expect((await checked(`http: '${address}'`)).at(-1)).toBe(
        `!! HTTP: Something already listens on ${address}. Start with KIKIMIMI_HTTP=127.0.0.1:${port < 65_535 ? port + 1 : port - 1}, or change "http" where bot.config.ts has it.`,
      )
    } finally {
      await new Promise(resolve => other.close(resolve))
    }
    expect((await checked(`http: 'nowhere'`)).at(-1)).toMatch(/^!! HTTP: "nowhere" is not an address for HTTP/)
  })
})
