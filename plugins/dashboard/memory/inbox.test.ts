import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import profiles from '@kikimimi/profiles'
import reply from '@kikimimi/reply'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place } from '../../facts/test-memory.ts'
import { openPage } from '../testing/open-page.ts'
import type { CardView, InboxPage, PersonView } from './views.ts'

const room = (name: string, visibility: 'public' | 'private' = 'public') =>
  place(name, { platform: 'playground', workspace: '', visibility })

async function open(answer = 'Under the pot.') {
  const { plugins, store } = borrowedFacts()
  const page = await openPage({ plugins: [addressing(), judgeRules(), profiles(), ...plugins, reply()], model: answer })
  const keep = async (content: string, more: object = {}) =>
    (await store().add(fact(content, { conversation: room('general'), ...more }))).id
  const get = async <T>(path: string) => (await (await page.api(path)).json()) as T
  const inbox = async (query: Record<string, string>) => get<InboxPage>(`inbox?${new URLSearchParams(query)}`)
  const told = async (query: Record<string, string>) => (await inbox(query)).entries.map(({ fact }) => fact.content)
  const post = async (path: string, body: unknown) => {
    const answer = await page.api(path, { method: 'POST', body })
    return [answer.status, (await answer.json()) as unknown] as const
  }
  const say = (author: string, text: string) =>
    page.api('playground/messages', { method: 'POST', body: { room: 'general', author, text } })
  return { page, store, keep, get, inbox, told, post, say, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() }
}

test('new facts of all channels come in pages, and leave the list when they are confirmed, corrected or forgotten', async () => {
  await using m = await open()
  const ids: number[] = []
  for (let n = 0; n < 60; n++)
    ids.push(await m.keep(`cup ${n} is green`, { conversation: room(n % 2 ? 'kitchen' : 'den', 'private') }))
  const first = await m.inbox({ queue: 'new' })
  expect([first.kept, first.entries.length, first.entries[0]?.fact]).toMatchObject([
    true,
    50,
    { content: 'cup 59 is green', channel: 'kitchen' },
  ])
  const second = await m.inbox({ queue: 'new', before: first.next ?? '' })
  expect([second.entries.length, second.next]).toEqual([10, undefined])
  expect((await m.inbox({ queue: 'new', channel: 'playground//kitchen' })).entries).toHaveLength(30)
  expect(await m.told({ queue: 'new', text: 'cup 7' })).toEqual(['cup 7 is green'])

  expect(await m.post('facts/confirm', { ids: ids.slice(0, 20) })).toEqual([200, { done: 20 }])
  expect(await m.post('facts/forget', { ids: [...ids.slice(20, 40), 99_999] })).toEqual([200, { done: 20 }])
  expect(await m.post('facts/correct', { ids: [ids[40], ids[41], 99_999], kind: 'durable', pinned: true })).toEqual([
    200,
    { done: 2 },
  ])
  const { entries } = await m.inbox({ queue: 'new' })
  expect(entries).toHaveLength(20)
  expect(entries.at(-1)?.fact).toMatchObject({ id: ids[40], kind: 'durable', pinned: true })
  const all = await m.inbox({ queue: 'all', text: 'cup 3' })
  expect(all.entries).toMatchObject([{ fact: { confidence: 1, confirmed: expect.any(String) } }])
})

test('bad requests are refused with what to do', async () => {
  await using m = await open()
  for (const before of ['x', '1', '1.2.3', "1.2'; drop table facts.fact"])
    expect((await m.page.api(`inbox?${new URLSearchParams({ queue: 'new', before })}`)).status).toBe(400)
  for (const query of ['queue=old', 'queue=new&person=alice', '']) expect((await m.page.api(`inbox?${query}`)).status).toBe(400)
  for (const before of ['2026-01-05', '2026-19-99/a/b', 'x/y/z'])
    expect((await m.page.api(`people?${new URLSearchParams({ before })}`)).status).toBe(400)
  for (const body of [{ ids: [] }, { ids: [0] }, { ids: ['1'] }, {}, { ids: [1], more: 1 }])
    for (const path of ['confirm', 'forget', 'correct'])
      expect([path, body, (await m.post(`facts/${path}`, body))[0]]).toEqual([path, body, 400])
  expect((await m.post('facts/undo', { batch: -1 }))[0]).toBe(400)
})

test('facts that disagree are shown together, and a replacement is undone', async () => {
  await using m = await open()
  const train = (value: string) => ({ subject: 'train', relation: 'date', value })
  const old = await m.keep('the train leaves at ten', train('10:00'))
  const { batch } = await m
    .store()
    .supersede([old], fact('the train leaves at eleven', { conversation: room('general'), ...train('11:00') }))
  expect(await m.inbox({ queue: 'disagreeing' })).toMatchObject({ entries: [] })
  const { entries } = await m.inbox({ queue: 'replaced' })
  expect(entries).toMatchObject([{ fact: { id: old }, replacedBy: { content: 'the train leaves at eleven' }, batch }])
  expect(await m.post('facts/undo', { batch })).toEqual([200, { done: 1 }])
  expect(await m.inbox({ queue: 'disagreeing' })).toMatchObject({
    entries: [{ fact: { content: 'the train leaves at eleven' }, against: [{ content: 'the train leaves at ten' }] }],
  })
  const soon = await m.keep('the sale is on', { validTo: new Date(Date.now() + 86_400_000) })
  expect(await m.inbox({ queue: 'expiring' })).toMatchObject({
    entries: [{ fact: { id: soon }, ends: 'expires', endsAt: expect.any(String) }],
  })
})

test('a fact shows the turns that had it in their prompt', async () => {
  await using m = await open()
  const id = await m.keep('the spare key is under the blue pot')
  const other = await m.keep('elephants are grey')
  await m.say('bob', '@kiki where is the spare key?')
  const uses = (id: number) => m.get<{ turns: { turn: string; outcome: string }[] }>(`facts/${id}/uses`)
  await expect.poll(async () => (await uses(id)).turns).toMatchObject([{ outcome: 'replied', turn: expect.any(String) }])
  expect(await uses(other)).toEqual({ turns: [] })
  expect(await uses(99_999)).toEqual({ turns: [] })
})

test('people are found by any part of their name, and listed page by page, each once', async () => {
  await using m = await open()
  await m.page.db.query(
    `insert into kikimimi.author (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
     select 'test', 'U' || n, month, 'Person ' || n, false, array['person ' || n], 2, n, month + n % 28, month + n % 28
     from generate_series(1, 120) n, unnest(array['2025-11-01', '2025-12-01']::date[]) month`,
  )
  const [long, marks] = ['長い名前'.repeat(125), '\u200f\u202b\u200f']
  const named = async (name: string) => {
    const { people } = await m.get<{ people: PersonView[] }>(`people?${new URLSearchParams({ text: name })}`)
    return people.map(({ id }) => id)
  }
  for (const [id, name] of [
    ['L', long],
    ['R', marks],
  ])
    await m.page.db.query(
      `insert into kikimimi.author (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
       values ('test', $1, '2026-01-01', $2, false, array[$2], 1, 500, '2026-01-05', '2026-01-05')`,
      [id, name],
    )
  const all: PersonView[] = []
  for (let before: string | undefined, more = true; more; more = before !== undefined) {
    const page = await m.get<{ people: PersonView[]; next?: string }>(`people?${new URLSearchParams(before ? { before } : {})}`)
    all.push(...page.people)
    before = page.next
  }
  expect([all.length, new Set(all.map(({ id }) => id)).size]).toEqual([122, 122])
  expect(all.slice(0, 2).map(({ id }) => id)).toEqual(['R', 'L'])
  expect(all.at(-1)?.messages).toBe(4)
  expect(await named('son 117')).toEqual(['U117'])
  expect(await named('U117')).toEqual(['U117'])
  expect(await named('い名')).toEqual(['L'])
  expect(await named('名'.repeat(2))).toEqual([])
  expect(await named('\u202b')).toEqual(['R'])
  expect(await named('%')).toEqual([])
  const { people } = await m.get<{ people: { id: string }[] }>('turns/people?text=ERSON%20117')
  expect(people).toEqual([{ id: 'test/U117', name: 'Person 117' }])
})

test('the card of a person has what is known from all channels', async () => {
  await using m = await open()
  await m.say('bob', 'good morning')
  await m.say('bob', '@kiki hello')
  const card = async (id: string) => (await m.get<{ card?: CardView }>(`people/card?platform=playground&id=${id}`)).card
  await expect
    .poll(() => card('bob'))
    .toMatchObject({
      messages: 2,
      mentions: 1,
      familiarity: 'stranger',
      channels: [{ id: 'playground//general', name: 'general', messages: 2 }],
      accounts: [],
      cards: [],
    })
  expect(await card('nobody')).toBeUndefined()
})

test('without a plugin for facts the inbox says so', async () => {
  await using page = await openPage()
  expect(await (await page.api('inbox?queue=new')).json()).toEqual({ kept: false, entries: [] })
  const confirmed = await page.api('facts/confirm', { method: 'POST', body: { ids: [1] } })
  expect(await confirmed.json()).toEqual({ done: 0 })
})
