import addressing from '@kikimimi/addressing'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import { definePlugin, type PluginContext } from 'kikimimi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DEV, heard, patient, remembered, sayInThread } from '../testing/channel.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import type { ChannelDetail, ChannelView, OptionView, UpcomingView } from './views.ts'

const plugins = [quiet(), addressing(), judgeRules(), memorySummary(), reply()]

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>
const detail = (page: TestPage) => json<ChannelDetail>(page.api(`channel?conversation=${DEV}`))
const post = (page: TestPage, path: string, body: object) =>
  page.api(path, { method: 'POST', body: { conversation: DEV, ...body } })

test('channels are listed with their activity', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'the train leaves at ten')
  await heard(page, 'kiki, when does the train leave?')
  const { channels } = await json<{ channels: ChannelView[] }>(page.api('channels'))
  expect(channels).toMatchObject([
    {
      place: { conversation: DEV, platform: 'test', name: 'dev' },
      ...{ waiting: 0, answers: 0, turns: 2, replies: 1, heard: expect.any(String) },
    },
  ])
})

test('a channel tells whether outsiders read it', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  expect((await detail(page)).place).not.toHaveProperty('outsiders')
  await sayInThread(page, 'bob', 'welcome to our partners', 't1', { own: false, outsiders: true })
  expect((await detail(page)).place).toMatchObject({ visibility: 'public', outsiders: true })
})

test('a channel is muted and unmuted, with answers in the language of the page', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  const order = (command: string, locale = 'en') => post(page, 'channel/command', { command, locale })
  expect(await json(order('quiet 8h'))).toEqual({ answer: 'I’ll be quiet here for 8 hours. I still answer when I am addressed.' })
  expect((await detail(page)).status).toContainEqual(expect.stringContaining('I was asked to be quiet here'))
  expect(await json(order('talk', 'ja'))).toEqual({ answer: 'またここで話します。' })
  expect((await detail(page)).status.join()).not.toContain('quiet')
  expect((await order('forget everybody')).status).toBe(400)
  expect((await page.api('channel?conversation=test/team/none')).status).toBe(404)
})

test('without quiet() the page gives the reason', async () => {
  await using page = await openPage()
  await heard(page, 'good morning')
  const answer = await post(page, 'channel/command', { command: 'quiet 1h' })
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { message: 'quiet() is not in bot.config.ts: add it, and the bot can be told to be quiet.' },
  ])
  expect((await detail(page)).orders).toEqual([
    { name: 'stop', applies: true },
    { name: 'start', applies: false },
  ])
})

test('a channel has six memories, a mood, topics, and participants', async () => {
  await using page = await openPage({ plugins: [...plugins, remembered] })
  await heard(page, 'the train leaves at ten')
  await sayInThread(page, 'alice', 'and the bus?')
  await expect.poll(() => page.api(`channel?conversation=${DEV}`).then(answer => answer.status)).toBe(200)
  expect(await detail(page)).toMatchObject({
    ...{ mood: 'calm', topics: ['trains'], members: [{ id: 'bob', name: 'bob', messages: 1 }] },
    memories: {
      workspace: { recent: 'A trip is planned.', history: '' },
      channel: { recent: 'They talk about trains.', history: 'They met.', at: '2026-01-05T10:00:00.000Z' },
      threads: [{ conversation: `${DEV}/t1`, recent: 'A bus, too.', history: '' }],
      setAside: 0,
    },
  })
})

test('without a plugin for memories there are none', async () => {
  await using page = await openPage()
  await heard(page, 'good morning')
  const told = await detail(page)
  expect([told.memories, told.mood, told.topics]).toEqual([undefined, '', []])
})

test('a channel has the rates and the calibration of its judge', async () => {
  const doubtful = definePlugin({ name: 'doubtful', setup: () => ({ score: () => ({ points: 50, why: 'test' }) }) })
  const model = JSON.stringify({ reason: 'test', respond: false, confidence: 0.8, delaySeconds: null })
  await using page = await openPage({ plugins: [doubtful, judgeLlm(), reply()], model })
  await heard(page, 'the train leaves at ten')
  await expect
    .poll(async () => (await detail(page)).judge)
    .toMatchObject({
      ...{ calls: 1, known: 0, truePositives: { hits: 0, of: 0 }, tokens: expect.any(Number) },
      calibration: [0, 0.2, 0.4, 0.6, 0.8].map(from => ({ from, turns: 0 })),
    })
  const vote = (value: number) =>
    page.db.query(
      "insert into judge_llm.vote select turn, 'carol', null, $1 from judge_llm.outcome on conflict (turn, person) do update set value = $1",
      [value],
    )
  await vote(1)
  expect((await detail(page)).judge).toMatchObject({
    ...{ known: 1, truePositives: { hits: 0, of: 1 }, missed: { followUp: { of: 0 }, unasked: { hits: 1, of: 1 } } },
    calibration: [{ turns: 1, predicted: expect.closeTo(0.018, 3), seen: 1 }, {}, {}, {}, {}],
  })
  await vote(-1)
  expect((await detail(page)).judge).toMatchObject({ falsePositives: { hits: 0, of: 1 }, missed: { unasked: { of: 0 } } })
})

test('a channel without verdicts has no figures of a judge', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  expect((await detail(page)).judge).toBeUndefined()
})

test('scheduled turns have their time; an answer can be cancelled or sent at once', async () => {
  await using page = await openPage({ plugins: [patient] })
  const upcoming = async () =>
    (await json<{ upcoming: UpcomingView[] }>(page.api(`channel/upcoming?conversation=${DEV}`))).upcoming
  await page.say('bob', 'the train leaves at ten')
  await expect.poll(upcoming).toMatchObject([{ conversation: DEV, messages: 1, at: expect.any(String) }])
  const answer = { kind: 'full', why: 'lets others go first', plugin: 'patient' }
  await expect.poll(upcoming).toMatchObject([{ conversation: DEV, messages: 1, answer }])
  await sayInThread(page, 'alice', 'who comes along?')
  // While a turn runs, it is not upcoming.
  await expect.poll(upcoming).toContainEqual(expect.objectContaining({ conversation: `${DEV}/t1`, opening: 'who comes along?' }))
  const { channels } = await json<{ channels: ChannelView[] }>(page.api('channels'))
  expect(channels[0]?.answers).toBeGreaterThan(0)

  const order = (what: string, conversation = DEV) => post(page, 'channel/upcoming', { conversation, order: what })
  await expect.poll(async () => (await order('cancel', `${DEV}/t1`)).status).toBe(200)
  expect((await order('run now')).status).toBe(200)
  await expect
    .poll(() => page.other.posted.map(one => one.kind === 'text' && one.text))
    .toEqual(['about: the train leaves at ten'])
  // The turn ends soon after its answer is posted.
  await expect.poll(async () => (await order('run now')).json()).toEqual({ message: 'No answer waits there any more.' })
  await expect.poll(upcoming).toEqual([])
  expect((await order('shout')).status).toBe(400)
})

test('the dashboard sets an option for a channel, and resets it to bot.config.ts', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  const chattiness = ({ settings }: { settings: OptionView[] }) => settings.find(({ option }) => option === 'chattiness')
  const where = `channel/settings?conversation=${DEV}`
  const put = (option: string, value: unknown, plugin = option === 'chattiness' ? 'addressing' : 'judge-rules') =>
    page.api('channel/settings', { method: 'PUT', body: { conversation: DEV, plugin, option, value } })
  expect(chattiness(await json(page.api(where)))).toMatchObject({ value: 'normal', from: 'default', scoped: true })
  expect(chattiness(await json(put('chattiness', 'lively')))).toMatchObject({
    value: 'lively',
    from: expect.stringMatching(/^set in the channel by dashboard on \d/),
    setAt: expect.stringMatching(/T.*Z$/),
  })
  const cleared = page.api(`${where}&plugin=addressing&option=chattiness`, { method: 'DELETE' })
  expect(chattiness(await json(cleared))).toMatchObject({ value: 'normal', from: 'default' })

  const refusal = async (answer: Promise<Response>) => [
    (await answer).status,
    ((await (await answer).json()) as { message: string }).message,
  ]
  expect(await refusal(put('threshold', 120))).toEqual([
    422,
    '[judge-rules] cannot set threshold to 120: Too big: expected number to be <=100.',
  ])
  expect(await refusal(put('preset', 'classic'))).toEqual([422, expect.stringContaining('preset is the same everywhere')])
  expect(await refusal(put('volume', 3, 'loud'))).toEqual([422, '[loud] cannot set volume to 3: this bot has no such plugin.'])
  expect((await put('chattiness', undefined)).status).toBe(400)
  expect((await page.api('channel/settings?conversation=test/team/none')).status).toBe(404)
})

test('the second of two people who set or reset the same option is told, and overwrites nothing', async () => {
  await using page = await openPage({ plugins })
  await heard(page, 'good morning')
  const option = { plugin: 'addressing', option: 'chattiness' }
  const put = (value: string, seen: string | null | undefined) =>
    page.api('channel/settings', { method: 'PUT', body: { conversation: DEV, ...option, value, seen } })
  const reset = (seen = '') =>
    page.api(`channel/settings?${new URLSearchParams({ conversation: DEV, ...option, seen })}`, { method: 'DELETE' })
  const now = async () => {
    const { settings } = await json<{ settings: OptionView[] }>(page.api(`channel/settings?conversation=${DEV}`))
    return settings.find(one => one.option === 'chattiness')
  }
  const first = await Promise.all([put('quiet', null), put('lively', null)])
  expect(first.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const { value, setAt } = (await now()) ?? {}
  const refused = await first.find(({ status }) => status === 409)?.json()
  expect(refused).toEqual({
    message: `[addressing] chattiness has changed since you read it: it is "${value}" now. Nothing was overwritten. Save again if you still want to.`,
  })
  const second = await Promise.all([put('normal', setAt), reset(setAt)])
  expect(second.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await now())?.value).toBe('normal')
  expect([(await put('quiet', setAt)).status, (await reset(setAt)).status, (await now())?.value]).toEqual([409, 409, 'normal'])
  expect([(await put('quiet', undefined)).status, (await now())?.value]).toEqual([200, 'quiet'])
})

test('no route returns secrets', async () => {
  const password = 'hunter2-of-the-page'
  const apps: PluginContext[] = []
  const keeper = definePlugin({
    name: 'keeper',
    options: z.strictObject({
      token: z.string(),
      greeting: z.string(),
      store: z.string(),
      servers: z.array(z.object({ login: z.string() })),
      hook: z.string(),
      apiKeys: z.record(z.string(), z.string()),
    }),
    scoped: ['hook', 'apiKeys'],
    setup: ctx => void apps.push(ctx),
  })({
    ...{ token: 'hunter2', greeting: 'hunter2', store: 'postgres://me:hunter2@db/bot', servers: [{ login: 'hunter2' }] },
    ...{ hook: 'https://me:hunter2@hooks.test/', apiKeys: { 'hunter2-name': 'hunter2' } },
  })
  await using page = await openPage({ password, plugins: [keeper, ...plugins] })
  const login = await page.api('login', { method: 'POST', body: { password } })
  const headers = {
    cookie: login.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; '),
  }
  await page.say('bob', 'good morning')
  await expect.poll(() => page.api(`channel?conversation=${DEV}`, { headers }).then(answer => answer.status)).toBe(200)
  const { paths } = await json<{ paths: Record<string, Record<string, { parameters?: { name: string }[] }>> }>(
    page.api('openapi.json', { headers }),
  )
  const given: Record<string, string> = { conversation: DEV, room: 'general', text: 'train', platform: 'test', id: 'bob' }
  const asked = Object.entries(paths).filter(([path, { get }]) => get && !path.includes('{') && !path.endsWith('/events'))
  expect(asked.map(([path]) => path)).toEqual(expect.arrayContaining(['/api/channel', '/api/channel/settings', '/api/health']))
  for (const [path, { get }] of asked) {
    const query = new URLSearchParams()
    for (const { name } of get?.parameters ?? []) if (given[name] !== undefined) query.set(name, given[name])
    const answer = await page.api(`${path.replace('/api/', '')}?${query}`, { headers })
    expect([path, answer.status < 500, await answer.text()]).toEqual([path, true, expect.not.stringContaining('hunter2')])
  }
  const { settings } = await json<{ settings: OptionView[] }>(page.api(`channel/settings?conversation=${DEV}`, { headers }))
  expect(settings.filter(({ plugin }) => plugin === 'keeper').map(({ redacted }) => redacted)).toEqual(Array(6).fill(true))
})
