import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place, topicVectors } from '../../facts/test-memory.ts'
import type { Place } from '../history/views.ts'
import { openPage, type TestPage, type TestPageOptions } from '../testing/open-page.ts'
import type { FactView, InboxPage, PersonView } from './views.ts'

interface Page {
  readonly kept: boolean
  readonly facts: FactView[]
  readonly next?: string
}

const GENERAL = 'playground//general'
const room = (name: string, visibility: 'public' | 'private' | 'direct' = 'public') =>
  place(name, { platform: 'playground', workspace: '', visibility })

const json = async <T>(answer: Promise<Response>): Promise<T> => (await answer).json() as Promise<T>

/** A page whose bot has a memory, in the room #general with a message of alice. */
async function open(options: TestPageOptions = {}) {
  const { plugins, store } = borrowedFacts()
  const page = await openPage({ plugins: [remember(), addressing(), judgeRules(), ...plugins, reply()], ...options })
  const say = (text: string, more: object = {}) =>
    json<{ id: string }>(
      page.api('playground/messages', { method: 'POST', body: { room: 'general', author: 'alice', text, ...more } }),
    )
  const { id: message } = await say('good morning')
  const keep = (content: string, more: object = {}) => store().add(fact(content, { conversation: room('general'), ...more }))
  const ask = (text = '', more: object = {}) =>
    json<Page>(page.api(`facts?${new URLSearchParams({ conversation: GENERAL, text, ...more })}`))
  const find = async (text = '', more: object = {}) => (await ask(text, more)).facts
  const patch = async (id: number | string, body: unknown) => {
    const answer = await page.api(`facts/${id}`, { method: 'PATCH', body })
    return { status: answer.status, ...((await answer.json()) as { fact?: FactView; message?: string }) }
  }
  return { page, say, message, store, keep, ask, find, patch, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
}

/** Resolves when the fact is stored for that room. */
async function tell(page: TestPage, author: string, what: string, where = 'general'): Promise<void> {
  await page.api('playground/messages', { method: 'POST', body: { room: where, author, text: `@kiki remember that ${what}` } })
  const conversation = `playground//${encodeURIComponent(where)}`
  const known = async () => (await json<Page>(page.api(`facts?${new URLSearchParams({ conversation })}`))).facts
  await expect.poll(known).toContainEqual(expect.objectContaining({ content: expect.stringContaining(what) }))
}

test('a fact is found in its audience, with author and time', async () => {
  await using m = await open()
  await tell(m.page, 'alice', 'the spare key is under the blue pot')
  await tell(m.page, 'alice', 'my birthday is in May', '@alice')
  const { places } = await json<{ places: Place[] }>(m.page.api('places'))
  expect(places.map(({ conversation }) => conversation).toSorted()).toEqual(['playground//%40alice', GENERAL])
  expect(await m.find('where is the key?')).toMatchObject([
    {
      content: expect.stringContaining('spare key'),
      platform: 'playground',
      channel: 'general',
      visibility: 'public',
      pinned: true,
      people: [{ id: 'alice', name: 'alice' }],
      sources: [{ author: { id: 'alice', name: 'alice' }, at: expect.any(String), quote: expect.stringContaining('spare key') }],
      score: expect.any(Number),
      evidence: expect.any(Number),
      relevance: expect.any(Number),
    },
  ])
  expect(await m.find('birthday')).toEqual([])
  const direct = { conversation: 'playground//%40alice' }
  expect(await m.find('birthday', direct)).toMatchObject([{ visibility: 'direct' }])
  expect(await m.find('', { conversation: 'no/such/place' })).toEqual([])
})

test('facts are found by keyword, by vector and by both, with the terms of the score', async () => {
  await using m = await open({ config: { models: { embeddings: topicVectors([/doctor|physician/]) } } })
  await m.keep('Bob is a physician', { confidence: 0.6 })
  await m.keep('the mountain doctor is on at nine')
  const near = () => m.find('a doctor?', { by: 'vector' })
  await expect.poll(async () => (await near().catch(() => [])).length).toBe(2)
  const legs = async (by: string) =>
    (await m.find('a doctor?', { by })).map(({ content, parts, score }) => {
      const { bm25 = 0, pairs = 0, jaccard = 0, vector = 0, surroundings = 0, question = 0 } = parts ?? {}
      const { sitting = 0, sources = 0, rerank = 0, time = 0, confidence = 0, person = 0, answer = 0 } = parts ?? {}
      const sum = bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank
      expect(sum * time * confidence * person * answer).toBe(score)
      return [content.split(' ').at(-1), bm25 > 0, vector > 0]
    })
  expect(await legs('keyword')).toEqual([['nine', true, false]])
  expect((await legs('vector')).toSorted()).toEqual([
    ['nine', false, true],
    ['physician', false, true],
  ])
  expect(await legs('both')).toEqual([
    ['nine', true, true],
    ['physician', false, true],
  ])
  expect(await m.ask()).toMatchObject({ facts: [{ content: expect.any(String) }, {}] })
  expect((await m.page.api(`facts?conversation=${GENERAL}&by=magic`)).status).toBe(400)
})

test('an unavailable vector search is an error, not an empty result', async () => {
  const embeddings = topicVectors([/doctor/])
  embeddings.fault = Object.assign(new Error('no'), { status: 400 })
  await using m = await open({ config: { models: { embeddings } } })
  await m.keep('Bob is a doctor')
  const answer = await m.page.api(`facts?conversation=${GENERAL}&text=doctor&by=vector`)
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { message: expect.stringMatching(/does not respond\. Search by keyword, or try again later\.$/) },
  ])
  expect(await m.find('doctor')).toHaveLength(1)
})

test('without a model for vectors a search by vector says so', async () => {
  await using m = await open()
  const answer = await m.page.api(`facts?conversation=${GENERAL}&text=doctor&by=vector`)
  expect([answer.status, await answer.json()]).toEqual([
    501,
    { message: 'There is no model for vectors in bot.config.ts. Search by keyword.' },
  ])
})

test('a fact is edited and pinned', async () => {
  await using m = await open()
  const sources = [{ message: m.message, author: 'alice', quote: 'good morning' }]
  const { id } = await m.keep('the train leaves at ten', { sources })
  const change = { content: ' the train leaves at eleven ', kind: 'durable', confidence: 0.5, shareable: true, pinned: true }
  expect(await m.patch(id, change)).toMatchObject({
    status: 200,
    fact: { ...change, id, content: 'the train leaves at eleven', edited: expect.any(String), sources: [{ message: m.message }] },
  })
  expect(await m.find('eleven')).toMatchObject([{ id }])
  expect(await m.patch(id, { people: ['alice'], pinned: false })).toMatchObject({
    fact: { people: [{ id: 'alice', name: 'alice' }], pinned: false },
  })
})

test('a pin alone does not mark it as edited', async () => {
  await using m = await open()
  const { id } = await m.keep('the train leaves at ten')
  const { fact: pinned } = await m.patch(id, { pinned: true })
  expect(pinned).toMatchObject({ pinned: true })
  expect(pinned).not.toHaveProperty('edited')
})

test('an invalid change is refused with a reason, and nothing is changed', async () => {
  await using m = await open()
  const { id } = await m.keep('the train leaves at ten')
  const other = await m.keep('the bus leaves at noon')
  const before = await m.find()
  expect(await m.patch(id, { content: 'The bus leaves at noon!', pinned: true })).toEqual({
    status: 409,
    message: `Fact ${other.id} says this already. Nothing was changed.`,
  })
  expect(await m.patch(id, { content: '…', pinned: true })).toEqual({
    status: 422,
    message: 'A fact has a content of 1 to 2000 characters, got 1',
  })
  for (const wrong of [
    {},
    { content: ' ' },
    { content: 'a'.repeat(2_001) },
    { confidence: 2 },
    { kind: 'rumour' },
    { id: 7 },
    [],
  ]) {
    expect(await m.patch(id, wrong)).toEqual({ status: 400, message: expect.stringMatching(/\w/) })
  }
  for (const none of [9_999, 'one', 0, 1.5, '99999999999999999999']) {
    expect([400, 404]).toContain((await m.patch(none, { content: 'anything' })).status)
  }
  expect(await m.patch(9_999, { pinned: true })).toEqual({ status: 404, message: 'There is no such fact.' })
  expect(await m.find()).toEqual(before)
})

test('a fact shows what it replaced', async () => {
  await using m = await open()
  const day = { subject: 'release', relation: 'date' }
  const old = await m.keep('the release is on Monday', { ...day, value: 'Monday' })
  const now = fact('the release is on Tuesday', { ...day, value: 'Tuesday', conversation: room('general') })
  const { id } = await m.store().supersede([old.id], now)
  const { history } = await json<{ history: FactView[] }>(m.page.api(`facts/${id}`))
  expect(history.map(({ id, until }) => [id, until !== undefined])).toEqual([
    [old.id, true],
    [id, false],
  ])
  expect((await m.page.api('facts/9999')).status).toBe(404)
})

test('lists and searches have pages', async () => {
  await using m = await open()
  for (let n = 0; n < 60; n++) await m.keep(`train ${n} leaves at ten`)
  for (const text of ['', 'train']) {
    const first = await m.ask(text)
    const second = await m.ask(text, { before: first.next })
    expect([first.facts.length, second.facts.length, second.next]).toEqual([50, 10, undefined])
    expect(new Set([...first.facts, ...second.facts].map(({ id }) => id)).size).toBe(60)
    const refused = await m.page.api(`facts?conversation=${GENERAL}&text=${text}&before=no-page`)
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { message: 'before: expected the value `next` of an earlier page' },
    ])
  }
  // A fact that arrives meanwhile shifts no page of the list.
  const { next, facts } = await m.ask()
  await m.keep('a new fact')
  const [then] = (await m.ask('', { before: next })).facts
  expect(then?.id).toBe(Number(facts.at(-1)?.id) - 1)
})

test('all facts about a person are shown, each with its audience', async () => {
  await using m = await open()
  await m.say('hello', { author: 'bob' })
  await m.keep('Bob plays the cello', { people: ['bob'], at: new Date('2026-01-01T00:00:00Z') })
  await m.keep('the cellar is dry', { sources: [{ message: 'm9', author: 'bob' }], conversation: room('den', 'private') })
  await m.keep('lunch is at noon')
  const about = (who: string) => json<InboxPage & { name: string }>(m.page.api(`people/facts?platform=playground&id=${who}`))
  expect(await about('bob')).toMatchObject({
    kept: true,
    name: 'bob',
    entries: [
      { fact: { visibility: 'private', sources: [{ author: { id: 'bob', name: 'bob' } }] } },
      { fact: { visibility: 'public' } },
    ],
  })
  expect(await about('nobody')).toEqual({ kept: true, name: 'nobody', entries: [] })
})

test('a person has the latest name, from facts or from messages', async () => {
  await using m = await open()
  const { bot, other, db } = m.page
  const conversation = place('dev')
  const hear = (id: string, author: { id: string; name: string }) =>
    bot.receive(other, { id, conversation, author, text: 'hello', at: new Date() })
  await hear('known', { id: 'U1', name: 'Alice' })
  await hear('unknown', { id: 'U2', name: 'Bob' })
  await m.keep('Alice plays the cello', { conversation, sources: [{ message: 'known', author: 'U1' }] })
  const names = () =>
    Promise.all(
      ['U1', 'U2', 'U3'].map(async id => (await json<{ name: string }>(m.page.api(`people/facts?platform=test&id=${id}`))).name),
    )
  expect(await names()).toEqual(['Alice', 'Bob', 'U3'])
  // However long ago it was.
  await db.query(
    `insert into kikimimi.message
       (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions, attachments, at, received_at)
     select 'test/team/ops', 'test/team/ops', n::text, 'U4', 'Carol', false, false, false, '', '[]', '[]', now(), now()
     from generate_series(1, 10000) n`,
  )
  expect(await names()).toEqual(['Alice', 'Bob', 'U3'])
})

test('a fact is forgotten once', async () => {
  await using m = await open()
  const { id } = await m.keep('the spare key is under the blue pot')
  const forget = async () => (await m.page.api(`facts/${id}`, { method: 'DELETE' })).status
  expect([await forget(), await forget()]).toEqual([200, 404])
  expect(await m.find()).toEqual([])
})

test('a person is forgotten, with edited facts', async () => {
  await using m = await open()
  const { id } = await m.keep('the key is under the pot', { sources: [{ message: m.message, author: 'alice' }] })
  expect((await m.patch(id, { content: 'the key is in the drawer' })).status).toBe(200)
  await m.page.say('bob', 'good morning')
  const people = async () => (await json<{ people: PersonView[] }>(m.page.api('people'))).people
  expect(await people()).toMatchObject([
    { platform: 'test', id: 'bob', messages: 1 },
    { platform: 'playground', id: 'alice', messages: 1 },
  ])
  const body = { platform: 'playground', id: 'alice' }
  expect((await m.page.api('people/forget', { method: 'POST', body })).status).toBe(200)
  await expect.poll(people, { timeout: 15_000 }).toMatchObject([{ id: 'bob' }])
  expect(await m.find()).toEqual([])
})

test('without a plugin for facts the page says so', async () => {
  await using page = await openPage()
  expect(await json(page.api(`facts?conversation=${GENERAL}`))).toEqual({ kept: false, facts: [] })
  expect((await page.api('facts/1', { method: 'PATCH', body: { pinned: true } })).status).toBe(404)
})

test('the API description contains all fields', async () => {
  await using page = await openPage()
  const { paths } = await json<{ paths: Record<string, object> }>(page.api('openapi.json'))
  expect(Object.keys(paths['/api/facts/{id}'] ?? {}).toSorted()).toEqual(['delete', 'get', 'patch'])
  expect(Object.keys(paths)).toContain('/api/people/facts')
})
