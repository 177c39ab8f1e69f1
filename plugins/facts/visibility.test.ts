import { type Conversation, channelOf } from 'kikimimi'
import type { Visibility } from 'kikimimi/platform'
import { seededRandom, testBot, testRounds } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { borrowedFacts, fact, place, textsOf } from './test-memory.ts'

/** An independent version of the rule, to compare the SQL with. */
function mayRead(told: Conversation, reader: Conversation, isPublic: (channel: string) => boolean): boolean {
  if (told.visibility === 'public') return sameWorkspace(told, reader)
  if (told.id === reader.id) return true
  // A thread has an audience of its own only if more people can read its channel.
  const ofWholeChannel = told.thread === undefined || told.visibility === 'direct' || !isPublic(channelOf(told))
  return ofWholeChannel && channelOf(told) === channelOf(reader)
}

function sameWorkspace(one: Conversation, other: Conversation): boolean {
  return one.platform === other.platform && one.workspace === other.workspace
}

test('in random channels each reader gets exactly what the reader may read', async () => {
  const { rounds, seed } = testRounds({ few: 150, all: 1_000 })
  const { plugins, store } = borrowedFacts()
  await using bot = await testBot({ plugins })
  const random = seededRandom(30 + seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? (list[0] as T)

  const channels = Array.from({ length: rounds }, (_, at) => {
    const visibility = pick<Visibility>(['public', 'public', 'private', 'direct'])
    return place(`c${at}`, { platform: pick(['test', 'other']), workspace: pick(['a', 'b', '']), visibility })
  })
  const visibilities = new Map(channels.map(({ id, visibility }) => [id, visibility]))
  const isPublic = (channel: string) => visibilities.get(channel) === 'public'
  await bot.db.query(
    `insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $4::text[], $5::text[])`,
    (['id', 'platform', 'workspace', 'channel', 'visibility'] as const).map(key => channels.map(channel => channel[key])),
  )
  const somewhere = (): Conversation => {
    const channel = pick(channels)
    if (random() < 0.6) return channel
    // Discord has private threads in public channels.
    const visibility = channel.visibility === 'public' && random() < 0.5 ? 'private' : channel.visibility
    return place(channel.channel, { ...channel, thread: pick(['t1', 't2']), visibility })
  }

  const told: { readonly content: string; readonly where: Conversation }[] = []
  // One transaction, to save time.
  await bot.db.transaction(async () => {
    for (let at = 0; at < rounds; at++) {
      const where = random() < 0.5 ? pick(channels) : somewhere()
      const content = `secret number ${at}`
      told.push({ content, where })
      await store().add(fact(content, { conversation: where }))
    }
  })
  await bot.pass('1s')

  for (let audience = 0; audience < rounds / 6; audience++) {
    const reader = random() < 0.3 ? pick(told).where : somewhere()
    const expected = told.filter(({ where }) => mayRead(where, reader, isPublic)).map(({ content }) => content)
    const listed = await store().list({ conversation: reader, limit: 2_000 })
    expect(listed.map(({ content }) => content).sort()).toEqual(expected.sort())
    const found = textsOf(await store().search({ conversation: reader, text: 'secret number', limit: 50 }))
    expect(found.filter(content => !expected.includes(content))).toEqual([])
    expect(found.length).toBe(Math.min(50, expected.length))
  }
})

test('the facts of a channel that becomes private become private', async () => {
  const { plugins, store } = borrowedFacts()
  await using bot = await testBot({ plugins })
  await bot.say('alice', 'the cat is called Momo', { channel: 'den' })
  await bot.pass('10s')
  await store().add(fact('the cat eats tuna', { conversation: place('den') }))
  const found = async (channel: string) =>
    textsOf(await store().recall({ conversation: place(channel), text: 'the cat Momo eats tuna' }))
  expect(await found('general')).toHaveLength(2)
  await bot.say('alice', 'now it is only us', { channel: 'den', visibility: 'private' })
  expect(await found('general')).toEqual([])
  expect(await found('den')).toHaveLength(2)
})
