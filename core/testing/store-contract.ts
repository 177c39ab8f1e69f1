import { beforeEach, describe, expect, it } from 'vitest'
import { type Conversation, conversationId, type Message, type MessageSource, type Trace } from '../api/index.ts'
import type { Claim, Delivery, Store } from '../storage/store/store.ts'

const AT = new Date('2026-01-05T10:00:00Z')
const LONG_AGO = new Date(0)

/** What every store of the kernel's data guarantees. `open` gives an empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`the store in ${name}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })

    const say = (text: string, over: Partial<Message> = {}, where = general) => store.record(where, message(text, over), AT)
    const lastSeq = async (where = general) => (await store.loadTurn(where.id, 50, LONG_AGO))?.batch.at(-1)?.seq ?? 0
    const claim = async (over: Partial<Claim> = {}) =>
      store.claim({
        conversation: general,
        turn: 't1',
        lastSeq: await lastSeq(),
        covers: [{ id: 'one', text: 'one' }],
        deliveries: [delivery('n1')],
        at: AT,
        ...over,
      })

    it('a message is recorded once', async () => {
      expect(await say('one')).toBe(true)
      expect(await say('one')).toBe(false)
      expect(await store.history(general.id, 10)).toHaveLength(1)
    })

    it('a message comes back as it went in', async () => {
      const full = message('hello', {
        id: 'full',
        author: { id: 'a', name: 'Alice 🐈', bot: true },
        mentions: [{ id: 'b', name: 'ボブ' }],
        replyTo: 'before',
        attachments: [{ url: 'https://example.org/cat.png', type: 'image/png' }],
        addressed: 'mention',
      })
      await store.record(general, full, AT)
      expect(await store.history(general.id, 10)).toEqual([full])
    })

    it('reactions are kept with their message, each person once, until they are removed', async () => {
      const react = (emoji: string, by: string, removed = false) => store.react(general, 'one', { emoji, by, removed })
      const reactions = async () => (await store.loadTurn(general.id, 50, LONG_AGO))?.history[0]?.reactions
      await react('👍', 'bob')
      await say('one')
      expect(await reactions()).toBeUndefined()
      await Promise.all([react('👍', 'bob'), react('👍', 'carol'), react('👍', 'bob'), react(':party:', 'bob')])
      expect(await reactions()).toEqual(
        expect.arrayContaining([
          { emoji: '👍', by: expect.arrayContaining(['bob', 'carol']) },
          { emoji: ':party:', by: ['bob'] },
        ]),
      )
      await react('👍', 'carol', true)
      await react('👍', 'dave', true)
      await react(':party:', 'bob', true)
      expect(await reactions()).toEqual([{ emoji: '👍', by: ['bob'] }])
    })

    it('the number of kept reactions is limited', async () => {
      await say('one')
      for (let person = 0; person < 110; person++) await store.react(general, 'one', { emoji: '👍', by: `p${person}` })
      for (let emoji = 0; emoji < 25; emoji++) await store.react(general, 'one', { emoji: `:e${emoji}:`, by: 'bob' })
      const [kept] = await store.history(general.id, 1)
      expect(kept?.reactions?.[0]?.by).toHaveLength(100)
      expect(kept?.reactions).toHaveLength(20)
    })

    it('knows when the bot last spoke, also in a conversation without other messages', async () => {
      await store.spoke(thread, AT)
      expect((await store.loadTurn(thread.id, 50, LONG_AGO))?.lastReplyAt).toEqual(AT)
    })

    it('a failed catch-up continues from the same place the next time', async () => {
      await say('one')
      const marks = await store.heard('test', 10)
      await store.beginReading(marks)
      await say('two')
      expect((await store.heard('test', 10)).map(({ last }) => last)).toEqual(['one'])
      await store.endReading(general)
      expect((await store.heard('test', 10)).map(({ last }) => last)).toEqual(['two'])
    })

    it('marks the last message before one that is not recorded, and keeps an earlier mark', async () => {
      const at = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
      await say('one', { at: at(1) })
      await say('three', { at: at(3) })
      expect(await store.markUnread([{ conversation: general.id, at: at(2) }])).toEqual(new Set([general.id]))
      await store.markUnread([{ conversation: general.id, at: at(4) }])
      expect(await store.unread('test', 10, '')).toMatchObject([{ conversation: general, last: 'one' }])
      expect(await store.unread('test', 10, general.id)).toEqual([])
      expect(await store.unread('other', 10, '')).toEqual([])
      await store.endReading(general)
      expect(await store.unread('test', 10, '')).toEqual([])
    })

    it('keeps the earliest time since which a conversation is to be read', async () => {
      const at = (seconds: number) => new Date(AT.getTime() + seconds * 1_000)
      const gaps = (seconds: number) => [general.id, thread.id].map(conversation => ({ conversation, at: at(seconds) }))
      await store.beginReadingSince('test', gaps(2))
      await store.beginReadingSince('test', gaps(1).slice(1))
      await store.beginReadingSince('test', gaps(3))
      expect(await store.readingSince('test')).toEqual(
        new Map([
          [general.id, at(2)],
          [thread.id, at(1)],
        ]),
      )
      expect(await store.readingSince('other')).toEqual(new Map())
      await store.endReadingSince(thread)
      expect(await store.readingSince('test')).toEqual(new Map([[general.id, at(2)]]))
    })

    it('marks no conversation without a message before the one that is not recorded', async () => {
      await say('one')
      const gaps = [general.id, thread.id].map(conversation => ({ conversation, at: LONG_AGO }))
      expect(await store.markUnread(gaps)).toEqual(new Set())
    })

    it('the other parts of an answer belong to the thread that its first part opened', async () => {
      await say('one')
      await claim({ deliveries: ['n1', 'n2'].map(nonce => delivery(nonce)) })
      await store.sending('n1', 'pending', AT)
      await store.sent('n1', 'p1', AT)
      await store.goOnIn('t1', 'thread-1')
      expect((await store.unfinished(general.id)).map(({ nonce, thread }) => [nonce, thread])).toEqual([['n2', 'thread-1']])
    })

    it('returns the last message of each conversation, and its time', async () => {
      await say('one')
      await store.record(thread, message('two'), new Date(AT.getTime() + 1))
      expect(await store.heard('test', 10)).toEqual([
        { conversation: thread, last: 'two', receivedAt: new Date(AT.getTime() + 1) },
        { conversation: general, last: 'one', receivedAt: AT },
      ])
      expect(await store.heard('test', 1)).toHaveLength(1)
      expect(await store.heard('other', 1)).toEqual([])
    })

    it('the bot’s own messages count as the last one only without others', async () => {
      await say('one')
      await say('answer', { own: true })
      await say('a thought', { own: true }, thread)
      expect((await store.heard('test', 10)).map(({ last }) => last).toSorted()).toEqual(['a thought', 'one'])
    })

    it('the same message twice at the same moment is recorded once', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, () => say('one')))
      expect(results.filter(Boolean)).toHaveLength(1)
    })

    it.each(['remove', 'retract'] as const)('a message whose deletion (%s) comes first is not recorded', async how => {
      await store[how](general, 'gone', AT)
      expect(await say('gone', { own: true })).toBe(false)
      expect(await store.history(general.id, 10)).toEqual([])
      expect(await say('one')).toBe(true)
    })

    it('a message of another person is not taken back', async () => {
      await say('one')
      await store.retract(general, 'one', AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['one'])
    })

    it('a hundred messages at once keep their order', async () => {
      const texts = Array.from({ length: 100 }, (_, index) => `m${index}`)
      await Promise.all(texts.map(text => say(text)))
      expect((await store.history(general.id, 100)).map(({ text }) => text)).toEqual(texts)
    })

    it('the effects of a message happen once, and not for a known message', async () => {
      let caused = 0
      const also = async () => void caused++
      await store.record(general, message('one'), AT, also)
      await store.record(general, message('one'), AT, also)
      expect(caused).toBe(1)
    })

    it('the same id in another channel is another message; in a thread of the channel it is the same', async () => {
      expect(await say('one')).toBe(true)
      expect(await say('one', {}, { ...general, id: 'test/team/other', channel: 'other' })).toBe(true)
      expect(await say('one', {}, thread)).toBe(false)
    })

    it('a turn gets the messages since the last one, without the bot’s own', async () => {
      await say('one')
      await store.markProcessed(general.id, await lastSeq())
      await say('two')
      await say('mine', { own: true })
      const look = await store.loadTurn(general.id, 50, LONG_AGO)
      expect(look?.batch.map(({ message }) => message.text)).toEqual(['two'])
      expect(look?.history.map(({ text }) => text)).toEqual(['one', 'two', 'mine'])
      expect(look?.conversation).toEqual(general)
    })

    it('working memory is limited by age and number, except for unprocessed messages', async () => {
      await store.record(general, message('old and processed'), LONG_AGO)
      await store.markProcessed(general.id, await lastSeq())
      await store.record(general, message('old'), LONG_AGO)
      for (const text of ['a', 'b', 'c']) await say(text)
      expect((await store.loadTurn(general.id, 50, AT))?.history.map(({ text }) => text)).toEqual(['old', 'a', 'b', 'c'])
      expect((await store.loadTurn(general.id, 2, AT))?.history.map(({ text }) => text)).toEqual(['b', 'c'])
    })

    it('a batch waits since its first message, also when that is no longer in it', async () => {
      expect((await store.loadTurn(general.id, 2, AT))?.waitingSince).toBeUndefined()
      await store.record(general, message('first'), LONG_AGO)
      for (const text of ['a', 'b', 'c']) await say(text)
      expect((await store.loadTurn(general.id, 2, AT))?.waitingSince).toEqual(LONG_AGO)
      await store.markProcessed(general.id, await lastSeq())
      expect((await store.loadTurn(general.id, 2, AT))?.waitingSince).toBeUndefined()
    })

    it('a call is in the batch, however many messages follow it', async () => {
      await say('call', { addressed: 'mention' })
      for (let line = 0; line < 60; line++) await say(`line ${line}`)
      const turn = await store.loadTurn(general.id, 50, AT)
      expect(turn?.batch.map(({ message }) => message.text)).toEqual(['call'])
      expect(turn).toMatchObject({ followedBy: 'talk', lastSeq: turn?.batch[0]?.seq })
    })

    it('each call has a batch of its own, and does not see calls of others that wait', async () => {
      const alice = { id: 'alice', name: 'alice' }
      const bob = { id: 'bob', name: 'bob' }
      await say('chatter')
      await say('first', { addressed: 'mention', author: alice })
      await say('second', { addressed: 'mention', author: bob })
      await say('more of the first', { author: alice })
      const seen = async () => {
        const turn = await store.loadTurn(general.id, 50, LONG_AGO)
        return [turn?.batch.map(({ message }) => message.text), turn?.history.map(({ text }) => text), turn?.followedBy]
      }
      expect(await seen()).toEqual([['chatter', 'first'], ['chatter', 'first', 'more of the first'], 'call'])
      const covers = ['first', 'more of the first'].map(text => ({ id: text, text }))
      expect(await claim({ covers })).toBe('mine')
      expect(await seen()).toEqual([['second'], ['chatter', 'first', 'second', 'more of the first'], undefined])
      expect((await store.since(general.id, 0)).map(({ text }) => text)).toEqual(['chatter', 'second'])
      expect(await claim({ covers: [{ id: 'second', text: 'second' }], turn: 't2', deliveries: [delivery('n2')] })).toBe('mine')
      expect(await seen()).toMatchObject([[], expect.any(Array), undefined])
    })

    it('a claim gives way when one of the messages that it covers is gone or says something else', async () => {
      await say('one', { addressed: 'mention' })
      await say('two')
      const covers = ['one', 'two'].map(text => ({ id: text, text }))
      await store.edit(general, 'two', { text: 'two and a half' }, AT)
      expect(await claim({ covers })).toBe('edited')
      await store.remove(general, 'two', AT)
      expect(await claim({ covers })).toBe('edited')
      expect(await claim({ covers: covers.slice(0, 1) })).toBe('mine')
    })

    it('a claim gives way when other people read the conversation than when the turn was loaded', async () => {
      await say('one')
      const conversation = (await store.loadTurn(general.id, 50, LONG_AGO))?.conversation ?? general
      const shared: Conversation = { ...general, readers: { outsiders: true } }
      await store.describe(shared)
      expect(await claim({ conversation })).toBe('readers')
      expect((await store.loadTurn(general.id, 50, LONG_AGO))?.conversation).toEqual(shared)
      await store.describe({ ...general, visibility: 'private' })
      expect(await claim({ conversation: shared })).toBe('readers')
      expect(await claim({ conversation: { ...general, visibility: 'private' } })).toBe('mine')
    })

    it('refuses deliveries when a person reads the conversation who does not according to the caller', async () => {
      const hidden: Conversation = { ...general, visibility: 'private', readers: { own: true } }
      await say('one', {}, hidden)
      const send = (conversation: Conversation) => store.enqueue(conversation, [delivery('n1')], AT, [], async () => {})
      const refused = expect.objectContaining({ code: 'SEND_FAILED', message: 'Other people can read the conversation now.' })
      for (const now of [
        { ...hidden, visibility: 'public' },
        { ...hidden, readers: { own: true, outsiders: true } },
        { ...hidden, readers: { own: false } },
      ] as const) {
        await store.describe(now)
        await expect(send(hidden)).rejects.toEqual(refused)
      }
      expect(await store.unfinished(general.id)).toEqual([])
      await store.describe(hidden)
      await send({ ...general, readers: { outsiders: true } })
      expect(await store.unfinished(general.id)).toMatchObject([{ nonce: 'n1' }])
    })

    describe('a message that is no reply', () => {
      const sources = [{ channel: general.id, messages: ['one', 'unknown'] }]
      const send = (turn: string, from: readonly MessageSource[] = sources) =>
        store.enqueue(general, [{ ...delivery(`n-${turn}`), turn }], AT, from, async () => {})
      const texts = async () => (await store.history(general.id, 10)).map(({ text }) => text)
      const lost = expect.objectContaining({ code: 'SOURCES_LOST' })
      /** The platform has taken it. */
      const posted = (turn: string) =>
        store.record(general, message(`body of n-${turn}`, { own: true }), AT, () =>
          store.sent(`n-${turn}`, `body of n-${turn}`, AT),
        )

      it('is refused when it is made from what is gone or has changed since', async () => {
        await say('one')
        await send('send-1')
        await store.edit(general, 'one', { text: 'two' }, new Date(AT.getTime() + 1))
        await expect(send('send-2')).rejects.toEqual(lost)
        await store.remove(general, 'one', AT)
        await expect(send('send-3')).rejects.toEqual(lost)
        expect(await store.unfinished(general.id)).toEqual([])
        await send('send-5', [{ channel: general.id, messages: ['unknown'] }])
        expect(await store.unfinished(general.id)).toMatchObject([{ nonce: 'n-send-5' }])
      })

      it('is refused when its source is of a person who is being forgotten', async () => {
        await say('one')
        await store.forgetting.ask({ platform: 'test', id: 'alice' }, AT, async () => {})
        await expect(send('send-1')).rejects.toEqual(lost)
      })

      it('leaves the log with its source, and so does what was made from it', async () => {
        await say('one')
        await say('two')
        await send('send-1')
        await store.sending('n-send-1', 'pending', AT)
        await posted('send-1')
        await send('send-2', [{ channel: general.id, messages: ['body of n-send-1'] }])
        await store.sending('n-send-2', 'pending', AT)
        await posted('send-2')
        await send('send-3', [{ channel: general.id, messages: ['two'] }])
        expect(await texts()).toEqual(['one', 'two', 'body of n-send-1', 'body of n-send-2'])
        await store.remove(general, 'one', AT)
        expect(await texts()).toEqual(['two'])
        expect(await store.unfinished(general.id)).toMatchObject([{ nonce: 'n-send-3' }])
      })

      it('leaves no words when its source is lost while the platform takes it', async () => {
        await say('one')
        await send('send-1')
        await store.sending('n-send-1', 'pending', AT)
        await store.edit(general, 'one', { text: 'two' }, AT)
        await posted('send-1')
        expect(await texts()).toEqual(['two'])
        expect(await store.isOwn(general, 'body of n-send-1')).toBe(true)
      })
    })

    it('what the bot itself says does not tell who reads the conversation', async () => {
      const closed: Conversation = { ...general, visibility: 'private' }
      await say('one', {}, closed)
      await say('mine', { own: true })
      await store.spoke(general, AT)
      await store.enqueue(general, [delivery('n1')], AT, [], async () => {})
      expect((await store.loadTurn(general.id, 50, LONG_AGO))?.conversation).toEqual(closed)
    })

    it('a claim gives way to what its author has added, and to nothing else, if that is wanted', async () => {
      const alice = { id: 'alice', name: 'alice' }
      await say('one', { addressed: 'mention', author: alice })
      await say('hm', { author: { id: 'bob', name: 'bob' } })
      await say('two', { author: alice })
      expect(await claim({ unlessNewer: 'author' })).toBe('newer')
      const covers = ['one', 'two'].map(text => ({ id: text, text }))
      expect(await claim({ unlessNewer: 'author', covers })).toBe('mine')
    })

    it('a message that an edit makes a call gets a turn, once, also when later messages are processed', async () => {
      await say('one')
      await say('two')
      await store.markProcessed(general.id, await lastSeq())
      const edited = await store.edit(general, 'one', { text: 'kiki, one', mentions: [{ id: 'bot', name: 'kiki' }] }, AT)
      expect(edited).toMatchObject({ waits: false, message: { text: 'kiki, one', mentions: [{ id: 'bot', name: 'kiki' }] } })
      await store.readdress(general, 'one', 'mention')
      const batch = async () => (await store.loadTurn(general.id, 50, LONG_AGO))?.batch.map(({ message }) => message)
      expect(await batch()).toMatchObject([{ text: 'kiki, one', addressed: 'mention' }])
      const recalled = (await store.loadTurn(general.id, 50, LONG_AGO))?.lastSeq ?? 0
      const covers = [{ id: 'one', text: 'kiki, one' }]
      expect(await claim({ lastSeq: recalled, covers })).toBe('mine')
      expect(await claim({ lastSeq: recalled, covers, turn: 't2', deliveries: [delivery('n2')] })).toBe('taken')
      expect(await batch()).toEqual([])
      await store.readdress(general, 'one', 'mention')
      expect(await batch()).toEqual([])
      await store.readdress(general, 'two', 'mention')
      expect(await batch()).toMatchObject([{ text: 'two' }])
      expect(await store.markProcessed(general.id, recalled)).toBe(true)
      expect(await batch()).toEqual([])
    })

    it('a message that an edit makes no call any more is an ordinary message', async () => {
      await say('one', { addressed: 'mention' })
      await say('two')
      await store.readdress(general, 'one', undefined)
      const turn = await store.loadTurn(general.id, 50, LONG_AGO)
      expect(turn?.batch.map(({ message }) => [message.text, message.addressed])).toEqual([
        ['one', undefined],
        ['two', undefined],
      ])
    })

    it('what people see of a conversation comes back, and stays when a message does not tell it', async () => {
      const details = { workspaceName: 'Team', topic: 'trains', threadName: 'the bus', tags: ['travel'], root: 'one' }
      await say('one', {}, { ...general, details })
      await say('two')
      const seen = async () => (await store.loadTurn(general.id, 50, LONG_AGO))?.conversation
      expect(await seen()).toEqual({ ...general, details })
      await store.describe({ ...general, name: 'renamed', details: { topic: 'buses' } })
      expect(await seen()).toEqual({ ...general, name: 'renamed', details: { topic: 'buses' } })
      await store.describe({ ...general, id: 'test/team/never', channel: 'never' })
      expect(await store.loadTurn('test/team/never', 50, LONG_AGO)).toBeUndefined()
    })

    it('messages are found by their ids, in all of a channel', async () => {
      await say('one')
      await say('in a thread', {}, thread)
      await say('gone')
      await store.remove(general, 'gone', AT)
      const found = await store.find(thread, ['in a thread', 'one', 'gone', 'never said'])
      expect(found.map(({ text }) => text)).toEqual(['one', 'in a thread'])
    })

    it('messages of a channel are known when they are recorded, also after they were deleted', async () => {
      await say('one')
      await say('in a thread', {}, thread)
      await say('gone')
      await store.remove(general, 'gone', AT)
      expect([...(await store.known(thread, ['one', 'in a thread', 'gone', 'never said']))].toSorted()).toEqual([
        ...['gone', 'in a thread', 'one'],
      ])
    })

    it('an unknown conversation has no turn', async () => {
      expect(await store.loadTurn('test/team/never', 50, LONG_AGO)).toBeUndefined()
    })

    it('threads and channels have separate turns', async () => {
      await say('in the channel')
      await say('in the thread', {}, thread)
      expect((await store.loadTurn(thread.id, 50, LONG_AGO))?.history.map(({ text }) => text)).toEqual(['in the thread'])
    })

    it('a batch is claimed once', async () => {
      await say('one')
      const last = await lastSeq()
      expect(await claim({ lastSeq: last })).toBe('mine')
      expect(await claim({ lastSeq: last, turn: 't2', deliveries: [delivery('n2')] })).toBe('taken')
    })

    it('the bot has spoken after a post, not after a claim', async () => {
      const lastReplyAt = async () => (await store.loadTurn(general.id, 50, LONG_AGO))?.lastReplyAt
      await say('one')
      await claim({ deliveries: [delivery('n1'), delivery('n2')] })
      await store.giveUp('n1', 'failed')
      expect(await lastReplyAt()).toBeUndefined()
      await store.sent('n2', 'p2', AT)
      expect(await lastReplyAt()).toEqual(AT)
    })

    it('a turn knows whether deliveries are unfinished', async () => {
      const unfinished = async () => (await store.loadTurn(general.id, 50, LONG_AGO))?.unfinished
      await say('one')
      expect(await unfinished()).toBe(false)
      await claim()
      expect(await unfinished()).toBe(true)
      await store.sending('n1', 'pending', AT)
      expect(await unfinished()).toBe(true)
      await store.sent('n1', 'posted', AT)
      expect(await unfinished()).toBe(false)
    })

    it('a postponed delivery keeps its state, its time and when it was begun, until its sending begins again', async () => {
      const later = new Date(AT.getTime() + 60_000)
      const until = new Date(AT.getTime() + 600_000)
      await say('one')
      await claim({ deliveries: [{ ...delivery('n1'), until }] })
      expect(await store.unfinished(general.id)).toMatchObject([{ nonce: 'n1', state: 'pending', until }])
      await store.sending('n1', 'pending', AT)
      await store.postpone('n1', 'sending', later)
      expect(await store.unfinished(general.id)).toMatchObject([{ state: 'sending', retryAt: later, begun: AT, until }])
      expect(await store.sending('n1', 'pending', later)).toBe(false)
      expect(await store.sending('n1', 'sending', later)).toBe(true)
      const [delivery1] = await store.unfinished(general.id)
      expect(delivery1).toMatchObject({ state: 'sending', begun: AT, at: later })
      expect(delivery1?.retryAt).toBeUndefined()
    })

    it('the trace of a turn whose answer was postponed says how it ended, once', async () => {
      await say('one')
      const traceOf = (turn: string, ended: Pick<Trace, 'outcome' | 'why'>, sent: readonly string[] = []): Trace => ({
        ...{
          turn,
          conversation: general.id,
          at: AT,
          messages: ['one'],
          trigger: 'one',
          sections: [],
          models: [],
          problems: [],
          ms: {},
        },
        ...ended,
        sent,
      })
      await store.keepTrace(traceOf('t1', { outcome: 'delayed', why: 'rate limited' }, ['p1']))
      await store.keepTrace(traceOf('t2', { outcome: 'failed', why: 'gone' }))
      expect(await store.ended(general, 't1', { outcome: 'replied', sent: ['p2'] })).toBe(true)
      await store.ended(general, 't1', { outcome: 'failed', sent: [], why: 'twice' })
      await store.ended(general, 't2', { outcome: 'replied', sent: ['p3'] })
      expect(await store.ended(general, 't3', { outcome: 'replied', sent: ['p4'] })).toBe(false)
      const traces = await store.traces(10, general.id)
      expect(traces.map(({ turn, outcome, sent }) => [turn, outcome, sent])).toEqual([
        ['t2', 'failed', []],
        ['t1', 'replied', ['p1', 'p2']],
      ])
      expect(traces.map(({ why }) => why)).toEqual(['gone', undefined])
    })

    it('of many claims at once one wins', async () => {
      await say('one')
      const last = await lastSeq()
      const claims = Array.from({ length: 8 }, (_, index) =>
        claim({ lastSeq: last, turn: `t${index}`, deliveries: [delivery(`n${index}`)] }),
      )
      expect((await Promise.all(claims)).filter(claimed => claimed === 'mine')).toHaveLength(1)
      expect(await store.unfinished(general.id)).toHaveLength(1)
    })

    it('an unasked claim fails after a newer message, a claim for a mention does not', async () => {
      await say('one')
      const last = await lastSeq()
      await say('two')
      expect(await claim({ lastSeq: last, unlessNewer: 'anyone' })).toBe('newer')
      expect(await claim({ lastSeq: last })).toBe('mine')
    })

    it('the bot’s own messages do not count as newer', async () => {
      await say('one')
      const last = await lastSeq()
      await say('mine', { own: true })
      expect(await claim({ lastSeq: last, unlessNewer: 'anyone' })).toBe('mine')
    })

    it('a claim fails when its trigger was edited, and an edit returns whether the message is unprocessed', async () => {
      await say('one')
      const last = await lastSeq()
      expect(await store.edit(general, 'one', { text: 'one, or rather two' }, AT)).toMatchObject({ waits: true })
      expect(await claim({ lastSeq: last })).toBe('edited')
      expect(await claim({ lastSeq: last, covers: [{ id: 'one', text: 'one, or rather two' }] })).toBe('mine')
      expect(await store.edit(general, 'one', { text: 'three' }, AT)).toMatchObject({ waits: false, message: { text: 'three' } })
      expect(await store.edit(general, 'never said', { text: 'four' }, AT)).toBeUndefined()
    })

    it('changes a message of the bot as the bot says, and not as a platform says', async () => {
      await say('one', { own: true })
      expect(await store.edit(general, 'one', { text: 'an echo of an earlier text' }, AT)).toBeUndefined()
      const parts = [{ kind: 'poll' as const, text: 'yes: 1' }]
      expect(await store.edit(general, 'one', { text: 'one', parts }, AT)).toBeUndefined()
      expect(await store.history(general.id, 10)).toMatchObject([{ text: 'one', parts }])
      await store.rewrite(general, 'one', 'the whole answer', AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['the whole answer'])
      await say('two')
      await store.rewrite(general, 'two', 'words in the mouth of a person', AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['the whole answer', 'two'])
    })

    it('returns the messages of people since a position', async () => {
      await say('one')
      const last = await lastSeq()
      await say('two')
      await say('mine', { own: true })
      await say('elsewhere', {}, thread)
      await say('three')
      await say('gone')
      await store.remove(general, 'gone', AT)
      expect((await store.since(general.id, last)).map(({ text }) => text)).toEqual(['two', 'three'])
    })

    it('returns the conversations with newer messages, for many at once', async () => {
      await say('one')
      await say('elsewhere', {}, thread)
      const marks = [
        { conversation: general.id, lastSeq: await lastSeq() },
        { conversation: thread.id, lastSeq: await lastSeq(thread) },
      ]
      expect(await store.overtaken(marks)).toEqual(new Set())
      await say('mine', { own: true })
      await say('late', { missed: true })
      await say('gone', {}, thread)
      await store.remove(thread, 'gone', AT)
      expect(await store.overtaken(marks)).toEqual(new Set())
      await say('two', {}, thread)
      expect(await store.overtaken(marks)).toEqual(new Set([thread.id]))
      expect(await store.overtaken([])).toEqual(new Set())
    })

    it('a batch is marked as processed once', async () => {
      await say('one')
      const last = await lastSeq()
      expect(await store.markProcessed(general.id, last)).toBe(true)
      expect(await store.markProcessed(general.id, last)).toBe(false)
      await say('two')
      const next = await lastSeq()
      expect(await claim({ lastSeq: next })).toBe('mine')
      expect(await store.markProcessed(general.id, next)).toBe(false)
    })

    it('a claim fails when its trigger is deleted', async () => {
      await say('one', { id: 'one' })
      await say('two')
      const last = await lastSeq()
      await store.remove(general, 'one', AT)
      expect(await claim({ lastSeq: last })).toBe('deleted')
    })

    it('pending and sending deliveries of a dead process are distinguished', async () => {
      await say('one')
      await claim({ deliveries: ['n1', 'n2', 'n3'].map(nonce => delivery(nonce)) })
      expect(await store.sending('n1', 'pending', AT)).toBe(true)
      await store.sent('n1', 'p1', AT)
      expect(await store.sending('n2', 'pending', AT)).toBe(true)
      expect(await store.sending('n2', 'pending', AT)).toBe(false)
      expect((await store.unfinished(general.id)).map(({ nonce, state, body }) => [nonce, state, body])).toEqual([
        ['n2', 'sending', 'body of n2'],
        ['n3', 'pending', 'body of n3'],
      ])
    })

    it('an edit changes the text, a removal deletes the message', async () => {
      await say('one', { id: 'one' })
      await say('two')
      await store.edit(general, 'one', { text: 'ONE' }, AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['ONE', 'two'])
      await store.remove(general, 'one', AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['two'])
    })

    it('a deleted message that is delivered again stays deleted', async () => {
      await say('one', { id: 'one' })
      await store.remove(general, 'one', AT)
      expect(await say('one', { id: 'one' })).toBe(false)
      expect(await store.history(general.id, 10)).toEqual([])
    })

    it('knows the bot’s own messages', async () => {
      await say('mine', { id: 'm', own: true })
      await say('theirs', { id: 't' })
      expect(await store.isOwn(general, 'm')).toBe(true)
      expect(await store.isOwn(thread, 'm')).toBe(true)
      expect(await store.isOwn(general, 't')).toBe(false)
      expect(await store.isOwn(general, 'never')).toBe(false)
    })

    it('deletes data that is older than its retention', async () => {
      await store.record(general, message('old'), LONG_AGO)
      await say('new')
      await store.sweep(AT, AT)
      expect((await store.history(general.id, 10)).map(({ text }) => text)).toEqual(['new'])
    })
  })
}

const general: Conversation = {
  id: conversationId({ platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' }),
  platform: 'test',
  workspace: 'team',
  channel: 'general',
  name: 'general',
  visibility: 'public',
}

const thread: Conversation = { ...general, id: `${general.id}/t1`, thread: 't1' }

function message(text: string, over: Partial<Message> = {}): Message {
  return { id: text, author: { id: 'alice', name: 'alice' }, text, at: AT, mentions: [], attachments: [], own: false, ...over }
}

function delivery(nonce: string): Delivery {
  return { nonce, turn: 't1', kind: 'text', body: `body of ${nonce}` }
}
