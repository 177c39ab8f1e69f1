import reply from '@kikimimi/reply'
import { type Conversation, channelOf, conversationId } from 'kikimimi'
import { promptOf, type Said, testRounds } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { readableIn } from './storage/readable.ts'
import { noted, remembering } from './test-memory.ts'

/** Every memory contains a mark for each of its sources. */
const marks = ({ prompt }: { readonly prompt: string }) =>
  noted([...new Set(prompt.match(/mark-[\w-]+/g))].join(' ') || 'nothing', 'mark-mood', ['mark-topic'])

const soon = { everyMessages: 1, workspaceEvery: 1 } as const

const PLACES: Readonly<Record<string, Said>> = {
  'a public channel': { channel: 'general' },
  'another public channel': { channel: 'random' },
  'its thread': { channel: 'random', thread: 't1' },
  'a private channel': { channel: 'hidden', visibility: 'private' },
  'its own thread': { channel: 'hidden', visibility: 'private', thread: 't2' },
  'a private thread in a public channel': { channel: 'general', visibility: 'private', thread: 't3' },
  'a direct message': { channel: 'd1', visibility: 'direct' },
  'a direct message of somebody else': { channel: 'd2', visibility: 'direct' },
}

const markOf = (place: string) => `mark-${place.replaceAll(' ', '-')}`

/** Sources that may be in the prompt of a conversation, besides public ones. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  'a private channel': ['a private channel', 'its own thread'],
  'its own thread': ['a private channel', 'its own thread'],
  'a private thread in a public channel': ['a private thread in a public channel'],
  'a direct message': ['a direct message'],
  'a direct message of somebody else': ['a direct message of somebody else'],
}

test('private memories are in no other prompt, public ones in all of the workspace', async () => {
  await using m = await remembering(marks, soon, { memory: { ttl: '90s' }, also: [reply()] })
  for (const [place, where] of Object.entries(PLACES)) await m.bot.say('alice', `I tell ${markOf(place)} here`, where)
  await m.bot.pass('2m')
  expect(m.asked('workspace')).toBe(1)
  for (const [place, where] of Object.entries(PLACES)) {
    const prompt = await m.prompt(where)
    const seen = Object.keys(PLACES).filter(other => new RegExp(`${markOf(other)}(?![\\w-])`).test(prompt))
    const may = Object.keys(PLACES).filter(other => READERS[other]?.includes(place) ?? true)
    expect([place, seen]).toEqual([place, may])
  }
  // The name of a private channel is not shown either.
  expect(await m.prompt()).not.toMatch(/hidden|#d1/)
  expect(await m.prompt(PLACES['a direct message'])).toMatch(
    /- #general\n- #random\n\nRight now you are in a direct conversation/,
  )
})

test('other workspaces see nothing', async () => {
  await using m = await remembering(marks, soon, { also: [reply()] })
  await m.bot.say('alice', 'I tell mark-team here')
  await m.bot.pass('2m')
  const there = { platform: 'test', workspace: 'others', channel: 'general', name: 'general', visibility: 'public' } as const
  const at = new Date(m.bot.clock.now())
  const me = { id: 'bot', name: 'kiki' }
  await m.bot.bot.receive(m.bot.platform, {
    ...{ id: 'x1', conversation: there, author: { id: 'zoe', name: 'zoe' }, text: '@kiki ?', at, mentions: [me] },
  })
  await m.bot.pass('1s')
  expect(m.chat.asked).toHaveLength(1)
  expect(promptOf(m.chat.asked[0])).not.toContain('mark-team')
})

test('random conversations and readers: nobody reads more than allowed', async () => {
  const { rounds } = testRounds({ few: 100, all: 400 })
  await using m = await remembering()
  const { db } = m.bot
  const random = seeded(7)
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
  const places = new Map<string, Conversation>()
  for (let at = 0; at < rounds; at++) {
    const channel = `c${Math.floor(random() * 60)}`
    const of = { platform: 'test', workspace: pick(['a', 'b']), channel, name: channel }
    const known = places.get(conversationId({ ...of, visibility: 'public' }))
    const visibility = pick<Conversation['visibility']>(['public', 'public', 'private', 'direct'])
    const thread = random() < 0.5 ? `t${at}` : undefined
    const hidden = thread !== undefined && (known?.visibility !== 'public' || random() < 0.3)
    const parts =
      thread === undefined ? { ...of, visibility } : ({ ...of, thread, visibility: hidden ? 'private' : 'public' } as const)
    const place = { ...parts, id: conversationId(parts) }
    if (thread === undefined || known) places.set(place.id, place)
  }
  for (const [at, place] of [...places.values()].entries()) {
    const { id, platform, workspace, channel, thread, name, visibility } = place
    await db.query(
      `insert into kikimimi.conversation (id, platform, workspace, channel, thread, name, visibility) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do update set visibility = excluded.visibility`,
      [id, platform, workspace, channel, thread ?? null, name, visibility],
    )
    await db.query(
      `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions,
         attachments, at, received_at) values ($1, $2, $3, 'alice', 'alice', false, false, false, 'hello', '[]', '[]', $4, $4)`,
      [id, channelOf(place), `m${at}`, new Date(m.bot.clock.now())],
    )
  }
  await m.bot.pass('6h')

  const since = { channels: new Date(0), threads: new Date(0) }
  let seen = 0
  for (const reader of places.values()) {
    const { channels, threads } = await readableIn(db, reader, since)
    for (const { id, workspace } of [...channels, ...threads]) {
      const place = places.get(id)
      const home = place && places.get(channelOf(place))
      const here = channelOf(reader) === (place && channelOf(place))
      const open = place?.visibility === 'public' && home?.visibility === 'public'
      expect(workspace).toBe(`test/${reader.workspace}`)
      const ownThread = here && (place?.thread === undefined || open || id === reader.id || home?.visibility !== 'public')
      expect([reader.id, id, open || ownThread]).toEqual([reader.id, id, true])
      seen++
    }
  }
  expect(seen).toBeGreaterThan(2.5 * rounds)
})

describe('a channel that changes its visibility', () => {
  test('that becomes private is not shown elsewhere any more', async () => {
    await using m = await remembering(marks, soon, { also: [reply()] })
    await m.bot.say('alice', 'I tell mark-a here', { channel: 'random' })
    await m.bot.pass('2m')
    expect(await m.prompt()).toContain('mark-a')
    await m.bot.say('alice', 'now we are alone', { channel: 'random', visibility: 'private' })
    expect(await m.prompt()).not.toContain('mark-a')
    expect(await m.prompt({ channel: 'random', visibility: 'private' })).toContain('mark-a')
  })

  test('that becomes public does not show earlier memories', async () => {
    await using m = await remembering(marks, soon, { memory: { ttl: '30s' }, also: [reply()] })
    await m.bot.say('alice', 'I tell mark-a here', { channel: 'random', visibility: 'private' })
    await m.bot.pass('2m')
    expect(await m.prompt({ channel: 'random', visibility: 'private' })).toContain('mark-a')
    await m.bot.say('alice', 'I tell mark-b here', { channel: 'random', visibility: 'private' })
    await m.bot.say('alice', 'hello to all of you', { channel: 'random' })
    await m.bot.pass('2m')
    await m.bot.say('alice', 'I tell mark-c here', { channel: 'random' })
    await m.bot.pass('2m')
    expect(await m.prompt({ channel: 'random' })).toMatch(/mark-c/)
    expect(await m.prompt({ channel: 'random' })).not.toMatch(/mark-[ab]/)
    expect(await m.prompt()).not.toMatch(/mark-[ab]/)
  })
})

/** The same numbers each time, 0 ≤ x < 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
