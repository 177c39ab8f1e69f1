import { type IncomingMessage, type Person, startBot } from 'kikimimi'
import { MissedMessages } from 'kikimimi/platform'
import { openTestDatabase, testBot, testPlatform, VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { type Borrowed, borrowedProfiles, key, place } from './test-people.ts'

type TestBot = Awaited<ReturnType<typeof testBot>>

async function people(
  options: Parameters<typeof borrowedProfiles>[0] = {},
  more: Parameters<typeof testBot>[0] = {},
): Promise<Borrowed & AsyncDisposable & { readonly bot: TestBot; written(): Promise<number> }> {
  const borrowed = borrowedProfiles(options)
  const bot = await testBot({ ...more, plugins: borrowed.plugins })
  return {
    ...borrowed,
    bot,
    async written() {
      const { rows } = await bot.db.query<{ written: number }>(
        'select coalesce(sum(messages), 0)::int as written from profiles.activity',
      )
      return rows[0]?.written ?? 0
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

/** A message of a person whose name differs from their id. */
function said(author: Person, id: string, more: Partial<IncomingMessage> = {}): IncomingMessage {
  const { id: _, ...conversation } = place()
  return { id, conversation, author, text: 'hello there', at: new Date('2026-01-05T10:00:00Z'), ...more }
}

describe('counts', () => {
  test('messages, mentions of the bot, channels and the time of the last message', async () => {
    await using p = await people()
    await p.bot.say('alice', 'good morning')
    await p.bot.say('alice', '@kiki are you here?')
    await p.bot.pass('1h')
    await p.bot.say('alice', 'the train was late', { channel: 'travel' })
    await p.bot.say('alice', 'by half an hour', { channel: 'travel', thread: 't1' })
    await p.bot.say('alice', '@bob did you know?', { channel: 'travel' })
    await p.bot.say('bob', 'no')
    expect(await p.known('alice')).toEqual({
      person: key('alice'),
      name: 'alice',
      messages: 5,
      mentions: 1,
      familiarity: 'stranger',
      lastSeenAt: new Date('2026-01-05T11:00:00Z'),
      channels: [
        { id: 'test/team/travel', name: 'travel', messages: 3 },
        { id: 'test/team/general', name: 'general', messages: 2 },
      ],
      topics: [],
      sources: [],
    })
    expect(await p.store().get(key('carol'), place())).toBeUndefined()
  })

  test('a mention, a reply and the bot’s name count as mentions; a direct message does not', async () => {
    await using p = await people({}, { model: 'Yes?' })
    await p.bot.say('alice', '@kiki hello')
    await p.bot.say('alice', 'thank you', { replyTo: { id: 'x', author: 'bot' } })
    await p.bot.say('alice', 'thank you', { channel: 'd', visibility: 'direct' })
    expect(await p.known('alice')).toMatchObject({ messages: 3, mentions: 2 })
  })

  test('the bot itself and other bots are not counted', async () => {
    await using p = await people({}, { model: 'Good day.', listen: { bots: true } })
    await p.bot.say('alice', '@kiki hello')
    await p.bot.say('feedbot', '@kiki news', { bot: true })
    expect(p.bot.sent.length).toBeGreaterThan(0)
    expect((await p.store().list()).map(({ person }) => person.id)).toEqual(['alice'])
  })

  test('a message counts once, even if it is delivered several times', async () => {
    await using p = await people({}, { storage: 'pglite' })
    await p.bot.say('alice', 'hello', { id: 'm1' })
    await p.bot.say('alice', 'hello', { id: 'm1' })
    expect((await p.known('alice')).messages).toBe(1)
    await p.bot.say('alice', 'hello', { id: 'm1' })
    await p.bot.pass('15m')
    await p.bot.restart()
    await p.bot.say('alice', 'hello', { id: 'm1' })
    expect((await p.known('alice')).messages).toBe(1)
  })

  test('messages of catch-up count with their own time', async () => {
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 5, 10, minutes))
    const past = [
      said({ id: 'alice', name: 'Alice' }, 'm1', { at: at(0) }),
      said({ id: 'alice', name: 'Al' }, 'm2', { at: at(1) }),
      said({ id: 'bob', name: 'Bob' }, 'm3', { at: at(2) }),
    ]
    await using p = await people({}, { platform: { past } })
    await p.bot.bot.receive(p.bot.platform, past[0] ?? said({ id: 'alice', name: 'Alice' }, 'm1'))
    const caughtUp = await p.ctx().use(MissedMessages, 'optional')?.trackPosition(p.bot.platform)
    await p.bot.pass('3h')
    await caughtUp?.()
    expect(await p.known('alice')).toMatchObject({ messages: 2, name: 'Al', lastSeenAt: at(1) })
    expect(await p.known('bob')).toMatchObject({ messages: 1, lastSeenAt: at(2) })
  })

  test('messages that are read later do not restore an old name', async () => {
    await using p = await people()
    const at = new Date('2026-01-05T09:00:00Z')
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u1', name: 'New' }, 'm1'))
    expect((await p.known('u1')).name).toBe('New')
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u1', name: 'Old' }, 'm0', { at }))
    expect(await p.known('u1')).toMatchObject({ name: 'New', messages: 2, lastSeenAt: new Date('2026-01-05T10:00:00Z') })
  })

  test('the time of the last message is never in the future', async () => {
    await using p = await people()
    await p.bot.say('alice', 'hello', { at: new Date('2030-01-01') })
    expect((await p.known('alice')).lastSeenAt).toEqual(new Date('2026-01-05T10:00:00Z'))
  })
})

describe('familiarity', () => {
  test('grows with 6, 31 and 101 messages', async () => {
    await using p = await people()
    const seen: [number, string][] = []
    for (let count = 1; count <= 102; count++) {
      await p.bot.bot.receive(p.bot.platform, said({ id: 'alice', name: 'alice' }, `m${count}`))
      if ([1, 5, 6, 30, 31, 100, 101, 102].includes(count)) seen.push([count, (await p.known('alice')).familiarity])
    }
    expect(seen).toEqual([
      [1, 'stranger'],
      [5, 'stranger'],
      [6, 'acquaintance'],
      [30, 'acquaintance'],
      [31, 'regular'],
      [100, 'regular'],
      [101, 'close'],
      [102, 'close'],
    ])
  })

  test('follows the options', async () => {
    await using p = await people({ familiarity: { acquaintance: 1, regular: 2, close: 3 } })
    for (const familiarity of ['acquaintance', 'regular', 'close']) {
      await p.bot.say('alice', 'hello')
      expect((await p.known('alice')).familiarity).toBe(familiarity)
    }
    await expect(people({ familiarity: { acquaintance: 31 } })).rejects.toThrow(/acquaintance, regular and close must grow/)
  })
})

describe('identity', () => {
  test('a renamed member is the same person', async () => {
    await using p = await people()
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u1', name: 'Alice' }, 'm1'))
    await p.bot.pass('15m')
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u1', name: 'Alicia' }, 'm2'))
    expect(await p.known('u1')).toMatchObject({ name: 'Alicia', messages: 2 })
  })

  test('two members with one name are two people', async () => {
    await using p = await people()
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u1', name: 'Alice' }, 'm1'))
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u2', name: 'Alice' }, 'm2'))
    await p.bot.bot.receive(p.bot.platform, said({ id: 'u2', name: 'Alice' }, 'm3'))
    expect((await p.known('u1')).messages).toBe(1)
    expect((await p.known('u2')).messages).toBe(2)
  })
})

describe('counts are written', () => {
  test('every 15 minutes', async () => {
    await using p = await people()
    await p.bot.pass('1m')
    await p.bot.say('alice', 'hello')
    await p.bot.pass('13m')
    expect(await p.written()).toBe(0)
    await p.bot.pass('1m')
    expect(await p.written()).toBe(1)
    await p.bot.say('alice', 'hello again')
    await p.bot.pass('14m')
    expect(await p.written()).toBe(1)
    await p.bot.pass('1m')
    expect(await p.written()).toBe(2)
  })

  test('when the bot stops', async () => {
    await using p = await people({}, { storage: 'pglite' })
    await p.bot.say('alice', 'hello')
    expect(await p.written()).toBe(0)
    await p.bot.bot.stop()
    expect(await p.written()).toBe(1)
    await p.bot.restart()
    expect((await p.known('alice')).messages).toBe(1)
  })

  test('many messages in the background: neither a read nor the stop waits for them', async () => {
    await using p = await people({}, { storage: 'pglite' })
    await p.bot.db.query(
      `insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, text, mentions,
         attachments, at, received_at)
       select 'test/team/general', 'test/team/general', 'old' || n, 'alice', 'alice', false, false, false, 'hello', '[]', '[]', $1, $1
       from generate_series(1, 2500) n`,
      [new Date('2026-01-04')],
    )
    await p.bot.say('alice', 'hello')
    expect(await p.store().get(key('alice'), place())).toBeUndefined()
    await p.bot.restart()
    expect([await p.store().get(key('alice'), place()), p.bot.log]).toEqual([undefined, []])
    await p.bot.pass('3s')
    expect(await p.known('alice')).toMatchObject({ messages: 2_501, familiarity: 'close' })
    await p.bot.say('alice', 'hello again')
    expect(await p.known('alice')).toMatchObject({ messages: 2_502 })
  })
})

test('after a crash nothing is lost and nothing counted twice', async () => {
  await using scope = new AsyncDisposableStack()
  const db = scope.adopt(await openTestDatabase(), opened => opened.close())
  const clock = new VirtualClock(new Date('2026-01-05T10:00:00Z'))
  const start = async () => {
    const p = borrowedProfiles()
    const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
    const config = { persona: { name: 'kiki' }, plugins: p.plugins }
    // The crashed bot is stopped at the end. Until then it is only disconnected.
    const bot = scope.use(await startBot(config, { db, platforms: [platform], env: {}, clock }))
    return { ...p, receive: (id: string) => bot.receive(platform, said({ id: 'alice', name: 'alice' }, id)) }
  }
  const first = await start()
  await first.receive('m1')
  await first.store().flush()
  await first.receive('m2')
  const second = await start()
  await second.receive('m2')
  await second.receive('m3')
  expect((await second.known('alice')).messages).toBe(3)
})
