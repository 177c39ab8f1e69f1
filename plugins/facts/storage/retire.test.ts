/** Which fact replaces which, and when: subject, relation, verdict and valid time. */
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { NewFact } from '../api/facts.ts'
import { borrowedFacts, fact, place } from '../test-memory.ts'

async function memory() {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ plugins })
  const facts = store()
  /** The text of each fact, with its valid time once it is over. */
  const state = async () =>
    (await facts.list({ conversation: place(), history: true })).toReversed().map(({ content, validFrom, validTo }) => {
      const day = (at: Date) => at.toISOString().slice(0, 10)
      return validTo ? `${content} (${day(validFrom)} to ${day(validTo)})` : content
    })
  return { bot, facts, state, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

function home(value: string, more: Partial<NewFact> = {}): NewFact {
  return fact(`alice lives in ${value}`, { people: ['alice'], subject: 'alice', relation: 'lives_in', value, ...more })
}

const day = (text: string) => new Date(`${text}T00:00:00Z`)

describe('a fact is retired', () => {
  test('if subject and relation match and the caller says so', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka', { at: day('2026-01-01') }))
    const now = await m.facts.supersede([old.id], home('Kyoto', { at: day('2026-01-04'), relation: 'moved to' }))
    expect(now).toMatchObject({ superseded: [old.id], batch: expect.any(Number) })
    expect(await m.state()).toEqual(['alice lives in Osaka (2026-01-01 to 2026-01-04)', 'alice lives in Kyoto'])
    expect(await m.facts.list({ conversation: place() })).toMatchObject([{ relation: 'lives_in', value: 'Kyoto', single: true }])
  })

  test('from the time at which the new one begins, if that is to come', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka'))
    await m.facts.supersede([old.id], home('Kyoto', { validFrom: day('2026-01-10') }))
    expect(await m.state()).toEqual(['alice lives in Osaka', 'alice lives in Kyoto'])
    await m.bot.pass('6d')
    expect(await m.state()).toEqual(['alice lives in Osaka (2026-01-05 to 2026-01-10)', 'alice lives in Kyoto'])
  })

  test('by the statement that this value has ended, in a relation with several values too', async () => {
    await using m = await memory()
    const speaks = { subject: 'alice', relation: 'speaks', value: 'French' }
    const old = await m.facts.add(fact('alice speaks French', speaks))
    await m.facts.supersede([old.id], fact('alice has forgotten her French', { ...speaks, validTo: day('2026-01-05') }))
    expect(await m.facts.list({ conversation: place() })).toEqual([])
  })
})

describe('a fact is not retired', () => {
  const unlike: readonly [string, Partial<NewFact>][] = [
    ['another subject', { subject: 'bob', people: ['bob'] }],
    ['another relation', { relation: 'works_at' }],
    ['the same value', { value: 'osaka' }],
    ['no value', { value: ' ' }],
    ['a statement about the past', { validTo: day('2020-01-01') }],
  ]
  test.each(unlike)('by a verdict alone: %s', async (_what, more) => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka'))
    await m.bot.pass('1d')
    expect((await m.facts.supersede([old.id], { ...home('Kyoto', more), content: 'moved' })).superseded).toEqual([])
    expect(await m.facts.list({ conversation: place() })).toContainEqual(expect.objectContaining({ id: old.id }))
  })

  test('by a verdict alone: a relation with several values', async () => {
    await using m = await memory()
    const speaks = { subject: 'alice', relation: 'language', single: true }
    const old = await m.facts.add(fact('alice speaks French fluently', { ...speaks, value: 'French' }))
    const now = fact('alice now speaks Spanish fluently too', { ...speaks, value: 'Spanish' })
    expect((await m.facts.supersede([old.id], now)).superseded).toEqual([])
  })

  test.each([
    ['The release starts on Thursday at 15', 'The release start was moved to Tuesday'],
    ['リリース作業は毎週木曜日の15時から始める', 'リリース作業は火曜日の10時開始に変更になった'],
  ])('by a word of change: %s', async (old, now) => {
    await using m = await memory()
    await m.facts.add(fact(old))
    await m.bot.pass('1d')
    expect((await m.facts.add(fact(now))).superseded).toEqual([])
  })

  test('by a matching relation without a verdict', async () => {
    await using m = await memory()
    await m.facts.add(home('Osaka'))
    expect((await m.facts.add(home('Kyoto'))).superseded).toEqual([])
    expect((await m.facts.supersede([], home('Nagoya'))).superseded).toEqual([])
  })
})

describe('a fact with another audience is not retired', () => {
  const partners = place('partners', { readers: { outsiders: true } })

  test('which was said in a channel that is private now', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka'))
    await m.bot.say('alice', 'now it is only us', { visibility: 'private' })
    expect((await m.facts.supersede([old.id], home('Kyoto', { conversation: place('random') }))).superseded).toEqual([])
  })

  test('which outsiders read', async () => {
    await using m = await memory()
    const { channel, readers } = partners
    await m.bot.say('alice', 'welcome to our partners', { channel, readers })
    const old = await m.facts.add(home('Osaka', { conversation: partners }))
    expect((await m.facts.supersede([old.id], home('Kyoto'))).superseded).toEqual([])
    expect((await m.facts.supersede([old.id], home('Kyoto', { conversation: partners }))).superseded).toEqual([old.id])
  })

  test('but one of another public channel is', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka', { conversation: place('random') }))
    expect((await m.facts.supersede([old.id], home('Kyoto'))).superseded).toEqual([old.id])
  })
})

describe('the valid time decides the order', () => {
  test('an older statement that is learned later is history', async () => {
    await using m = await memory()
    const now = await m.facts.add(home('Kyoto', { at: day('2026-01-04') }))
    expect((await m.facts.supersede([now.id], home('Osaka', { at: day('2026-01-01') }))).superseded).toEqual([])
    expect(await m.state()).toEqual(['alice lives in Osaka (2026-01-01 to 2026-01-04)', 'alice lives in Kyoto'])
  })

  test('two dated statements by their dates', async () => {
    await using m = await memory()
    const now = await m.facts.add(home('Kyoto', { validFrom: day('2022-04-01'), at: day('2026-01-01') }))
    await m.facts.supersede([now.id], home('Osaka', { validFrom: day('2019-04-01') }))
    expect(await m.state()).toContain('alice lives in Osaka (2019-04-01 to 2022-04-01)')
  })

  test('a later statement is newer, although the change that it tells was before the earlier statement', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka', { at: day('2026-01-01') }))
    const now = home('Kyoto', { at: day('2026-01-04'), validFrom: day('2025-11-01') })
    expect((await m.facts.supersede([old.id], now)).superseded).toEqual([old.id])
  })
})

test('a fact with an end holds until then', async () => {
  await using m = await memory()
  await m.facts.add(fact('alice is on leave until Friday', { validTo: day('2026-01-09') }))
  await m.bot.pass('3d')
  expect(await m.facts.list({ conversation: place() })).toMatchObject([{ expiresAt: day('2026-01-09') }])
  await m.bot.pass('1d')
  expect(await m.facts.list({ conversation: place() })).toEqual([])
  expect(await m.facts.recall({ conversation: place(), text: 'is alice on leave?' })).toEqual([])
  expect(await m.state()).toEqual(['alice is on leave until Friday (2026-01-05 to 2026-01-09)'])
})

describe('a batch of replacements', () => {
  test('is undone in one step, within 30 days', async () => {
    await using m = await memory()
    const work = { people: ['alice'], subject: 'alice', relation: 'works_at' }
    const osaka = await m.facts.add(home('Osaka', { validTo: day('2027-01-01') }))
    const hospital = await m.facts.add(fact('alice works at a hospital', { ...work, value: 'hospital' }))
    await m.bot.pass('1d')
    const before = await m.state()
    const { batch = 0 } = await m.facts.supersede([osaka.id], home('Kyoto', { validFrom: day('2026-01-08') }))
    await m.facts.supersede([hospital.id], fact('alice works at a school', { ...work, value: 'school' }), batch)
    await m.bot.pass('5d')
    expect(await m.facts.list({ conversation: place() })).toHaveLength(2)
    expect(await m.facts.undo(batch + 1)).toEqual([])
    expect((await m.facts.undo(batch)).toSorted()).toEqual([osaka.id, hospital.id].toSorted())
    expect(await m.state()).toEqual([...before, 'alice lives in Kyoto', 'alice works at a school'])
    expect((await m.facts.history(osaka.id)).map(({ expiresAt }) => expiresAt)).toEqual([day('2027-01-01')])
    expect(await m.facts.undo(batch)).toEqual([])
  })

  test('is final after that, and leaves out a fact that was stated again', async () => {
    await using m = await memory()
    const old = await m.facts.add(home('Osaka'))
    await m.bot.pass('1d')
    const { batch = 0, id } = await m.facts.supersede([old.id], home('Kyoto'))
    await m.bot.pass('1d')
    const back = await m.facts.supersede([id], home('Osaka'))
    expect(await m.facts.undo(batch)).toEqual([])
    await m.bot.pass('31d')
    expect(await m.facts.undo(back.batch ?? 0)).toEqual([])
  })
})
