import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedProfiles, key, place } from './test-people.ts'

async function noting(
  run: (t: ReturnType<typeof borrowedProfiles> & { readonly bot: Awaited<ReturnType<typeof testBot>> }) => Promise<void>,
) {
  const borrowed = borrowedProfiles()
  await using bot = await testBot({ plugins: borrowed.plugins })
  await bot.say('alice', 'hello')
  await run({ ...borrowed, bot })
}

const random = place('random')

test('a note replaces the previous note of its conversation; absent parts stay, empty ones are deleted', () =>
  noting(async ({ store, known }) => {
    await store().note(key('alice'), place(), { tags: ['cats'], personality: 'calm', lastConversation: 'Of cats.' })
    await store().note(key('alice'), place(), { personality: 'lively' })
    expect(await known('alice')).toMatchObject({ tags: ['cats'], personality: 'lively', lastConversation: 'Of cats.' })
    await store().note(key('alice'), place(), { tags: [], lastConversation: '' })
    const { tags, lastConversation, personality } = await known('alice')
    expect({ tags, lastConversation, personality }).toEqual({ personality: 'lively' })
  }))

test('notes of several conversations are merged: all tags, and the latest value of other parts', () =>
  noting(async ({ bot, store, known }) => {
    await store().note(key('alice'), place(), { tags: ['cats', 'tea'], personality: 'calm', lastConversation: 'Of cats.' })
    await bot.pass('1h')
    await store().note(key('alice'), random, { tags: ['trains', 'tea'], lastConversation: 'Of trains.' })
    expect(await known('alice')).toMatchObject({
      tags: ['trains', 'tea', 'cats'],
      personality: 'calm',
      lastConversation: 'Of trains.',
    })
  }))

test('a note is short, and the latest twenty are kept', () =>
  noting(async ({ bot, store, known }) => {
    const tags = Array.from({ length: 30 }, (_, at) => `tag ${at} ${'x'.repeat(100)}`)
    await store().note(key('alice'), place(), { tags, personality: 'long '.repeat(1_000), lastConversation: 'a\0b\ud800' })
    const { tags: kept = [], personality, lastConversation } = await known('alice')
    expect([kept.length, kept[0]?.length, personality?.length, lastConversation]).toEqual([10, 40, 300, 'ab\ufffd'])
    for (let at = 0; at < 25; at++) {
      await bot.pass('1m')
      await store().note(key('alice'), place(`c${at}`), { tags: [`t${at}`] })
    }
    const { rows } = await bot.db.query('select 1 from profiles.note')
    expect(rows).toHaveLength(20)
    expect((await known('alice')).tags?.[0]).toBe('t24')
  }))

test('a person without own messages is unknown', () =>
  noting(async ({ store }) => {
    await store().note(key('carol'), place(), { tags: ['cats'] })
    expect(await store().get(key('carol'), place())).toBeUndefined()
  }))
