import { type Conversation, channelOf } from 'kikimimi'
import type { Visibility } from 'kikimimi/platform'
import { seededRandom, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { borrowedProfiles, key, place } from './test-people.ts'

/** An independent version of the rule, to compare the SQL with. */
function mayRead(told: Conversation, reader: Conversation, isPublic: (channel: string) => boolean): boolean {
  if (told.visibility === 'public') return told.platform === reader.platform && told.workspace === reader.workspace
  if (told.id === reader.id) return true
  // A thread has an audience of its own only if more people can read its channel.
  const ofWholeChannel = told.thread === undefined || told.visibility === 'direct' || !isPublic(channelOf(told))
  return ofWholeChannel && channelOf(told) === channelOf(reader)
}

test('random channels, people and readers: each reader gets only what the reader may know', async () => {
  const { plugins, store } = borrowedProfiles()
  await using bot = await testBot({ plugins })
  const random = seededRandom(31)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? (list[0] as T)

  const channels = Array.from({ length: 300 }, (_, at) => {
    const visibility = pick<Visibility>(['public', 'public', 'private', 'direct'])
    return place(`c${at}`, { platform: pick(['test', 'other']), workspace: pick(['a', 'b', '']), visibility })
  })
  const visibilities = new Map(channels.map(({ id, visibility }) => [id, visibility]))
  const isPublic = (channel: string) => visibilities.get(channel) === 'public'
  const somewhere = (): Conversation => {
    const channel = pick(channels)
    if (random() < 0.6) return channel
    // Discord has private threads in public channels.
    const visibility = channel.visibility === 'public' && random() < 0.5 ? 'private' : channel.visibility
    return place(channel.channel, { ...channel, thread: `${visibility}${pick([1, 2])}`, visibility })
  }
  const told = Array.from({ length: 1_000 }, (_, at) => ({ where: somewhere(), who: `p${at % 40}`, secret: `secret${at}x` }))
  const places = [...new Map([...channels, ...told.map(({ where }) => where)].map(where => [where.id, where])).values()]
  await bot.db.query(
    `insert into kikimimi.conversation (id, platform, workspace, channel, thread, name, visibility)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $4::text[], $6::text[])`,
    (['id', 'platform', 'workspace', 'channel', 'thread', 'visibility'] as const).map(part =>
      places.map(one => one[part] ?? null),
    ),
  )
  await bot.db.query(
    `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions,
       attachments, at, received_at)
     select conversation, channel, text, author, author, false, false, false, text, '[]', '[]', at, at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[]) as m(conversation, channel, author, text, at)`,
    [
      told.map(({ where }) => where.id),
      told.map(({ where }) => channelOf(where)),
      told.map(({ who }) => who),
      told.map(({ secret }) => secret),
      told.map((_, at) => new Date(bot.clock.now() - at * 3_600_000)),
    ],
  )
  for (const { where, who, secret } of told.slice(0, 400))
    await store().note(key(who, where.platform), where, { tags: [secret], personality: secret, lastConversation: secret })
  await store().flush()

  let seen = 0
  for (let at = 0; at < 600; at++) {
    const reader = random() < 0.5 ? pick(told).where : somewhere()
    const who = `p${at % 40}`
    const profile = await store().get(key(who, reader.platform), reader)
    const own = told.filter(one => one.who === who && one.where.platform === reader.platform)
    const readable = own.filter(({ where }) => mayRead(where, reader, isPublic))
    expect([at, profile?.channels.map(({ id }) => id).sort() ?? []]).toEqual([
      at,
      [...new Set(readable.map(({ where }) => channelOf(where)))].sort(),
    ])
    const secrets: string[] = JSON.stringify(profile ?? {}).match(/secret\d+x/g) ?? []
    expect(secrets.filter(secret => !readable.some(one => one.secret === secret))).toEqual([])
    if (!profile) continue
    // The number does not show in which conversations.
    expect(profile.messages).toBe(own.length)
    expect(profile.channels.reduce((sum, { messages }) => sum + messages, 0)).toBe(readable.length)
    expect(profile.topics.length).toBe(1)
    seen += secrets.length
  }
  expect(seen).toBeGreaterThan(1_000)
})

describe('a channel that changes its visibility', () => {
  const den = (visibility: Visibility) => place('den', { visibility })

  async function inDen(options: Parameters<typeof borrowedProfiles>[0] = {}) {
    const borrowed = borrowedProfiles(options)
    const bot = await testBot({ plugins: borrowed.plugins })
    const say = (text: string, visibility: Visibility) => bot.say('alice', text, { channel: 'den', visibility })
    const told = async (reader: Conversation) => JSON.stringify(await borrowed.store().get(key('alice'), reader))
    return { ...borrowed, bot, say, told, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }

  test('takes its data with it when it becomes private', async () => {
    await using d = await inDen()
    await d.say('my tomatoes are growing', 'public')
    await d.store().note(key('alice'), den('public'), { tags: ['gardening'] })
    await d.bot.pass('1h')
    await d.bot.say('alice', 'hello')
    expect(await d.told(place())).toMatch(/tomatoes.*gardening/)
    await d.say('now it is only us', 'private')
    expect(await d.told(place())).not.toMatch(/tomatoes|gardening|den/)
    expect(await d.told(den('private'))).toMatch(/tomatoes.*gardening/)
  })

  test('does not publish earlier messages when it becomes public, counted or not', async () => {
    await using d = await inDen({ writeEvery: '1d' })
    await d.say('my tomatoes are growing', 'private')
    await d.bot.pass('1h')
    expect(await d.told(den('private'))).toMatch(/tomatoes/)
    await d.store().note(key('alice'), den('private'), { tags: ['gardening'] })
    await d.bot.pass('1h')
    await d.say('a printer is on fire', 'private')
    await d.bot.pass('1h')
    await d.say('hello to all of you', 'public')
    for (const reader of [place(), den('public')]) expect(await d.told(reader)).not.toMatch(/tomatoes|gardening|printer/)
    await d.say('the bicycle is new', 'public')
    await d.bot.pass('1h')
    for (const reader of [place(), den('public')]) expect(await d.told(reader)).toMatch(/bicycle/)
    for (const reader of [place(), den('public')]) expect(await d.told(reader)).not.toMatch(/tomatoes|gardening|printer/)
    expect((await d.known('alice')).channels).toEqual([{ id: 'test/team/den', name: 'den', messages: 2 }])
    expect((await d.known('alice')).messages).toBe(4)
  })

  test('does not show a private thread to its members when it becomes private', async () => {
    await using d = await inDen({ writeEvery: '1d' })
    await d.say('hello', 'public')
    await d.bot.say('alice', 'my tomatoes are growing', { channel: 'den', thread: 't1', visibility: 'private' })
    await d.bot.pass('1h')
    await d.say('now it is only us', 'private')
    const thread = place('den', { thread: 't1', visibility: 'private' })
    expect(await d.told(den('private'))).not.toMatch(/tomatoes/)
    expect(await d.told(thread)).toMatch(/tomatoes/)
  })
})

test('the time of a private message is not shown elsewhere', async () => {
  const { plugins, known, store } = borrowedProfiles()
  await using bot = await testBot({ plugins })
  await bot.say('alice', 'hello', { channel: 'd1', visibility: 'direct' })
  expect(await store().get(key('alice'), place())).toBeUndefined()
  await bot.say('alice', 'hello all')
  await bot.pass('1h')
  await bot.say('alice', 'hello again', { channel: 'd1', visibility: 'direct' })
  expect(await known('alice')).toMatchObject({ messages: 3, lastSeenAt: new Date('2026-01-05T10:00:00Z') })
})

test('a name in a private conversation is not shown elsewhere', async () => {
  const { plugins, known } = borrowedProfiles()
  await using bot = await testBot({ plugins })
  for (const [id, name, where] of [
    ['m1', 'Alice', place()],
    ['m2', 'Catwoman', place('secret', { visibility: 'private' })],
  ] as const) {
    const { id: _, ...conversation } = where
    const at = new Date(bot.clock.now())
    await bot.bot.receive(bot.platform, { id, conversation, author: { id: 'u1', name }, text: 'hello', at })
    await bot.pass('1m')
  }
  expect((await known('u1')).name).toBe('Alice')
  expect((await known('u1', place('secret', { visibility: 'private' }))).name).toBe('Catwoman')
})
