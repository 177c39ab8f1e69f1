/** `kikimimi doctor security` on configurations with dangers. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { called } from '../../testing/command.ts'

const CACHE = fileURLToPath(new URL('../../../../.cache/', import.meta.url))

let folder: string
beforeAll(async () => {
  // Inside the workspace, so that the config finds the packages.
  await mkdir(CACHE, { recursive: true })
  folder = await mkdtemp(join(CACHE, 'security-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0

interface Entry {
  readonly check: string
  readonly severity: string
  readonly what: string
  readonly where?: string
  readonly remedy?: string
}

/** What is found in a bot, which stands on line 4. */
async function examined(settings: string, { plugins = '', env = {} }: { plugins?: string; env?: NodeJS.ProcessEnv } = {}) {
  const file = `bot-${++count}.config.ts`
  const head = `import dashboard from '@kikimimi/dashboard'\nimport facts from '@kikimimi/facts'; import remember from '@kikimimi/remember'\nimport terminal from '@kikimimi/terminal'; import { defineBot, definePlugin } from 'kikimimi'`
  const bot = `export default defineBot({ persona: { name: 'kiki' }, plugins: [terminal(), ${plugins}],\n${settings} })`
  await writeFile(join(folder, file), `${head}\n${bot}\n`)
  const { code, out, err } = await called(['doctor', 'security', '--json', '--config', file], { cwd: folder, env })
  expect(err).toBe('')
  const entries: Entry[] = out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  return { code, file, entries }
}

/** What is wrong with a bot, each with its place. */
async function dangers(...bot: Parameters<typeof examined>) {
  const { code, file, entries } = await examined(...bot)
  const wrong = entries.filter(({ severity }) => severity !== 'ok')
  expect(code).toBe(wrong.length > 0 ? 1 : 0)
  for (const { remedy } of wrong) expect(remedy).toMatch(/\w/)
  return wrong.map(
    ({ severity, what, where }) => `${severity} ${what} (${where?.replace(`${folder}/`, '').replace(file, 'bot.config.ts')})`,
  )
}

describe('who may do what', () => {
  const tools = `definePlugin({ name: 'work', setup: () => ({ tools: [
    { name: 'look', description: 'look', schema: {}, invoke: async () => 'done' },
    { name: 'erase', description: 'erase', schema: {}, invoke: async () => 'done' },
    { name: 'keep', description: 'keep', schema: {}, isOrder: true, invoke: async () => 'done' },
  ] }) })`
  const access = async (settings: string, plugins = tools) =>
    (await examined(settings, { plugins })).entries.filter(({ check }) => check === 'access').map(({ what }) => what)

  test('everybody, without rules', async () => {
    expect(await access('')).toEqual([
      ...['calls: everyone', 'orders: everyone', 'the tool look of work: everyone', 'the tool erase of work: everyone'],
      'the tool keep of work: everyone, of those who may give orders: everyone',
      'open to everybody who can write to the bot: calls, orders, the tool look of work, the tool erase of work, the tool keep of work',
    ])
  })

  test('those whom the rules name, in places too', async () => {
    const rules = `access: {
      call: ['members', 'role:friends', 'person:U1'], orders: ['admins'], tools: { erase: 'nobody' },
      channels: { help: { call: 'everyone' }, ops: { tools: ['admins'] } },
    }`
    expect(await access(rules)).toEqual([
      'calls: only members, role:friends, one person; everyone in the channel help',
      'orders: only admins',
      'the tool look of work: everyone; only admins in the channel ops',
      'the tool erase of work: nobody; only admins in the channel ops',
      'the tool keep of work: everyone; only admins in the channel ops, of those who may give orders: only admins',
      'open to everybody who can write to the bot: nothing',
    ])
  })

  test('the tools of the plugins that remember', async () => {
    const found = await access('', `facts(), remember()`)
    expect(found).toContain('the tool search_memory of facts: everyone')
    expect(found.some(what => /^the tool \w+ of remember: everyone, of those who may give orders: everyone$/.test(what))).toBe(
      true,
    )
  })
})

describe('dangers of a configuration', () => {
  test('none', async () => {
    expect(await dangers(`http: '127.0.0.1:9000'`, { plugins: 'dashboard()' })).toEqual([])
  })

  test('a dashboard without a password that other machines can reach, and no TLS', async () => {
    expect(await dangers(`http: '0.0.0.0:9000'`, { plugins: 'dashboard()' })).toEqual([
      expect.stringMatching(/^warning the HTTP server listens on 0\.0\.0\.0 without TLS: .* \(bot\.config\.ts:5\)$/),
      'error the dashboard has no password, and other machines can reach it on 0.0.0.0 (bot.config.ts:4)',
    ])
    expect(
      await dangers('', {
        plugins: 'dashboard()',
        env: { KIKIMIMI_HTTP: '[::]:9000', DASHBOARD_PASSWORD: 'long-enough-and-random' },
      }),
    ).toEqual([expect.stringMatching(/^warning the HTTP server listens on :: without TLS/)])
  })

  test.each(['password1234', 'kikimimi2026', 'aaaaaaaaaaaa', '123456789012', 'Administrator!'])(
    'the password %s',
    async password => {
      expect(await dangers('', { plugins: 'dashboard()', env: { DASHBOARD_PASSWORD: password } })).toEqual([
        expect.stringMatching(/^error the password of the dashboard is one that is guessed first/),
      ])
    },
  )

  test('a database on another machine, with a default password and without encryption', async () => {
    const found = await dangers('database: process.env.DATABASE_URL', {
      env: { DATABASE_URL: 'postgres://kiki:postgres@db.example/bot' },
    })
    expect(found).toEqual([
      'warning the connection to the database on db.example is not encrypted (bot.config.ts:5)',
      'error the password of the database on db.example is one that is guessed first (bot.config.ts:5)',
    ])
    const env = { DATABASE_URL: 'postgres://kiki:b2f0c8e1d4@db.example/bot?sslmode=verify-full' }
    expect(await dangers('database: process.env.DATABASE_URL', { env })).toEqual([])
  })

  test('the password of a database that comes apart from the URL', async () => {
    const DATABASE_URL = 'postgres://kiki@db.example/bot?sslmode=verify-full'
    const found = (PGPASSWORD: string) => dangers('database: process.env.DATABASE_URL', { env: { DATABASE_URL, PGPASSWORD } })
    expect(await found('b2f0c8e1d4')).toEqual([])
    expect(await found('')).toEqual([])
    expect(await found('change-me')).toEqual([
      'error the password of the database on db.example is one that is guessed first (environment)',
    ])
  })

  test.each([
    ['a token of Slack', `apology: 'xoxb-${'1234567890'}-abcdefghij',`],
    ['a token of Discord', `apology: '${'M'.repeat(24)}.${'G'.repeat(6)}.${'x'.repeat(30)}',`],
    ['a key of Google', `apology: 'AIza${'x'.repeat(35)}',`],
    ['a key of a model', `apology: 'sk-ant-${'x'.repeat(20)}',`],
    ['a password in a URL', `database: 'postgres://kiki:hunter2secret@127.0.0.1/bot',`],
  ])('%s as a literal, which is not shown', async (name, setting) => {
    expect(await dangers(setting)).toEqual([
      `error ${name} stands in the configuration, where version control and backups keep it (bot.config.ts:5)`,
    ])
  })

  test('a file of secrets that others can read, which --fix makes private', async () => {
    const path = join(folder, '.env')
    await writeFile(path, 'DISCORD_TOKEN=x\n', { mode: 0o644 })
    expect(await dangers('')).toEqual(['error all users of this machine can read it (644) (.env)'])
    const { code, out } = await called(['doctor', 'security', '--fix', '--config', `bot-${count}.config.ts`], { cwd: folder })
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Repaired: chmod 600') })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await dangers('')).toEqual([])
  })

  test('prompts that go to others, and certificates that are not checked', async () => {
    const env = { LANGSMITH_TRACING: 'true', NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect((await dangers('', { env })).sort()).toEqual([
      'error LANGSMITH_TRACING=true sends every prompt, with what people said, to LangSmith (environment)',
      'error NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate: anybody on the way can read tokens (environment)',
    ])
  })

  test('a model without a budget, and other bots', async () => {
    const models = `models: { chat: { name: 'dear', generate: async () => ({ text: 'hi' }) } }`
    expect(await dangers(models)).toEqual([
      'warning calls of dear have no limit: anybody who can write to the bot can spend your money (bot.config.ts:5)',
    ])
    expect(await dangers(`${models}, budget: { day: { tokens: 1_000 } }`)).toEqual([])
    expect(await dangers('listen: { bots: true }')).toEqual([
      'warning the bot listens to other bots in every channel: they can make it talk, and spend your money (bot.config.ts:5)',
    ])
  })
})
