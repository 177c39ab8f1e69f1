/** `kikimimi eval` with a real client and a server that speaks its format. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readScenes } from '../eval/scenes.ts'
import { called } from '../testing/command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

let folder: string
let server: LLMock
beforeEach(async () => {
  // Inside the workspace, so that a config there finds the packages.
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache/eval-'))
  server = new LLMock({ port: 0, logLevel: 'silent' })
  await server.start()
  await writeConfig('bot.config.ts', 'good')
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const writeConfig = (file: string, model: string) =>
  writeFile(
    join(folder, file),
    `
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import terminal from '@kikimimi/terminal'
import { ChatOpenAICompletions } from '@langchain/openai'
import { defineBot } from 'kikimimi'

export default defineBot({
  persona: { name: 'kiki' },
  database: './data',
  models: { chat: new ChatOpenAICompletions({ model: '${model}', apiKey: 'key', configuration: { baseURL: '${server.url}/v1' } }) },
  budget: { prices: { good: { input: 1, output: 4 }, forgetful: { input: 1, output: 4 } } },
  plugins: [terminal(), addressing(), judgeRules(), reply()],
})
`,
  )

/** \`good\` answers each scene of context with the right word, and \`forgetful\` those in English only. */
async function answers(): Promise<void> {
  const scenes = await readScenes('context')
  server.on({}, ({ model, messages }) => {
    const prompt = JSON.stringify(messages.at(-1))
    const scene = scenes.find(({ talk }) =>
      prompt.includes(JSON.stringify(talk.at(-1)?.[1].replaceAll('{{bot}}', 'kiki')).slice(1, -1)),
    )
    const isKnown = model === 'good' || scene?.locale === 'en'
    return { content: isKnown ? (scene?.contains[0] ?? 'no scene') : 'さあ' }
  })
}

const run = (...args: readonly string[]) => called(['eval', ...args], { cwd: folder })

test('plays the scenes of a subject, with tokens, cost and time', async () => {
  await answers()
  const { code, out } = await run('context', '--out', 'report')
  expect(out).toMatch(/^ok context: two talks at once \(en\)$/m)
  expect(out).toMatch(/^context {3}10 of 10, 100 % \(72 % to 100 %\)$/m)
  expect(out).toMatch(/^good {3}10 calls, \d+ tokens, cost 0\.\d{4} {3}models work \d\.\d s in a case/m)
  expect(code).toBe(0)
  expect(server.getRequests()).toHaveLength(10)
  const { sides } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'))
  expect(sides).toMatchObject([{ name: 'good', failed: 0, left: 0, spent: { calls: 10, failed: 0 } }])
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toContain('<caption>Cases that pass, with 95 % intervals</caption>')
})

test('compares with another bot.config.ts, and the exit code says that it is worse', async () => {
  await answers()
  await writeConfig('other.config.ts', 'forgetful')
  const { code, out } = await run('context', '--against', 'other.config.ts', '--json')
  const { sides, rows, cases } = JSON.parse(out)
  expect(sides.map(({ name }: { name: string }) => name)).toEqual(['good', 'forgetful'])
  expect(rows).toMatchObject([
    {
      kind: 'context',
      shares: [
        { n: 10, passed: 10 },
        { n: 10, passed: 5 },
      ],
      difference: { n: 10, won: 0, lost: 5, value: -0.5 },
    },
  ])
  expect(rows[0].difference.high).toBeLessThan(0)
  expect(cases[1].results[1]).toMatchObject({
    said: ['さあ'],
    checks: [{ passed: true }, { passed: false }, { passed: true }, { passed: true }],
  })
  expect(code).toBe(1)
})

test('compares with a setting, and no difference is no fault', async () => {
  await answers()
  const { code, out } = await run('context', '--set', 'persona.prompt="You are a pirate."')
  expect(out).toMatch(/^ok→ok context: two talks at once \(en\)$/m)
  expect(out).toMatch(/ {3}0 points \(-\d+ to \+\d+\), 0 won, 0 lost$/m)
  expect(out).toMatch(/^B: good, persona\.prompt="You are a pirate\."/m)
  expect(code).toBe(0)
  const systems = server.getRequests().map(({ body }) => JSON.stringify(body).includes('You are a pirate.'))
  expect([systems.filter(Boolean).length, systems.length]).toEqual([10, 20])
})

test('the budget ends the calls before it is passed, and the rest is left out', async () => {
  await answers()
  const { code, out } = await run('context', '--budget', '2500', '--json')
  const { sides, rows } = JSON.parse(out)
  const [{ spent, left }] = sides
  expect(spent.calls).toBeGreaterThan(0)
  expect(spent.tokens).toBeLessThanOrEqual(2_500)
  expect(server.getRequests()).toHaveLength(spent.calls)
  expect(left).toBe(10 - rows[0].shares[0].n)
  expect(left).toBeGreaterThan(0)
  expect(code).toBe(1)
})

test('a key that is refused gives no results, and says why', async () => {
  server.on({}, { error: { message: 'wrong key' }, status: 401 })
  const { code, out } = await run('context')
  expect(out).toMatch(/^\?\? context: two talks at once \(en\): no result: good \(chat\): MODEL_REFUSED$/m)
  expect(out).toMatch(/^context {3}–$/m)
  expect(out).toContain('10 without a result')
  expect(code).toBe(1)
})

test.each([
  ['an unknown subject', ['manners'], /takes speak, context, injection, memory or rated, not "manners"/],
  ['a budget of nothing', ['--budget', '0'], /--budget takes a number of tokens from 1 on, got "0"/],
  ['a setting of a plugin that is not there', ['--set', 'facts.top=3'], /the bot has no such plugin/],
] as const)('%s is refused before any call', async (_what, args, message) => {
  const { code, err } = await run(...args)
  expect(err).toMatch(message)
  expect(code).toBe(2)
  expect(server.getRequests()).toEqual([])
})
