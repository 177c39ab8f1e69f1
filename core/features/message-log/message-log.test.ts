import { type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, it } from 'vitest'
import {
  definePlugin,
  type Following,
  type Indexing,
  type LogBatch,
  type LoggedMessage,
  type LogQuery,
  MessageLog,
} from '../../api/index.ts'

const staff = { channel: 'staff', visibility: 'private' } as const

/** A bot with a plugin that has the log, and follows it. */
async function reading(following?: Partial<Following>, options: Partial<TestBotOptions> = {}) {
  const batches: LogBatch[] = []
  const stored: string[] = []
  let log: MessageLog | undefined
  const reader = definePlugin({
    name: 'reader',
    needs: [MessageLog],
    needsDatabase: () => true,
    setup(ctx) {
      log = ctx.use(MessageLog)
      return log.follow(ctx, {
        ...{ name: 'reader', most: 4, lull: 60_000 },
        async run(batch) {
          batches.push(batch)
          return () => void stored.push(...texts(batch.messages))
        },
        ...following,
      })
    },
  })
  const bot = await testBot({ storage: 'pglite', plugins: [reader], ...options })
  return {
    ...{ bot, batches, stored },
    read: async (query: Partial<LogQuery> = {}) => texts((await log?.read({ readers: 'operator', limit: 10, ...query })) ?? []),
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

const texts = (messages: readonly { readonly text: string }[]) => messages.map(({ text }) => text)

describe('what is read', () => {
  it('is the last messages, oldest first, under all conditions of the query', async () => {
    await using r = await reading()
    const { bot } = r
    for (const text of ['one', 'two']) await bot.say('alice', text)
    await bot.say('bob', 'three', { thread: 't1' })
    await bot.say('robot', 'beep', { bot: true })
    await bot.say('alice', 'elsewhere', { channel: 'random' })
    expect(await r.read()).toEqual(['one', 'two', 'three', 'elsewhere'])
    expect(await r.read({ limit: 2 })).toEqual(['three', 'elsewhere'])
    expect(await r.read({ limit: 2, first: true })).toEqual(['one', 'two'])
    expect(await r.read({ channel: 'test/team/general' })).toEqual(['one', 'two', 'three'])
    expect(await r.read({ conversations: ['test/team/general'] })).toEqual(['one', 'two'])
    expect(await r.read({ own: false, limit: 1 })).toEqual(['elsewhere'])
    expect(await r.read({ own: true })).toEqual([])
    expect(await r.read({ after: 1, before: 4 })).toEqual(['two', 'three'])
    const [general, random] = [{ channel: 'test/team/general' }, { channel: 'test/team/random' }]
    expect(
      await r.read({
        messages: [
          { ...general, id: 'm2' },
          { ...general, id: 'm5' },
          { ...random, id: 'm5' },
        ],
      }),
    ).toEqual([...['two', 'elsewhere']])
    expect(await r.read({ messages: [] })).toEqual([])
  })

  it('is what an author said, by id or name, what has all words, and what has files', async () => {
    await using r = await reading()
    await r.bot.say('alice', 'A cake of 100 % butter')
    await r.bot.say('bob', 'a cake of 100 eggs')
    await r.bot.say('alice', '', { attachments: [{ url: 'https://example.org/a.md', name: 'a.md' }] })
    expect(await r.read({ author: 'alice' })).toEqual(['A cake of 100 % butter', ''])
    expect(await r.read({ author: 'BOB' })).toEqual(['a cake of 100 eggs'])
    expect(await r.read({ words: ['a CAKE', '100'] })).toEqual(['A cake of 100 % butter', 'a cake of 100 eggs'])
    expect(await r.read({ words: ['100 %'] })).toEqual(['A cake of 100 % butter'])
    expect(await r.read({ files: true })).toEqual([''])
    await r.bot.say('carol', 'Ｃａｋｅ', { thread: 't1' })
    expect(await r.read({ words: ['cake'], people: true })).toHaveLength(3)
    expect(await r.read({ someWords: ['BUTTER', 'ｅｇｇ'] })).toEqual(['A cake of 100 % butter', 'a cake of 100 eggs'])
    const [alice, carol, other] = ['alice', 'carol', 'bob'].map(id => ({ platform: id === 'bob' ? 'slack' : 'test', id }))
    expect(await r.read({ authors: [alice, carol, other].flatMap(one => one ?? []) })).toEqual([
      'A cake of 100 % butter',
      '',
      'Ｃａｋｅ',
    ])
    expect(await r.read({ authors: [{ platform: 'test', id: 'ALICE' }] })).toEqual([])
  })

  it('is what was said, or received, between two times', async () => {
    await using r = await reading()
    const { bot } = r
    const start = new Date(bot.clock.now())
    await bot.say('alice', 'before')
    await bot.pass('1m')
    const [since, until] = [new Date(bot.clock.now() - 1), new Date(bot.clock.now())]
    await bot.say('alice', 'missed', { at: start })
    await bot.say('alice', 'now')
    await bot.pass('1m')
    await bot.say('alice', 'after')
    expect(await r.read({ since, until })).toEqual(['now'])
    expect(await r.read({ receivedSince: since, receivedUntil: until })).toEqual(['missed', 'now'])
    expect(await r.read({ receivedSince: since, channel: 'test/team/general' })).toEqual(['missed', 'now', 'after'])
    expect(await r.read({ receivedSince: new Date(bot.clock.now()) })).toEqual([])
  })

  it('is what was edited after a time', async () => {
    await using r = await reading()
    const [first = '', second = ''] = [await r.bot.say('alice', 'one'), await r.bot.say('alice', 'two')]
    await r.bot.edit(first, 'first')
    await r.bot.pass('1m')
    const editedSince = new Date(r.bot.clock.now() - 1)
    await r.bot.edit(second, 'second')
    expect(await r.read({ editedSince })).toEqual(['second'])
  })

  it('is nothing that is deleted or being forgotten', async () => {
    await using r = await reading()
    const deleted = await r.bot.say('alice', 'deleted')
    await r.bot.say('alice', 'alice was here')
    await r.bot.say('bob', 'bob was here')
    await r.bot.remove(deleted)
    expect(await r.read()).toEqual(['alice was here', 'bob was here'])
    await r.bot.db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'alice', $1)`, [
      new Date(r.bot.clock.now()),
    ])
    expect(await r.read()).toEqual(['bob was here'])
  })

  it('is what all readers of a conversation may read', async () => {
    await using r = await reading()
    await r.bot.say('alice', 'in public')
    await r.bot.say('alice', 'in private', staff)
    expect(await r.read({ readers: { id: 'test/team/general' } })).toEqual(['in public'])
    expect(await r.read({ readers: { id: 'test/team/staff' } })).toEqual(['in public', 'in private'])
  })

  it('is in each place what its readers of that time and of now may read', async () => {
    await using r = await reading()
    const { bot } = r
    const shed = { channel: 'shed', visibility: 'public' } as const
    const channels = ['general', 'shed', 'staff'].map(name => `test/team/${name}`)
    const told = (id: string, query: Partial<LogQuery> = {}) =>
      r.read({ readers: { id: `test/team/${id}` }, conversations: channels, ...query })
    await bot.say('alice', 'in private', staff)
    await bot.say('alice', 'before', shed)
    await bot.say('alice', 'closed', { ...shed, visibility: 'private' })
    expect(await told('general')).toEqual([])
    expect(await told('shed')).toEqual(['before', 'closed'])
    await bot.say('alice', 'after', shed)
    await bot.say('bob', 'in a thread', { ...shed, thread: 't1' })
    await bot.say('bob', 'hello')
    expect(await told('general')).toEqual(['before', 'after', 'hello'])
    expect(await told('general', { limit: 2 })).toEqual(['after', 'hello'])
    expect(await told('general', { limit: 2, first: true })).toEqual(['before', 'after'])
    const inShed = await r.read({ readers: { id: 'test/team/general' }, channel: 'test/team/shed' })
    expect(inShed).toEqual(['before', 'after', 'in a thread'])
    expect(await r.read({ readers: { id: 'test/team' } })).toEqual(['before', 'after', 'in a thread', 'hello'])
  })

  it('has its conversation, with the visibility of its place, and the time of an edit', async () => {
    const batches: LogBatch[] = []
    await using r = await reading({ run: async batch => void batches.push(batch) })
    const said = await r.bot.say('alice', 'in privat', { ...staff, thread: 't1' })
    await r.bot.edit(said, 'in private', { ...staff, thread: 't1' })
    await r.bot.pass('2m')
    expect(batches).toMatchObject([
      {
        place: { channel: 'staff', visibility: 'private' },
        messages: [
          {
            id: 'm1',
            seq: 1,
            text: 'in private',
            editedAt: expect.any(Date),
            conversation: { thread: 't1', visibility: 'private' },
          },
        ],
        sources: [{ conversation: 'test/team/staff/t1', first: 1, last: 1 }],
      },
    ])
  })
})

describe('a follower', () => {
  it('gets each message once, place by place, after a lull or when there are many', async () => {
    await using r = await reading()
    for (const text of ['1', '2', '3']) await r.bot.say('alice', text)
    await r.bot.say('alice', 'a', { channel: 'random' })
    expect(r.stored).toEqual([])
    await r.bot.pass('2m')
    expect(r.stored.toSorted()).toEqual(['1', '2', '3', 'a'])
    for (const text of ['4', '5', '6', '7', '8', '9']) await r.bot.say('alice', text)
    await r.bot.pass('5s')
    expect(r.stored.slice(4)).toEqual(['4', '5', '6', '7'])
    await r.bot.pass('2m')
    expect(r.stored.slice(8)).toEqual(['8', '9'])
    expect(r.batches.every(({ messages }) => new Set(messages.map(one => one.conversation.channel)).size === 1)).toBe(true)
  })

  it('gets the messages of before a restart, and none twice', async () => {
    await using r = await reading()
    await r.bot.say('alice', '1')
    await r.bot.pass('2m')
    await r.bot.say('alice', '2')
    await r.bot.restart()
    await r.bot.pass('2m')
    expect(r.stored).toEqual(['1', '2'])
  })

  it('stores nothing that was deleted, edited or erased while it worked', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stored: string[] = []
    const run: Following['run'] = async ({ messages }) => {
      await promise
      return () => void stored.push(...texts(messages))
    }
    await using r = await reading({ run })
    const deleted = await r.bot.say('alice', 'deleted')
    const edited = await r.bot.say('bob', 'before')
    await r.bot.pass('2m')
    await r.bot.remove(deleted)
    await r.bot.edit(edited, 'after')
    resolve()
    await r.bot.pass('2m')
    expect(stored).toEqual(['after'])
  })

  it('loses no message of a batch of which another process has processed a part meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stored: string[] = []
    const run: Following['run'] = async ({ messages }) => {
      await promise
      return () => void stored.push(...texts(messages))
    }
    await using r = await reading({ run })
    await r.bot.say('alice', 'in the channel')
    await r.bot.say('bob', 'in the thread', { thread: 't1' })
    await r.bot.pass('2m')
    await r.bot.db.query(`update kikimimi.follower_mark set upto = 2 where conversation = 'test/team/general/t1'`)
    resolve()
    await r.bot.pass('2m')
    expect(stored).toEqual(['in the channel'])
  })

  it('skips a batch that fails twice, and goes on', async () => {
    const stored: string[] = []
    const run: Following['run'] = async ({ messages }) => {
      if (messages.some(({ text }) => text === 'poison')) throw new TypeError('cannot read poison')
      return () => void stored.push(...texts(messages))
    }
    await using r = await reading({ run })
    await r.bot.say('alice', 'poison')
    await r.bot.pass('10m')
    await r.bot.say('alice', 'food')
    await r.bot.pass('2m')
    expect(stored).toEqual(['food'])
    expect(r.bot.log.join('\n')).not.toContain('poison')
  })
})

it('has metrics of each follower: what waits, what comes again, and what fails', async () => {
  let isAway = true
  await using r = await reading({
    again: 'edited',
    async run() {
      if (isAway) throw new Error('no')
      return () => {}
    },
  })
  const metric = async (state: string) =>
    new RegExp(`kikimimi_log_follower\\{follower="reader",state="${state}"\\} (\\d+)`).exec(
      (await r.bot.inject('/metrics')).body,
    )?.[1]
  const said = await r.bot.say('alice', 'hello')
  expect(await metric('waiting')).toBe('1')
  await r.bot.pass('2m')
  expect([await metric('waiting'), await metric('failing')]).toEqual(['0', '1'])
  isAway = false
  await r.bot.pass('10m')
  expect(await metric('failing')).toBe('0')
  isAway = true
  await r.bot.edit(said, 'hello!')
  expect(await metric('again')).toBe('1')
})

describe('a follower with times of its own', () => {
  it('gets a place at the latest after so many messages, or when the first one has waited so long', async () => {
    await using r = await reading({ most: 10, lull: 60 * 60_000, every: { messages: 3, ms: 5 * 60_000 } })
    for (const text of ['1', '2', '3']) await r.bot.say('alice', text)
    await r.bot.pass('5s')
    expect(r.stored).toEqual(['1', '2', '3'])
    for (const text of ['4', '5']) {
      await r.bot.say('alice', text)
      await r.bot.pass('2m')
    }
    expect(r.stored).toHaveLength(3)
    await r.bot.pass('1m')
    expect(r.stored.slice(3)).toEqual(['4', '5'])
  })

  it('gets what other bots say, and files, if it wants all', async () => {
    await using r = await reading({ all: true }, { listen: { bots: true } })
    await r.bot.say('robot', 'beep', { bot: true })
    await r.bot.say('alice', '', { channel: 'random', attachments: [{ url: 'https://example.org/a.md', name: 'a.md' }] })
    await r.bot.pass('2m')
    expect(r.stored.toSorted()).toEqual(['', 'beep'])
  })

  it('gets each thread apart, but none that fewer people can read', async () => {
    await using r = await reading({ threads: true })
    await r.bot.say('alice', 'in the channel')
    for (const thread of ['t1', 't2']) await r.bot.say('alice', `in ${thread}`, { thread })
    await r.bot.say('alice', 'alone', { thread: 't3', visibility: 'private' })
    await r.bot.pass('2m')
    expect(r.batches.map(({ place, messages }) => [place.thread, ...texts(messages)]).toSorted()).toEqual([
      ['t1', 'in t1'],
      ['t2', 'in t2'],
    ])
  })
})

it('a batch comes again when the follower could not store it, and the follower learns of a skipped one', async () => {
  const skipped: string[] = []
  let tries = 0
  await using r = await reading({
    async run({ messages }) {
      if (messages.some(({ text }) => text === 'poison')) throw new Error('no')
      return () => (++tries < 3 ? false : undefined)
    },
    skipped: async ({ messages }) => void skipped.push(...texts(messages)),
  })
  await r.bot.say('alice', 'food')
  await r.bot.say('alice', 'poison', { channel: 'random' })
  await r.bot.pass('10m')
  expect([tries, skipped]).toEqual([3, ['poison']])
})

/** A plugin that drops what it has made of messages that have changed. */
const DROP = `
  create function public.source_changed() returns trigger language plpgsql as $$
  begin
    perform kikimimi_v1.read_again('reader', new.owner, new.thing);
    perform kikimimi_v1.made_from(new.owner, new.thing, '{}', '{}', '{}');
    return null;
  end $$;
  create trigger reader_source_changed after update of stale on kikimimi.source for each row
    when (new.owner = 'reader' and new.stale is distinct from old.stale) execute function public.source_changed();`

describe('a follower that wants processed messages again', () => {
  it('gets an edited message, and no deleted one', async () => {
    await using r = await reading({ again: 'edited' })
    const [edited = '', deleted = ''] = [await r.bot.say('alice', 'before'), await r.bot.say('alice', 'deleted')]
    await r.bot.pass('2m')
    await r.bot.edit(edited, 'after')
    await r.bot.remove(deleted)
    await r.bot.pass('10s')
    expect(r.stored).toEqual(['before', 'deleted', 'after'])
    await r.bot.say('bob', 'next')
    await r.bot.pass('2m')
    expect(r.stored.slice(3)).toEqual(['next'])
    // Migrations of plugins add followers, which tests before this one can have left.
    expect((await r.bot.db.query(`select seq from kikimimi.follower_again where follower = 'reader'`)).rows).toEqual([])
  })

  it('gets nothing twice that was edited before it was processed', async () => {
    await using r = await reading({ again: 'edited' })
    await r.bot.edit(await r.bot.say('alice', 'before'), 'after')
    await r.bot.pass('5m')
    expect(r.stored).toEqual(['after'])
  })

  it.each(['edited', 'deleted', 'erased'])('gets what is left of the sources of what it made, when one is %s', async how => {
    let bot: TestBot | undefined
    const stored: string[][] = []
    const run: Following['run'] =
      async ({ messages, sources }) =>
      async () => {
        stored.push(texts(messages))
        await bot?.db.query(`select kikimimi_v1.made_from('reader', 'all', $1::jsonb)`, [JSON.stringify(sources)])
      }
    await using r = await reading({ run })
    bot = r.bot
    await bot.db.script(DROP)
    await using _after = {
      [Symbol.asyncDispose]: async () => void (await r.bot.db.script('drop function public.source_changed() cascade')),
    }
    const changed = await bot.say('alice', 'one')
    await bot.say('bob', 'two')
    await bot.say('bob', 'three', { thread: 't1' })
    await bot.pass('2m')
    if (how === 'edited') await bot.edit(changed, 'first')
    else if (how === 'deleted') await bot.remove(changed)
    else await bot.bot.forget({ platform: 'test', id: 'alice' })
    await bot.pass('10m')
    expect(stored).toEqual([
      ['one', 'two', 'three'],
      [...(how === 'edited' ? ['first'] : []), 'two', 'three'],
    ])
  })
})

/** A bot with a plugin that indexes the log. */
async function indexing(more: Partial<Indexing> = {}) {
  const stored: LoggedMessage[] = []
  let log: MessageLog | undefined
  const plugin = definePlugin({
    name: 'indexer',
    needs: [MessageLog],
    needsDatabase: () => true,
    setup(ctx) {
      log = ctx.use(MessageLog)
    },
  })
  const bot = await testBot({ storage: 'pglite', plugins: [plugin] })
  const index = () => {
    if (!log) throw new Error('the bot has not started')
    return log.index({ name: 'indexer', most: 2, store: async some => void stored.push(...some), ...more })
  }
  return { bot, index, stored, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

describe('an index', () => {
  it('stores each message of a person once, those of before included, and counts those that wait', async () => {
    await using i = await indexing()
    for (const text of ['1', '2', '3']) await i.bot.say('alice', text)
    await i.bot.say('robot', 'beep', { bot: true })
    const index = i.index()
    expect(await index.waiting()).toBe(3)
    expect(await index.run()).toBe(3)
    await i.bot.restart()
    await i.bot.say('bob', '4', { channel: 'random' })
    expect(await i.index().run()).toBe(1)
    expect(await i.index().waiting()).toBe(0)
    expect(texts(i.stored)).toEqual(['1', '2', '3', '4'])
  })

  it('stores those of one transaction after its signal has aborted', async () => {
    await using i = await indexing()
    for (const text of ['1', '2', '3']) await i.bot.say('alice', text)
    expect(await i.index().run(AbortSignal.abort())).toBe(2)
    expect(await i.index().run()).toBe(1)
  })

  it('stays where it was when the messages could not be stored', async () => {
    await using i = await indexing({ store: () => Promise.reject(new Error('no room')) })
    await i.bot.say('alice', '1')
    await expect(i.index().run()).rejects.toThrow('no room')
    expect(await i.index().waiting()).toBe(1)
  })

  it('has where each message was said, with the visibility of that time', async () => {
    await using i = await indexing()
    await i.bot.say('alice', 'in private', staff)
    await i.bot.say('alice', 'in public', { ...staff, visibility: 'public' })
    await i.index().run()
    expect(i.stored).toMatchObject([
      { said: { place: 'test/team/staff', visibility: 'private' }, conversation: { visibility: 'public' } },
      { said: { place: 'test/team/staff', visibility: 'public' }, conversation: { visibility: 'public' } },
    ])
  })

  it('gets an edited message again if it wants it, and no deleted one', async () => {
    await using i = await indexing({ again: 'edited' })
    const edited = await i.bot.say('alice', 'before')
    const deleted = await i.bot.say('alice', 'deleted')
    await i.index().run()
    await i.bot.edit(edited, 'after')
    await i.bot.edit(deleted, 'soon deleted')
    await i.bot.remove(deleted)
    await i.index().run()
    expect(texts(i.stored)).toEqual(['before', 'deleted', 'after'])
    expect(await i.index().waiting()).toBe(0)
  })

  it('leaves out who is being forgotten, and gets again what they said since', async () => {
    await using i = await indexing()
    await i.bot.say('alice', 'long ago')
    const before = new Date(i.bot.clock.now())
    await i.bot.pass('1m')
    await i.bot.say('alice', 'since')
    const index = i.index()
    await index.run()
    i.stored.length = 0
    await i.bot.db.query(`insert into kikimimi.forgetting (platform, person, before) values ('test', 'alice', $1)`, [before])
    await i.bot.db.transaction(async () => {
      await index.hold()
      await index.again({ platform: 'test', id: 'alice' }, before)
    })
    await i.bot.say('alice', 'now')
    await index.run()
    expect(texts(i.stored)).toEqual(['since', 'now'])
  })
})
