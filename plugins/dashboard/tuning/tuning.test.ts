import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import { definePlugin } from 'kikimimi'
import { scriptedModel } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { discordExport } from '../testing/exported.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import { DEV, talk, use } from '../testing/tuning.ts'
import { MOST_BYTES } from './import.ts'
import type { ImportEvent, ReplayEvent, ReplayView, TunableView } from './views.ts'

const plugins = [judgeRules()]

const ask = (page: TestPage, body: object = {}, signal?: AbortSignal, path = 'tuning') =>
  fetch(`${page.url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversation: DEV, limit: 500, settings: {}, ...body }),
    ...(signal && { signal }),
  })

async function eventsOf(answer: Response): Promise<ReplayEvent[]> {
  return (await answer.text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as ReplayEvent)
}

function replayIn(events: readonly ReplayEvent[]): ReplayView {
  const last = events.at(-1)
  if (last && 'replay' in last) return last.replay
  throw new Error(`no replay came of it: ${JSON.stringify(last)}`)
}

const messageOf = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as { message: string }) })

test('the options that decide when the bot speaks in a channel, with their bounds', async () => {
  await using page = await openPage({ plugins })
  await talk(page, 1)
  const answer = await page.api(`tuning?conversation=${encodeURIComponent(DEV)}`)
  const { options } = (await answer.json()) as { options: TunableView[] }
  expect(new Set(options.map(({ plugin }) => plugin))).toEqual(new Set(['pacing', 'judge-rules']))
  expect(options.find(({ option }) => option === 'threshold')).toMatchObject({ value: 60, takes: 'number', least: 0, most: 100 })
  expect((await page.api('tuning?conversation=nowhere')).status).toBe(404)
})

test('a replay sends its progress, and then its result with the messages', async () => {
  await using page = await openPage({ plugins })
  await talk(page)
  const events = await eventsOf(await ask(page, { settings: { 'judge-rules': { threshold: 15 } } }))
  expect(events.filter(event => 'share' in event).length).toBeGreaterThan(10)
  const { messages, today, changed, differences, differ } = replayIn(events)
  const { rows } = await page.db.query('select count(*)::int as messages from kikimimi.message where deleted_at is null')
  expect(rows).toEqual([{ messages }])
  expect(differ).toBeGreaterThan(0)
  expect(changed.turns.full).toBeGreaterThan(today.turns.full)
  expect(differences[0]).toMatchObject({
    message: { author: { name: expect.any(String) }, text: expect.stringMatching(/\?$/) },
    today: { kind: 'silent', why: expect.stringContaining('below 60') },
    changed: { kind: 'full' },
  })
  expect(today.places?.members).toContainEqual(expect.objectContaining({ name: 'carol', coverage: expect.any(Number) }))
})

test('an invalid replay is refused with a reason', async () => {
  await using page = await openPage({ plugins })
  await talk(page, 1)
  expect(await messageOf(await ask(page, { conversation: 'test/team/cellar' }))).toMatchObject({
    status: 404,
    message: /never heard/,
  })
  const wrong = await messageOf(await ask(page, { settings: { 'judge-rules': { threshold: 400 } } }))
  expect(wrong).toEqual({ status: 422, message: expect.stringContaining('[judge-rules] cannot set threshold to 400') })
  expect((await ask(page, { settings: { dashboard: { password: 'a new password' } } })).status).toBe(422)
  expect((await ask(page, { limit: 1_000_000 })).status).toBe(400)
})

test('one replay at a time; a disconnect ends it', async () => {
  await using page = await openPage({ plugins })
  await talk(page)
  const leaving = new AbortController()
  const first = await ask(page, {}, leaving.signal)
  expect(await messageOf(await ask(page))).toEqual({ status: 409, message: expect.stringContaining('A replay is running') })
  leaving.abort()
  await expect(first.text()).rejects.toThrow()
  await expect.poll(async () => (await ask(page)).status, { timeout: 10_000 }).toBe(200)
})

const slow = definePlugin({ name: 'slow', setup: () => ({ score: () => new Promise(resolve => setTimeout(resolve, 5)) }) })
const BROKEN_OFF = 'It was broken off: the bot has stopped, or was set up anew. Try again.'

test.each([
  ['stops', (page: TestPage) => page[Symbol.asyncDispose]()],
  ['is set up anew', (page: TestPage) => page.reload([judgeRules()])],
])('a bot that %s does not wait for a replay', async (_what, end) => {
  await using page = await openPage({ plugins: [slow, judgeRules()] })
  await talk(page)
  const answer = await ask(page)
  await end(page)
  expect((await eventsOf(answer)).at(-1)).toEqual({ failed: BROKEN_OFF })
  expect(page.log).toEqual([])
})

/** A replay waits here until it is released. */
function held(where: 'setup' | 'second message') {
  const entered = Promise.withResolvers<void>()
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const hold = () => {
    entered.resolve()
    return promise
  }
  let setups = 0
  /** Turns that got points, by replay. */
  const turns: number[] = []
  const plugin = definePlugin({
    name: 'held',
    async setup() {
      const isReplay = setups++ > 0
      if (isReplay && where === 'setup') await hold()
      const replay = isReplay ? turns.push(0) - 1 : -1
      return {
        async score() {
          if (!isReplay) return
          turns[replay] = (turns[replay] ?? 0) + 1
          if (where === 'second message' && (turns[replay] ?? 0) > 1) await hold()
        },
      }
    },
  })
  return { plugin, entered: entered.promise, letGo, turns }
}

test('a disconnect before the first message is no error', async () => {
  const { plugin, entered, letGo } = held('setup')
  await using page = await openPage({ plugins: [plugin, judgeRules()] })
  await talk(page, 1)
  const leaving = new AbortController()
  const asked = ask(page, {}, leaving.signal)
  await entered
  leaving.abort()
  await expect(asked).rejects.toThrow()
  // The bot has noticed it by then.
  for (let times = 0; times < 3; times++) await page.api('bot')
  letGo()
  await expect.poll(async () => (await ask(page)).status, { timeout: 10_000 }).toBe(200)
  expect(page.log).toEqual([])
})

test('nor is a disconnect before the first progress event, and it ends the work', async () => {
  const { plugin, entered, letGo, turns } = held('second message')
  await using page = await openPage({ plugins: [plugin, judgeRules()] })
  await talk(page)
  const leaving = new AbortController()
  const answer = await ask(page, {}, leaving.signal)
  await entered
  leaving.abort()
  await expect(answer.text()).rejects.toThrow()
  // The bot has noticed it by then.
  for (let times = 0; times < 3; times++) await page.api('bot')
  letGo()
  await expect.poll(async () => eventsOf(await ask(page)).then(events => 'replay' in (events.at(-1) ?? {}))).toBe(true)
  const [cancelled = 0, whole = 0] = [turns[0], turns.at(-1)]
  expect([cancelled, whole > 2 * cancelled]).toEqual([2, true])
  expect(page.log).toEqual([])
})

test('without the password there is no replay', async () => {
  await using page = await openPage({ plugins, password: 'correct horse battery' })
  expect((await ask(page)).status).toBe(401)
  expect((await page.api('tuning?conversation=x')).status).toBe(401)
})

/** As judge-llm keeps its verdicts: one for each message of the channel. */
const RECORD = `
  insert into judge_llm.outcome (turn, conversation, channel, message, author, at, sent, follow_up, prior, verdict, before, after, heeded,
    model, prompt, lines, has_target, has_own, input_tokens, output_tokens)
  select 'turn-' || m.id, m.conversation, m.channel, m.id, m.author_id, m.at, '{}', false, 0.2, $1, 0.2, 0.5, true, 'm', 'p', 9, true, true, 1, 1
  from kikimimi_v1.message m where m.channel = 'test/team/dev'`

test('with a judge, a replay decides with the verdicts that the judge gave, and with the options that are tried', async () => {
  await using page = await openPage({ plugins: [judgeRules(), judgeLlm({ low: 0 })] })
  await talk(page, 2)
  // The bot itself may have judged a turn already.
  const { turns, recorded } = replayIn(await eventsOf(await ask(page))).today
  expect(turns.asked).toBeGreaterThan(0)
  await page.db.query(RECORD, [0.95])
  const { today, changed } = replayIn(await eventsOf(await ask(page, { settings: { 'judge-llm': { speaksFrom: 0.99 } } })))
  expect([today.turns.asked, today.recorded]).toEqual([0, turns.asked + recorded])
  expect(today.turns.full).toBeGreaterThan(changed.turns.full)
})

test('a replay tells what its messages have cost, and would have cost with other options', async () => {
  await using page = await openPage({ plugins: [judgeRules(), judgeLlm({ low: 0 })] })
  await talk(page, 2)
  await page.db.query(RECORD, [0.95])
  await use(page)
  const { today, changed, cost } = replayIn(await eventsOf(await ask(page, { settings: { 'judge-llm': { low: 30 } } })))
  const [calls, fewer] = [today, changed].map(({ turns, recorded }) => turns.asked + recorded)
  const [answers, others] = [today, changed].map(({ turns }) => turns.full)
  expect(Number(fewer)).toBeLessThan(Number(calls))
  expect(cost).toEqual({
    priced: true,
    roles: [
      { role: 'judge', today: 4, changed: (4 * Number(fewer)) / Number(calls) },
      { role: 'chat', today: 2, changed: (2 * Number(others)) / Number(answers) },
      { role: 'summary', today: 1, changed: 1 },
    ],
  })
})

test('what no recorded verdict decides is told, and the judge is asked about a sample within the limits', async () => {
  const judge = scriptedModel('{"reason": "a test", "respond": true, "confidence": 0.95}')
  await using page = await openPage({ plugins: [judgeRules(), judgeLlm({ low: 0 })], config: { models: { judge } } })
  await talk(page, 2)
  const { undecided, today } = replayIn(await eventsOf(await ask(page)))
  const { prompts = 0, most = 0 } = undecided ?? {}
  expect(prompts).toBeGreaterThan(1)
  expect(today).not.toHaveProperty('estimate')
  const limits = { calls: prompts, tokens: prompts * most }
  expect((await ask(page, { ask: limits })).status).toBe(400)
  const asked = replayIn(await eventsOf(await ask(page, { ask: limits }, undefined, 'tuning/verdicts')))
  // The bot itself may have judged a turn meanwhile.
  expect(asked.asked).toMatchObject({ calls: asked.undecided?.prompts, failed: 0, left: 0 })
  expect(asked.today.turns.asked).toBe(0)
  // All of them were asked about, so nothing is left to estimate.
  const { n = 0, passed = 0, ...estimate } = asked.today.estimate ?? {}
  expect(n).toBeGreaterThan(0)
  expect(estimate).toEqual({ of: n, value: passed / n, low: passed / n, high: passed / n })
  expect((await ask(page, { ask: { calls: 501, tokens: 1 } }, undefined, 'tuning/verdicts')).status).toBe(400)
})

test('without a model that judges, nothing is asked', async () => {
  await using page = await openPage({ plugins: [judgeRules(), judgeLlm({ low: 0 })] })
  await talk(page, 1)
  expect(replayIn(await eventsOf(await ask(page)))).not.toHaveProperty('undecided')
  const refused = await ask(page, { ask: { calls: 1, tokens: 1_000 } }, undefined, 'tuning/verdicts')
  expect(await messageOf(refused)).toEqual({ status: 422, message: 'bot.config.ts has no model that judges.' })
})

test('an option that the preset does not read says so', async () => {
  await using page = await openPage({ plugins: [judgeRules({ points: { mention: 100 } })] })
  await talk(page, 1)
  const answer = await page.api(`tuning?conversation=${encodeURIComponent(DEV)}`)
  const { options } = (await answer.json()) as { options: TunableView[] }
  const unused = options.flatMap(({ option, unused }) => (unused === undefined ? [] : [[option, unused]]))
  expect(unused).toContainEqual(['cooldown', 'preset "attentive" does not read it'])
  expect(unused.map(([option]) => option)).not.toContain('threshold')
})

describe('an exported channel', () => {
  const upload = (page: TestPage, content: string | Uint8Array<ArrayBuffer>, name: string, more = '') =>
    fetch(`${page.url}/api/tuning/import?name=${encodeURIComponent(name)}${more}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: content,
    })

  test('is replayed with reasons, and nothing of it is kept', async () => {
    await using page = await openPage({ plugins: [addressing(), ...plugins] })
    const answer = await upload(page, discordExport(), 'general.json', '&limit=500')
    expect(answer.status).toBe(200)
    const events = (await answer.text())
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as ImportEvent)
    expect(events.filter(event => 'share' in event).length).toBeGreaterThan(2)
    const last = events.at(-1)
    if (!last || !('imported' in last)) throw new Error(`no replay came of it: ${JSON.stringify(last)}`)
    expect(last.imported).toMatchObject({
      channels: [{ name: 'general', messages: 40 }],
      channel: 'general',
      messages: 40,
      spoke: 8,
      turns: { full: 8 },
    })
    expect(last.imported.spoken[0]).toMatchObject({
      author: 'bob',
      text: expect.stringMatching(/^kiki, what time/),
      kind: 'full',
      why: expect.any(String),
    })
    const { rows } = await page.db.query('select count(*)::int as messages from kikimimi.message')
    expect(rows).toEqual([{ messages: 0 }])
  })

  test('that cannot be read is refused with what to do', async () => {
    await using page = await openPage({ plugins })
    const refusal = async (content: string, name: string, more?: string) => messageOf(await upload(page, content, name, more))
    expect(await refusal('<!DOCTYPE html><html>', 'general.html')).toEqual({
      status: 422,
      message: expect.stringMatching(
        /^general\.html: expected the zip archive of a Slack export, or a JSON file .*--format Json/,
      ),
    })
    expect(await refusal('PK\u0003\u0004 and not the rest', 'cut.zip')).toEqual({
      status: 422,
      message: 'cut.zip: it is no complete zip archive',
    })
    expect(await refusal(discordExport().slice(0, 900), 'cut.json')).toMatchObject({
      status: 422,
      message: expect.stringMatching(/^cut\.json: expected the zip/),
    })
    expect(await refusal('', 'empty.json')).toMatchObject({ status: 422 })
    expect(await refusal(discordExport(), 'general.json', '&channel=other')).toEqual({
      status: 404,
      message: 'The export has no channel "other".',
    })
    expect((await page.api('tuning/import?name=a.json', { method: 'POST', body: {} })).status).toBe(422)
  })

  test('of more than 50 MB is refused before it is read', async () => {
    await using page = await openPage({ plugins: [addressing(), ...plugins] })
    const answer = await upload(page, new Uint8Array(MOST_BYTES + 1), 'large.zip')
    expect(await messageOf(answer)).toEqual({ status: 413, message: expect.stringContaining('more than 50 MB') })
  })
})
