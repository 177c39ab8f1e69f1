/** Ratings and evaluations in the API. */
import { expect, test } from 'vitest'
import type { TurnView } from '../history/views.ts'
import { openPage, type TestPage } from '../testing/open-page.ts'
import { sweepRatings } from './ratings.ts'
import type { EvaluationView, ListedRating } from './views.ts'

async function listed(page: TestPage): Promise<readonly ListedRating[]> {
  const { ratings } = (await (await page.api('ratings')).json()) as { readonly ratings: readonly ListedRating[] }
  return ratings
}

async function turnsOf(page: TestPage): Promise<readonly TurnView[]> {
  const { turns } = (await (await page.api('turns')).json()) as { readonly turns: readonly TurnView[] }
  return turns
}

/** A bot that has answered alice, and the id of that turn. */
async function answered(): Promise<{ page: TestPage; turn: string } & AsyncDisposable> {
  const page = await openPage({ model: 'At ten.' })
  await page.say('alice', 'kiki, when does the train leave?')
  await expect.poll(async () => (await turnsOf(page))[0]?.trace.outcome, { timeout: 60_000 }).toBe('replied')
  return { page, turn: (await turnsOf(page))[0]?.trace.turn ?? '', [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
}

const rating = { good: true, speaks: true, contains: ['ten'], forbids: ['eleven'], comment: 'short and right' }

async function evaluated(page: TestPage, body: object): Promise<EvaluationView> {
  const answer = await page.api('evaluation', { method: 'POST', body })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').evaluation
}

test('a turn is rated, listed, run as a set, and the rating changed and deleted', async () => {
  await using one = await answered()
  const { page, turn } = one
  expect(await (await page.api(`ratings/${turn}`)).json()).toEqual({})
  expect((await page.api(`ratings/${turn}`, { method: 'PUT', body: rating })).status).toBe(200)
  expect(await listed(page)).toMatchObject([
    { turn, ...rating, text: 'kiki, when does the train leave?', place: { name: 'dev' } },
  ])

  const posted = page.other.posted.length
  const result = await evaluated(page, { change: { persona: 'Be brief.' }, budget: 100_000 })
  expect(result.rows).toMatchObject([
    {
      kind: 'rated',
      shares: [
        { n: 1, passed: 1 },
        { n: 1, passed: 1 },
      ],
      difference: { value: 0 },
    },
  ])
  expect(result.cases).toMatchObject([{ name: turn, results: [{ said: ['At ten.'] }, { said: ['At ten.'] }] }])
  expect(page.other.posted).toHaveLength(posted)

  const { rows: booked } = await page.db.query(`select place, plugin, sum(calls)::int as calls,
    sum(input_tokens + output_tokens)::int as tokens from kikimimi_v1.model_use where role = 'evaluation' group by place, plugin`)
  const sum = (of: 'calls' | 'tokens') => result.sides.reduce((total, { spent }) => total + spent[of], 0)
  expect(booked).toEqual([{ place: '', plugin: 'evaluation', calls: 2, tokens: sum('tokens') }])
  expect(sum('calls')).toBe(2)

  await page.api(`ratings/${turn}`, { method: 'PUT', body: { ...rating, contains: ['noon'] } })
  const changed = await evaluated(page, { turns: [turn], change: {}, budget: 100_000 })
  expect(changed.rows).toMatchObject([{ shares: [{ passed: 0 }, { passed: 0 }] }])
  await page.api(`ratings/${turn}`, { method: 'DELETE' })
  expect(await listed(page)).toEqual([])
  expect((await page.api('evaluation', { method: 'POST', body: { change: {}, budget: 1 } })).status).toBe(404)
})

test('what cannot be rated or run is refused with the reason', async () => {
  await using one = await answered()
  const { page, turn } = one
  expect((await page.api('ratings/none', { method: 'PUT', body: rating })).status).toBe(404)
  expect((await page.api(`ratings/${turn}`, { method: 'PUT', body: { good: 'yes', speaks: true } })).status).toBe(400)
  const run = (change: object, budget = 1_000) =>
    page.api('evaluation', { method: 'POST', body: { turns: [turn], change, budget } })
  expect((await run({}, 0)).status).toBe(400)
  const refused = await run({ settings: { 'judge-rules': { threshold: 'high' } } })
  expect([refused.status, await refused.json()]).toEqual([422, { message: expect.stringContaining('threshold') }])
  expect((await run({ model: 'huge' })).status).toBe(422)
})

test.each([
  ['a person whose message it answers', 'alice', {}],
  ['a person whom the comment names', 'bob', { comment: 'as bob would say it' }],
])('a rating is forgotten with %s', async (_who, person, more) => {
  await using one = await answered()
  const { page, turn } = one
  await page.say('bob', 'hello all')
  await page.api(`ratings/${turn}`, { method: 'PUT', body: { ...rating, ...more } })
  await page.bot.forget({ platform: 'test', id: person })
  const kept = async () => (await page.db.query('select turn from dashboard.rating')).rows
  await expect.poll(kept, { timeout: 60_000 }).toEqual([])
})

test('a rating ends with the trace of its turn', async () => {
  await using one = await answered()
  const { page, turn } = one
  await page.api(`ratings/${turn}`, { method: 'PUT', body: rating })
  await page.db.query('delete from kikimimi.trace where turn = $1', [turn])
  expect(await listed(page)).toEqual([])
  await sweepRatings(page.db)
  expect((await page.db.query('select turn from dashboard.rating')).rows).toEqual([])
})

test('the rated turns are an evaluation set for kikimimi eval rated', async () => {
  await using one = await answered()
  const { page, turn } = one
  const run = async (args: readonly string[]) => {
    const lines: string[] = []
    await page.bot.command('rated', args, { json: true, print: line => void lines.push(line) })
    return lines.join('\n')
  }
  await expect(run([])).rejects.toThrow('No turn is rated')
  await page.api(`ratings/${turn}`, { method: 'PUT', body: rating })
  expect(JSON.parse(await run(['--budget', '100000']))).toMatchObject({
    rows: [{ kind: 'rated', shares: [{ n: 1, passed: 1 }] }],
  })
  const compared = JSON.parse(await run(['--set', 'judge-rules.threshold=40', '--set', 'persona.prompt="Be brief."']))
  expect(compared.rows).toMatchObject([{ shares: [{ passed: 1 }, { passed: 1 }], difference: { value: 0 } }])
  await expect(run(['--set', 'threshold'])).rejects.toMatchObject({ code: 'USAGE' })
})
