/** `replay --judge model`, with a real client and a server that speaks its format. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LLMock } from '@copilotkit/aimock'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { ChatOpenAICompletions } from '@langchain/openai'
import { type BotConfig, definePlugin, systemClock } from 'kikimimi'
import { createLogger } from 'kikimimi/host'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ReplayValues, runReplay } from '../command.ts'

let folder: string
let server: LLMock
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-judge-'))
  vi.stubEnv('KIKIMIMI_CACHE', join(folder, 'cache'))
  server = new LLMock({ port: 0, logLevel: 'silent' })
  await server.start()
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

/** Carol answers the questions of bob, and not what alice says. Each stands alone, minutes apart. */
const TALK = Array.from({ length: 10 }, (_, at) => [
  { id: `a${at}`, author: 'alice', text: `news ${at}` },
  { id: `b${at}`, author: 'bob', text: `which door is number ${at}?` },
  { id: `c${at}`, author: 'carol', text: 'the left one', replyTo: [`b${at}`] },
]).flat()

const scorer = definePlugin({
  name: 'scorer',
  setup: () => ({ score: ({ messages }) => messages.map(({ id }) => ({ points: 30, why: 'open', message: id })) }),
})

/** Says yes to the questions of bob, but not to number 7, and yes to alice's news 3. */
function verdicts(): void {
  server.on({}, ({ messages, tools }) => {
    const prompt = JSON.stringify(messages.at(-1))
    const last = [...prompt.matchAll(/news \d|number \d/g)].at(-1)?.[0] ?? ''
    const respond = (last.startsWith('number') && last !== 'number 7') || last === 'news 3'
    const verdict = { reason: 'a test', respond, confidence: 0.9, delaySeconds: null }
    const tool = tools?.[0]?.function.name
    return tool ? { toolCalls: [{ name: tool, arguments: JSON.stringify(verdict) }] } : { content: JSON.stringify(verdict) }
  })
}

async function run(
  values: Partial<ReplayValues> = {},
  models?: BotConfig['models'] | 'none',
  styles: readonly ['full', ...'react'[]] = ['full'],
) {
  const file = join(folder, 'talk.jsonl')
  const lines = TALK.map(({ author, ...line }, at) => ({
    ...{ ...line, channel: 'general', author: { id: author, name: author } },
    at: new Date(Date.UTC(2026, 0, 5, 10, 2 * at)).toISOString(),
  }))
  await writeFile(file, lines.map(line => JSON.stringify(line)).join('\n'))
  const judge = new ChatOpenAICompletions({ model: 'tiny', apiKey: 'key', configuration: { baseURL: `${server.url}/v1` } })
  const config: BotConfig = {
    persona: { name: 'kiki' },
    plugins: [scorer, judgeRules({ preset: 'classic', threshold: 100 }), judgeLlm({ styles: [...styles] })],
    ...(models !== 'none' && { models: models ?? { judge } }),
  }
  let printed = ''
  const told: string[] = []
  await runReplay(
    [file],
    { config, project: pathToFileURL(`${folder}/`) },
    { judge: 'model', seat: 'carol', band: '20-80', sample: '200', seed: '1', json: true, ...values },
    {
      log: createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock }),
      print: text => {
        printed += text
      },
      tell: text => void told.push(text),
    },
  )
  return { told, ...(values.json === false ? { text: printed } : JSON.parse(printed)) }
}

test('asks the model for each judged turn, and says how right it was', async () => {
  verdicts()
  const { told, ...figures } = await run()
  expect(figures).toMatchObject({ model: 'tiny', asked: 20, sampled: 20, cached: 0, calls: 20, failed: 0, left: 0 })
  // Nine of ten questions, and one of ten pieces of news.
  expect(figures).toMatchObject({ turns: 20, answered: 10, truePositives: 0.9, falsePositives: 0.1, balancedAccuracy: 0.9 })
  expect(figures.f1.value).toBe(0.9)
  expect(figures.f1.low).toBeLessThan(0.9)
  // No points reach the threshold: by the points alone the bot is silent.
  expect(figures.f1Alone.value).toBe(0)
  expect(figures.calibration).toMatchObject([
    { from: 0, turns: 10, predicted: 0.1, seen: 0.1 },
    { turns: 0 },
    { turns: 0 },
    { turns: 0 },
    { from: 0.8, turns: 10, predicted: 0.9, seen: 0.9 },
  ])
  expect(told).toEqual(['tiny: 20 turns have a judge, 20 are sampled, 0 verdicts are known: 20 turns to ask about'])
  expect(server.getRequests()).toHaveLength(20)
})

test('a second run asks nothing, and a damaged file is asked again', async () => {
  verdicts()
  const first = await run()
  const [damaged = ''] = await readdir(join(folder, 'cache/verdicts'))
  await writeFile(join(folder, 'cache/verdicts', damaged), '{"respond": tr')
  const second = await run()
  expect(second).toMatchObject({ cached: 19, calls: 1, f1: first.f1 })
  expect(await run()).toMatchObject({ cached: 20, calls: 0, tokens: 0, f1: first.f1 })
  expect(server.getRequests()).toHaveLength(21)
})

test.each(['{}', 'null', '{"respond":"yes","confidence":0.9}'])(
  'a file with %s, which is no verdict, is asked again',
  async text => {
    verdicts()
    const first = await run()
    const [damaged = ''] = await readdir(join(folder, 'cache/verdicts'))
    await writeFile(join(folder, 'cache/verdicts', damaged), text)
    expect(await run()).toMatchObject({ cached: 19, calls: 1, turns: 20, f1: first.f1 })
  },
)

test('other forms of answer are another question', async () => {
  verdicts()
  await run()
  const first = server.getRequests().length
  await run({}, undefined, ['full', 'react'])
  expect(server.getRequests().length).toBeGreaterThan(first)
})

test('a sample is the same in each run, and part of a larger one', async () => {
  verdicts()
  expect(await run({ sample: '8' })).toMatchObject({ turns: 8, sampled: 8, cached: 0, calls: 8 })
  expect(await run({ sample: '8' })).toMatchObject({ cached: 8, calls: 0 })
  expect(await run({ sample: '12' })).toMatchObject({ cached: 8, calls: 4 })
})

test('the budget ends the calls before it is passed, and the rest is left out', async () => {
  verdicts()
  const { calls, left, turns, tokens, told } = await run({ budget: '2000' })
  expect(tokens).toBeLessThanOrEqual(2_000)
  expect(calls).toBeGreaterThan(0)
  expect(left).toBe(20 - calls)
  expect(turns).toBe(calls)
  expect(told.at(-1)).toBe(`The budget of 2000 tokens is spent: ${left} turns of the sample were not asked.`)
})

test('a model that fails is told, and its turns are left out', async () => {
  server.on({}, { error: { message: 'wrong key' }, status: 401 })
  const { calls, failed, turns, told, f1 } = await run()
  expect({ calls, failed, turns }).toEqual({ calls: 20, failed: 20, turns: 0 })
  expect(f1).toEqual({ value: 0, low: 0, high: 0 })
  expect(told.at(-1)).toMatch(/^20 of 20 calls failed\. The last: /)
})

test('the report is for people, too', async () => {
  verdicts()
  const { text } = await run({ json: false })
  expect(text).toContain('says yes to those       90.0 %')
  expect(text).toMatch(/F1 with the verdicts {4}90\.0 % \(\d/)
})

test.each([
  ['without a model', {}, 'none', /set GOOGLE_API_KEY/],
  ['without a member', { seat: undefined }, undefined, /add --seat or --seats/],
  ['with a page', { out: 'page.html' }, undefined, /leave out --compare and --out/],
  ['with a sample of nothing', { sample: '0' }, undefined, /--sample takes a whole number from 1 on/],
] as const)('%s it is refused before any call', async (_name, values, models, message) => {
  await expect(run(values, models)).rejects.toMatchObject({ code: 'USAGE', message: expect.stringMatching(message) })
  expect(server.getRequests()).toEqual([])
})
