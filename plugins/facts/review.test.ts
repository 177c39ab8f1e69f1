import reply from '@kikimimi/reply'
import { scriptedModel, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { ReviewQuery, ReviewQueue } from './api/review.ts'
import { borrowedFacts, fact, place } from './test-memory.ts'

async function memory(options: Parameters<typeof borrowedFacts>[0] = {}, more: Partial<Parameters<typeof testBot>[0]> = {}) {
  const { plugins, store } = borrowedFacts(options)
  const bot = await testBot({ plugins: [...plugins, ...(more.plugins ?? [])], ...(more.model && { model: more.model }) })
  const keep = async (content: string, given: object = {}) =>
    (await store().add(fact(content, { at: new Date(bot.clock.now()), ...given }))).id
  const page = (queue: ReviewQueue, query: Partial<ReviewQuery> = {}) => store().review({ queue, ...query })
  const told = async (queue: ReviewQueue, query: Partial<ReviewQuery> = {}) =>
    (await page(queue, query)).entries.map(({ fact }) => fact.content)
  return { bot, store, keep, page, told, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

const lives = (value: string, more: object = {}) => ({
  subject: 'alice',
  people: ['alice'],
  relation: 'lives_in',
  value,
  ...more,
})

describe('facts to review', () => {
  test('are new until they are confirmed or edited, and come page by page whatever is added meanwhile', async () => {
    await using m = await memory()
    const ids: number[] = []
    for (let n = 0; n < 7; n++) ids.push(await m.keep(`cup ${n} is green`))
    const first = await m.page('new', { limit: 3 })
    expect(first.entries.map(({ fact }) => fact.content)).toEqual(['cup 6 is green', 'cup 5 is green', 'cup 4 is green'])
    await m.keep('cup 7 is green')
    const second = await m.page('new', { limit: 3, before: first.next })
    expect(second.entries.map(({ fact }) => fact.content)).toEqual(['cup 3 is green', 'cup 2 is green', 'cup 1 is green'])
    expect(await m.page('new', { limit: 3, before: second.next })).toMatchObject({
      entries: [{ fact: { content: 'cup 0 is green' } }],
    })
    expect(await m.page('new', { limit: 3, before: second.next })).not.toHaveProperty('next')

    expect(await m.store().confirm([ids[0] ?? 0, ids[1] ?? 0, 999])).toBe(2)
    await m.store().edit(ids[2] ?? 0, { content: 'cup 2 is blue' })
    expect(await m.told('new')).toEqual([
      'cup 7 is green',
      'cup 6 is green',
      'cup 5 is green',
      'cup 4 is green',
      'cup 3 is green',
    ])
    expect(await m.told('all')).toHaveLength(8)
    expect((await m.store().history(ids[0] ?? 0))[0]).toMatchObject({ confidence: 1 })
    await expect(m.page('new', { before: '1; drop table facts.fact' })).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  })

  test('are found by all words in any place, by channel, and by person', async () => {
    await using m = await memory()
    await m.keep('the spare key is under the blue pot', { people: ['alice'] })
    await m.keep('the blue car is in the garage', { conversation: place('cars'), sources: [{ message: 'm1', author: 'bob' }] })
    await m.keep('京都のカメラ屋は月曜日が休み', { conversation: place('secret', { visibility: 'private' }) })
    await m.keep('the blue whale sings', { conversation: place('general', { platform: 'elsewhere' }), people: ['alice'] })
    expect(await m.told('new', { text: 'BLUE keys' })).toEqual(['the spare key is under the blue pot'])
    expect(await m.told('new', { text: 'カメラ' })).toEqual(['京都のカメラ屋は月曜日が休み'])
    expect(await m.told('new', { text: '京都 月曜' })).toEqual(['京都のカメラ屋は月曜日が休み'])
    expect(await m.told('new', { text: 'elephants' })).toEqual([])
    expect(await m.told('new', { text: 'blue', channel: 'test/team/cars' })).toEqual(['the blue car is in the garage'])
    expect(await m.told('all', { person: { platform: 'test', id: 'alice' } })).toEqual(['the spare key is under the blue pot'])
    expect(await m.told('all', { person: { platform: 'test', id: 'bob' } })).toEqual(['the blue car is in the garage'])
  })

  test('disagree when two of the same readers have other values of one relation; the newest comes first', async () => {
    await using m = await memory()
    await m.keep('Alice lives in Osaka', lives('Osaka'))
    await m.keep('Alice lives in Kyoto', lives('Kyoto', { conversation: place('other') }))
    await m.keep('Alice lives in kyoto, she says', lives('kyoto'))
    await m.keep('Alice lives on the moon', lives('the moon', { conversation: place('secret', { visibility: 'private' }) }))
    await m.keep('Bob lives in Nara', { ...lives('Nara'), subject: 'bob' })
    await m.keep('Alice speaks French', lives('French', { relation: 'speaks' }))
    await m.keep('Alice speaks Dutch', lives('Dutch', { relation: 'speaks' }))
    const { entries } = await m.page('disagreeing')
    expect(entries.map(({ fact, against }) => [fact.content, against.map(({ content }) => content)])).toEqual([
      ['Alice lives in kyoto, she says', ['Alice lives in Osaka']],
    ])
    await m.store().forget([entries[0]?.against[0]?.id ?? 0])
    expect(await m.told('disagreeing')).toEqual([])
  })

  test('that disagree are found behind thousands that do not', async () => {
    await using m = await memory()
    await m.keep('Alice lives in Osaka', lives('Osaka'))
    await m.keep('Alice lives in Kyoto', lives('Kyoto'))
    await m.bot.db.query(
      `with made as (
         insert into facts.item (kind, scope, at, tokens, words)
         select 'fact', (select min(id) from facts.scope), $1, '', 0 from generate_series(1, 4500) returning id
       )
       insert into facts.fact (item, content, digest, kind, people, keywords, confidence, shareable, pinned, subject, relation, value, single)
       select id, 'cup ' || id, id::text, 'current', '{}', '{}', 1, false, false, 'cup ' || id, 'status', 'full', true from made`,
      [new Date(m.bot.clock.now())],
    )
    const found: string[] = []
    let pages = 0
    for (let before: string | undefined, more = true; more; more = before !== undefined) {
      const page = await m.page('disagreeing', { before })
      found.push(...page.entries.map(({ fact }) => fact.content))
      before = page.next
      pages++
    }
    expect([found, pages]).toEqual([['Alice lives in Kyoto'], 3])
  })

  test('that were replaced tell by what, and hold again', async () => {
    await using m = await memory()
    const old = await m.keep('Alice lives in Osaka', lives('Osaka'))
    await m.bot.pass('1h')
    await m.store().supersede([old], fact('Alice lives in Kyoto', lives('Kyoto')))
    const [entry] = (await m.page('replaced')).entries
    expect(entry).toMatchObject({ fact: { content: 'Alice lives in Osaka' }, replacedBy: { content: 'Alice lives in Kyoto' } })
    expect(await m.store().undo(entry?.batch ?? 0)).toEqual([old])
    expect(await m.told('replaced')).toEqual([])
    expect(await m.told('disagreeing')).toEqual(['Alice lives in Kyoto'])
  })
})

describe('facts that end soon', () => {
  test('tell when, and are gone then; a confirmation keeps them', async () => {
    await using m = await memory({ halfLife: '10d', forgetBelow: 0.1 })
    const id = await m.keep('the printer is broken', { confidence: 0.4 })
    const kept = await m.keep('the scanner is broken', { confidence: 0.4 })
    await m.keep('Alice is a doctor', { confidence: 0.4, kind: 'durable' })
    await m.keep('the stairs are steep', { confidence: 0.4, pinned: true })
    await m.keep('the sale is on', { validTo: new Date(m.bot.clock.now() + 3 * 86_400_000) })
    // Two half-lives from 0.4 to 0.1.
    expect(await m.told('expiring')).toEqual(['the sale is on'])
    await m.bot.pass('7d')
    const { entries } = await m.page('expiring')
    expect(entries.map(({ fact, ends }) => [fact.id, ends])).toEqual([
      [id, 'fades'],
      [kept, 'fades'],
    ])
    const endsAt = entries[0]?.endsAt?.getTime() ?? 0
    expect(endsAt - m.bot.clock.now()).toBeCloseTo(13 * 86_400_000, -5)
    expect((await m.page('expiring', { limit: 1 })).entries[0]?.fact.id).toBe(id)
    const { next } = await m.page('expiring', { limit: 1 })
    expect((await m.page('expiring', { limit: 1, before: next })).entries[0]?.fact.id).toBe(kept)

    await m.store().confirm([kept])
    await m.bot.pass('12d')
    expect(await m.store().sweep()).toBe(0)
    await m.bot.pass('2d')
    await m.store().sweep()
    expect(await m.told('all')).not.toContain('the printer is broken')
    expect(await m.told('all')).toContain('the scanner is broken')
  })

  test('follow the options, a use and a new statement', async () => {
    await using m = await memory({ halfLife: '2d' })
    const ends = async (text: string) =>
      (await m.page('expiring', { text })).entries.map(({ endsAt }) =>
        Math.round(((endsAt?.getTime() ?? 0) - m.bot.clock.now()) / 86_400_000),
      )
    const id = await m.keep('the printer is broken', { confidence: 0.8 })
    expect(await ends('printer')).toEqual([8])
    await m.bot.pass('1d')
    await m.keep('the printer is broken', { confidence: 0.8, sources: [{ message: 'm2', author: 'bob' }] })
    const [again = 0] = await ends('printer')
    expect(again).toBeGreaterThanOrEqual(8)
    await m.store().strengthen([id])
    const { rows } = await m.bot.db.query<{ same: boolean }>(
      'select ends_at = facts.fades_at(f) as same from facts.fact f where item = $1',
      [id],
    )
    expect(rows).toEqual([{ same: true }])
    expect(await ends('printer')).toEqual([])
  })
})

test('a turn that had a fact in its prompt has it as a source', async () => {
  await using m = await memory({}, { plugins: [reply()], model: scriptedModel('It is called Momo.') })
  const id = await m.keep('the cat of alice is called Momo')
  await m.keep('the sea is cold')
  await m.bot.say('bob', '@kiki what is the cat of alice called?')
  await m.bot.pass('10s')
  const { rows } = await m.bot.db.query<{ first: number; thing: string }>(
    `select first, thing from kikimimi_v1.source where owner = 'kikimimi' and conversation = 'facts'`,
  )
  const { rows: traces } = await m.bot.db.query<{ turn: string }>('select turn from kikimimi_v1.trace')
  expect(rows).toEqual([{ first: id, thing: traces[0]?.turn }])
})
