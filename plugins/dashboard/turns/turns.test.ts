/** Searches for turns find what a look at all turns finds, in pages, and refuse what they do not understand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { TurnView } from '../history/views.ts'
import { pages } from '../pages.ts'
import { HOUR, keepTurns, type ManyTurn, manyTurns } from '../testing/many-turns.ts'
import { openPage, storeOf, type TestPage } from '../testing/open-page.ts'
import type { choices, page as pageView, TurnLine } from './views.ts'

type Page = z.output<typeof pageView>

const BEGIN = Date.UTC(2026, 0, 26)
const TURNS = manyTurns(420, BEGIN)

let bot: TestPage
beforeAll(async () => {
  bot = await openPage()
  await keepTurns(storeOf(bot), TURNS)
}, 120_000)
afterAll(() => bot[Symbol.asyncDispose]())

const query = (given: Record<string, string>) => new URLSearchParams(given).toString()

async function page(given: Record<string, string>): Promise<Page> {
  const answer = await bot.api(`turns/search?${query(given)}`)
  expect(answer.status, JSON.stringify(given)).toBe(200)
  return (await answer.json()) as Page
}

/** The turns of all pages. */
async function found(given: Record<string, string>, limit = 37): Promise<readonly TurnLine[]> {
  const lines: TurnLine[] = []
  for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
    const next = await page({ ...given, limit: String(limit), ...(before !== undefined && { before }) })
    lines.push(...next.turns)
    before = next.next
  }
  return lines
}

const took = ({ trace }: ManyTurn) => Object.values(trace.ms).reduce((sum, ms) => sum + ms, 0)
const cost = ({ trace }: ManyTurn) => trace.models.reduce((sum, call) => sum + (call.cost ?? 0), 0)
const reason = ({ trace: { why, decision } }: ManyTurn) => (why ?? decision?.why ?? '').split(' · ', 1)[0]
const weekHour = ({ trace: { at } }: ManyTurn) => ((new Date(at).getUTCDay() + 6) % 7) * 24 + new Date(at).getUTCHours()
const utc = (day: number) => new Date(BEGIN + day * 24 * HOUR).toISOString()

const FILTERS: readonly (readonly [Record<string, string>, (turn: ManyTurn) => boolean])[] = [
  [{}, () => true],
  [{ channel: 'test/team/dev' }, ({ channel }) => channel === 'dev'],
  [{ person: 'test/ben' }, ({ author }) => author === 'ben'],
  [{ plugin: 'attention' }, ({ trace }) => trace.score?.parts[0]?.plugin === 'attention'],
  [{ plugin: 'reply' }, ({ trace }) => trace.problems.length > 0],
  [{ outcome: 'cancelled' }, ({ trace }) => trace.outcome === 'cancelled'],
  [{ reason: 'no rule applies' }, turn => reason(turn) === 'no rule applies'],
  [{ reason: 'a newer message arrived' }, turn => reason(turn) === 'a newer message arrived'],
  [{ model: 'small' }, ({ trace }) => trace.models[0]?.model === 'small'],
  [{ error: 'true' }, ({ trace }) => trace.problems.length > 0],
  [{ took: '10000' }, turn => took(turn) >= 10_000],
  [{ cost: '0.1' }, turn => cost(turn) >= 0.1],
  [{ week: '26' }, turn => weekHour(turn) === 26],
  [{ since: utc(1), until: utc(2) }, ({ trace }) => trace.at >= utc(1) && trace.at < utc(2)],
  [{ since: '2026-01-27T09:00:00+09:00' }, ({ trace }) => trace.at >= utc(1)],
  [{ text: 'TRAIN' }, ({ text }) => text.includes('train')],
  [{ text: 'お昼' }, ({ text }) => text.includes('お昼')],
  [{ text: '50% of it_' }, ({ text }) => text.includes('50%')],
  [
    { channel: 'test/team/dev', person: 'test/ann', outcome: 'silent', reason: 'quiet hours', until: utc(4) },
    turn => turn.channel === 'dev' && turn.author === 'ann' && reason(turn) === 'quiet hours' && turn.trace.at < utc(4),
  ],
  [
    { model: 'large', took: '3000', text: 'train' },
    turn => turn.trace.models[0]?.model === 'large' && took(turn) >= 3_000 && turn.text.includes('train'),
  ],
]

test('what no turn has finds none, and there is no next page', async () => {
  for (const given of [{ person: 'test/nobody' }, { outcome: 'silent', model: 'large' }])
    expect(await page(given)).toEqual({ turns: [] })
})

test.each(FILTERS)('%o finds what a look at all turns finds, newest first, each once', async (given, matches) => {
  const wanted = TURNS.filter(matches).map(({ trace }) => trace)
  expect(wanted.length).toBeGreaterThan(0)
  const lines = await found(given)
  expect(lines.map(({ turn }) => turn).toSorted()).toEqual(wanted.map(({ turn }) => turn).toSorted())
  expect(lines.map(({ at }) => at)).toEqual(
    wanted
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
})

test('a page that is not full says how far it has searched, and the next one continues there', async () => {
  const many = manyTurns(700, BEGIN - 40 * 24 * HOUR, 60_000).map((turn, n) => ({
    ...turn,
    text: n === 3 ? 'the needle' : turn.text,
    trace: { ...turn.trace, turn: `far-${n}`, trigger: `f${n}`, messages: [`f${n}`] },
  }))
  await using other = await openPage()
  await keepTurns(storeOf(other), many)
  const ask = async (given: string) => (await (await other.api(`turns/search?text=needle${given}`)).json()) as Page
  const first = await ask('')
  expect(first).toEqual({ turns: [], next: expect.any(String), searched: many[200]?.trace.at })
  expect((await ask(`&before=${first.next}`)).turns.map(({ turn }) => turn)).toEqual(['far-3'])
}, 240_000)

test('a line has what a list shows', async () => {
  const [line] = (await page({ outcome: 'failed', limit: '1' })).turns
  const { trace, text, author } = TURNS.findLast(one => one.trace.outcome === 'failed') as ManyTurn
  expect(line).toMatchObject({
    ...{
      turn: trace.turn,
      at: trace.at,
      outcome: 'failed',
      text,
      author: author.toUpperCase(),
      messages: 1,
      problems: 1,
      tools: 0,
    },
    place: { conversation: trace.conversation, platform: 'test' },
    tokens: (trace.models[0]?.inputTokens ?? 0) + 40,
    points: trace.score?.points,
  })
})

test('turns of the bot are found by the people who wrote, and have a timeline', async () => {
  await bot.say('eve', '@kiki when does the train leave?')
  await expect
    .poll(async () => (await found({ person: 'other/eve' })).length + (await found({ person: 'test/eve' })).length)
    .toBe(1)
  const [line] = await found({ person: 'test/eve' })
  const { turns } = (await (await bot.api(`turns?turn=${line?.turn}`)).json()) as { turns: TurnView[] }
  expect(turns[0]?.trace.timeline?.map(({ what, name }) => `${what} ${name}`)).toEqual([
    'stage score',
    'stage decide',
    'stage context',
    'model chat',
    'stage respond',
  ])
  await bot.db.query(`delete from kikimimi.trace where turn = $1`, [line?.turn])
  expect(await found({ person: 'test/eve' })).toEqual([])
})

test('the export has the turns of the search, each as the API has it', async () => {
  const given = { outcome: 'replied', channel: 'test/team/general' }
  const answer = await bot.api(`turns/export?${query(given)}`)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
    'attachment; filename="turns.jsonl"',
  ])
  const turns = (await answer.text())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as TurnView)
  expect(turns.map(({ trace }) => trace.turn)).toEqual((await found(given)).map(({ turn }) => turn))
  const { turns: same } = (await (await bot.api(`turns?turn=${turns[0]?.trace.turn}`)).json()) as { turns: TurnView[] }
  expect(turns[0]).toEqual(same[0])
})

test.each([
  ['before=yesterday', 'before: expected the value `next` of an earlier page'],
  ['before=99999999999999999999.1', 'before: expected the value'],
  ['since=2026-01-01', 'since: expected a time such as 2026-01-05T10:00:00Z'],
  ['outcome=loud', 'outcome: '],
  ['took=5', 'took: '],
  ['week=168', 'week: expected 0 to 167'],
  ['person=alice', 'person: expected the platform and the id'],
  ['limit=1000', 'limit: '],
  ['colour=red', 'Unrecognized key'],
])('%s is refused with a reason', async (given, why) => {
  const answer = await bot.api(`turns/search?${given}`)
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([400, expect.stringContaining(why)])
})

describe('values to choose from', () => {
  test('are reasons, plugins and models', async () => {
    await using now = await openPage()
    await keepTurns(storeOf(now), manyTurns(60, Date.now() - 20 * HOUR))
    const all = (await (await now.api('turns/choices')).json()) as z.output<typeof choices>
    expect(all.models).toEqual(['large', 'small'])
    expect(all.plugins).toEqual(expect.arrayContaining(['judge-rules', 'reply']))
    expect(Object.fromEntries(all.reasons.map(({ reason, turns }) => [reason, turns]))).toMatchObject({
      'mentions the bot': manyTurns(60, 0).filter(turn => reason(turn) === 'mentions the bot').length,
    })
  })

  test('are channels and people by a part of their name, at most 20', async () => {
    await bot.db.query(
      `insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
       select 'test/team/x' || n, 'test', 'team', 'x' || n, 'Dev ' || n, 'public' from generate_series(1, 50) n`,
    )
    const { channels } = (await (await bot.api('turns/channels?text=DEV')).json()) as { channels: { name: string }[] }
    expect([channels.length, channels[0]?.name]).toEqual([20, 'dev'])
    const { people } = (await (await bot.api('turns/people?text=be')).json()) as { people: unknown }
    expect(people).toEqual([{ id: 'test/ben', name: 'BEN' }])
    expect(await (await bot.api('turns/people?text=test/ben')).json()).toEqual({ people })
  })
})

test('a viewer has no page of turns', () => {
  expect(pages.find(({ name }) => name === 'turns')?.role).toBe('moderator')
})

test('the captured prompts of a turn are read with their raw output', async () => {
  await using page = await openPage({ model: 'At ten.', config: { capture: { channels: ['dev'] } } })
  await page.say('alice', 'kiki, when does the train leave?')
  const turn = async () => (await page.db.query<{ turn: string }>('select turn from kikimimi_v1.trace')).rows[0]?.turn
  await expect.poll(turn, { timeout: 60_000 }).toBeDefined()
  const read = (id = '') => page.api(`turns/prompts?turn=${id}`)
  expect(await (await read(await turn())).json()).toEqual({
    prompts: [
      {
        call: 0,
        system: expect.stringContaining('kiki'),
        messages: [{ role: 'user', text: expect.stringContaining('when does the train leave?') }],
        output: 'At ten.',
      },
    ],
  })
  expect(await (await read('none')).json()).toEqual({ prompts: [] })
  expect((await read()).status).toBe(400)
})
