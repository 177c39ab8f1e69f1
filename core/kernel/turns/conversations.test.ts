import { describe, expect, it } from 'vitest'
import { type Decision, definePlugin, type Reply, type Turn } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

/** Answers with the request, and keeps the turns that it got. */
function echo(turns: Turn[] = [], answer?: (turn: Turn) => Reply | undefined | Promise<Reply | undefined>) {
  return definePlugin({
    name: 'echo',
    setup: () => ({
      async respond(turn) {
        turns.push(turn)
        return answer ? answer(turn) : { kind: 'text', text: `re: ${turn.messages.map(({ text }) => text).join(' + ')}` }
      },
    }),
  })
}

/** Makes the same decision for every batch that does not address the bot. */
function decider(decision: Decision | ((turn: Turn) => Decision | undefined), judged: Turn[] = []) {
  return definePlugin({
    name: 'decider',
    setup: () => ({
      decide(turn) {
        if (turn.addressed) return undefined
        judged.push(turn)
        return typeof decision === 'function' ? decision(turn) : decision
      },
    }),
  })
}

const speak: Decision = { kind: 'full', why: 'test' }

describe('a message that addresses the bot', () => {
  it('is answered at once', async () => {
    await using bot = await testBot({ plugins: [echo()] })
    await bot.say('alice', '@kiki what is up?')
    expect(bot.sent).toEqual(['re: @kiki what is up?'])
    expect(await bot.trace()).toMatchObject({ outcome: 'replied', addressed: 'mention', decision: { kind: 'full' } })
  })

  it('can be a reply to the bot, a direct message, or a message that a plugin recognizes', async () => {
    const turns: Turn[] = []
    const whistle = definePlugin({
      name: 'whistle',
      setup: () => ({ address: ({ text }) => (text.includes('whistles') ? 'name' : undefined) }),
    })
    await using bot = await testBot({ plugins: [whistle, echo(turns)] })
    await bot.say('alice', '@kiki hello')
    const [hello] = bot.posted
    if (hello?.kind !== 'text') throw new Error('nothing was posted')
    await bot.say('bob', 'what do you mean?', { replyTo: { id: hello.id } })
    await bot.say('bob', 'psst', { channel: 'dm-bob', visibility: 'direct' })
    await bot.say('carol', 'whistles')
    expect(turns.map(turn => turn.addressed)).toEqual(['mention', 'reply', 'direct', 'name'])
  })

  it('is not a reply to another person', async () => {
    await using bot = await testBot({ plugins: [echo()] })
    const id = await bot.say('alice', 'lunch?')
    await bot.say('bob', 'yes', { replyTo: { id } })
    await bot.say('bob', 'yes!', { replyTo: { id: 'before-our-time', author: 'alice' } })
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
  })

  it('waits while the bot answers another, and is answered then', async () => {
    const first = Promise.withResolvers<Reply>()
    await using bot = await testBot({
      plugins: [
        echo([], turn =>
          turn.messages.length === 1 && turn.message.text === '@kiki one'
            ? first.promise
            : { kind: 'text', text: 'two answered' },
        ),
      ],
    })
    await bot.say('alice', '@kiki one')
    await bot.say('bob', '@kiki two')
    expect(bot.sent).toEqual([])
    first.resolve({ kind: 'text', text: 'one answered' })
    await bot.pass('1s')
    expect(bot.sent).toEqual(['one answered', 'two answered'])
  })

  it('is answered together with the messages before it', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ plugins: [echo(turns)] })
    await bot.say('alice', 'it does not compile')
    await bot.say('alice', '@kiki why?')
    expect(turns[0]?.messages.map(({ text }) => text)).toEqual(['it does not compile', '@kiki why?'])
    expect(turns[0]?.message.text).toBe('@kiki why?')
    await bot.pass('10m')
    expect(turns).toHaveLength(1)
  })

  it('is answered although people keep writing', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await using bot = await testBot({ plugins: [echo([], () => thinking.promise)] })
    await bot.say('alice', '@kiki one')
    await bot.say('bob', 'I had rice today')
    thinking.resolve({ kind: 'text', text: 'answer' })
    await bot.pass('1s')
    expect(bot.sent).toEqual(['answer'])
  })
})

describe('a message that does not', () => {
  it('is judged when the conversation is quiet, the whole burst at once', async () => {
    const judged: Turn[] = []
    await using bot = await testBot({ plugins: [decider({ kind: 'silent', why: 'test' }, judged)] })
    for (const text of ['so', 'I thought', 'about it']) {
      await bot.say('alice', text)
      await bot.pass('2s')
    }
    expect(judged).toHaveLength(0)
    await bot.pass('6s')
    expect(judged.map(turn => turn.messages.map(({ text }) => text))).toEqual([['so', 'I thought', 'about it']])
    expect(await bot.trace()).toMatchObject({ outcome: 'silent', decision: { kind: 'silent', why: 'test', plugin: 'decider' } })
  })

  it('is judged after the longest wait in a conversation that is never quiet', async () => {
    const judged: Turn[] = []
    await using bot = await testBot({ plugins: [decider({ kind: 'silent', why: 'test' }, judged)], pacing: { maxWait: '30s' } })
    for (let line = 0; line < 40; line++) {
      await bot.say('alice', `line ${line}`)
      await bot.pass('1s')
    }
    expect(judged).toHaveLength(1)
  })

  it('is judged after the longest wait when more messages arrive than working memory holds', async () => {
    const judged: Turn[] = []
    const plugins = [decider({ kind: 'silent', why: 'test' }, judged)]
    await using bot = await testBot({ plugins, pacing: { maxWait: '30s' }, memory: { size: 10 } })
    for (let line = 0; line < 40; line++) {
      await bot.say('alice', `line ${line}`)
      await bot.pass('1s')
    }
    expect(judged).toHaveLength(1)
    expect(judged[0]?.messages).toHaveLength(10)
  })

  it('is judged at once without a quiet time', async () => {
    await using bot = await testBot({ plugins: [decider(speak), echo()], pacing: { minWait: 0 } })
    await bot.say('alice', 'hm')
    expect(bot.sent).toEqual(['re: hm'])
  })

  it('waits with jitter', async () => {
    const waits = new Set<number>()
    for (const seed of [1, 2, 3, 4, 5]) {
      const judged: number[] = []
      await using bot = await testBot({ plugins: [decider(() => void judged.push(bot.clock.now()))], seed })
      const said = bot.clock.now()
      await bot.say('alice', 'hm')
      await bot.pass('1m')
      waits.add((judged[0] ?? 0) - said)
    }
    expect(waits.size).toBeGreaterThan(1)
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(2_800)
      expect(wait).toBeLessThanOrEqual(5_200)
    }
  })

  it('gets silence when no plugin decides', async () => {
    await using bot = await testBot({ plugins: [echo()] })
    await bot.say('alice', 'hello all')
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ decision: { kind: 'silent', why: 'no plugin decided to speak' } })
  })

  it('cancels an unasked answer that is being made, and all messages are judged again', async () => {
    const turns: Turn[] = []
    const thinking = Promise.withResolvers<Reply>()
    await using bot = await testBot({
      plugins: [
        decider(speak),
        echo(turns, turn => (turns.length === 1 ? thinking.promise : { kind: 'text', text: `${turn.messages.length} lines` })),
      ],
    })
    await bot.say('alice', 'what is the capital of France?')
    await bot.pass('6s')
    expect(turns).toHaveLength(1)
    await bot.say('bob', 'Paris')
    expect(turns[0]?.signal.aborted).toBe(true)
    thinking.resolve({ kind: 'text', text: 'too late' })
    await bot.pass('10s')
    expect(bot.sent).toEqual(['2 lines'])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['cancelled', 'replied'])
  })
})

describe('a delayed answer', () => {
  const later: Decision = { kind: 'full', why: 'wait and see', delayMs: 60_000 }

  it('comes after its delay', async () => {
    await using bot = await testBot({ plugins: [decider(later), echo()] })
    await bot.say('alice', 'anybody?')
    await bot.pass('50s')
    expect(bot.sent).toEqual([])
    await bot.pass('20s')
    expect(bot.sent).toEqual(['re: anybody?'])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['delayed', 'replied'])
  })

  it('is cancelled by a newer message, and judging starts again', async () => {
    let judged = 0
    await using bot = await testBot({
      plugins: [decider(() => (++judged === 1 ? later : { kind: 'silent', why: 'answered by bob' })), echo()],
    })
    await bot.say('alice', 'anybody?')
    await bot.pass('30s')
    await bot.say('bob', 'me')
    await bot.pass('6s')
    expect(judged).toBe(2)
    await bot.pass('10m')
    expect(bot.sent).toEqual([])
  })

  it('is replaced by the answer to a mention', async () => {
    await using bot = await testBot({ plugins: [decider(later), echo()] })
    await bot.say('alice', 'anybody?')
    await bot.pass('10s')
    await bot.say('alice', '@kiki you?')
    expect(bot.sent).toEqual(['re: anybody? + @kiki you?'])
    await bot.pass('10m')
    expect(bot.sent).toHaveLength(1)
  })
})

describe('conversations', () => {
  it('run in parallel, and a thread is a separate conversation', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await using bot = await testBot({
      plugins: [
        echo([], turn =>
          turn.conversation.id === 'test/team/slow' ? thinking.promise : { kind: 'text', text: turn.conversation.id },
        ),
      ],
    })
    await bot.say('alice', '@kiki one', { channel: 'slow' })
    await bot.say('alice', '@kiki two', { channel: 'fast' })
    await bot.say('alice', '@kiki three', { channel: 'slow', thread: 't 1' })
    expect(bot.sent).toEqual(['test/team/fast', 'test/team/slow/t%201'])
    thinking.resolve({ kind: 'text', text: 'one' })
    await bot.pass('1s')
    expect(bot.posted.at(-1)).toMatchObject({ channel: 'slow', text: 'one' })
  })

  it('remember the last 50 messages of half an hour, the bot’s own included', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ plugins: [echo(turns)], pacing: { minWait: '1s' } })
    await bot.say('alice', 'forgotten by then')
    await bot.pass('20m')
    await bot.say('alice', '@kiki hello')
    await bot.pass('15m')
    await bot.say('alice', '@kiki again')
    expect(turns.at(-1)?.history.map(({ text }) => text)).toEqual(
      ['@kiki hello', 're: forgotten by then + @kiki hello', '@kiki again'].map(text => text.replace('forgotten by then + ', '')),
    )
    expect(turns.at(-1)?.history[1]).toMatchObject({ own: true, author: { name: 'kiki' } })
    expect(turns.at(-1)?.lastReplyAt).toBeInstanceOf(Date)
    for (let line = 0; line < 60; line++) await bot.say('bob', `line ${line}`)
    await bot.say('bob', '@kiki now')
    expect(turns.at(-1)?.history).toHaveLength(50)
  })
})

describe('what the bot does not listen to', () => {
  it('is not recorded and not judged: other bots, empty messages, excepted channels', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ plugins: [echo(turns)], listen: { except: ['#quiet'], direct: false } })
    await bot.say('robot', '@kiki hello', { bot: true })
    await bot.say('alice', '  ')
    await bot.say('alice', '@kiki hello', { channel: 'quiet' })
    await bot.say('alice', 'hello', { channel: 'dm', visibility: 'direct' })
    await bot.pass('1m')
    await bot.say('alice', '@kiki hello')
    expect(turns).toHaveLength(1)
    expect(turns[0]?.history).toHaveLength(1)
  })

  it('is every channel that is not listed', async () => {
    await using bot = await testBot({ plugins: [echo()], listen: { channels: ['dev'] } })
    await bot.say('alice', '@kiki hello')
    await bot.say('alice', '@kiki hello', { channel: 'dev' })
    expect(bot.posted.map(({ channel }) => channel)).toEqual(['dev'])
  })

  it('can include other bots', async () => {
    await using bot = await testBot({ plugins: [echo()], listen: { bots: true } })
    await bot.say('robot', '@kiki hello', { bot: true })
    expect(bot.sent).toHaveLength(1)
  })

  it('can include other bots, until they have had five answers without a person between', async () => {
    await using bot = await testBot({ plugins: [echo()], listen: { bots: true } })
    for (let round = 0; round < 10; round++) await bot.say('mimi', '@kiki tea?', { bot: true })
    expect(bot.sent).toHaveLength(5)
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      decision: { why: 'the limit of replies to bots in a row is reached' },
    })
    await bot.say('alice', '@kiki stop that')
    await bot.say('mimi', '@kiki tea?', { bot: true })
    expect(bot.sent).toHaveLength(7)
  })

  it('includes itself: its own messages are recorded and not judged', async () => {
    const judged: Turn[] = []
    await using bot = await testBot({ plugins: [decider({ kind: 'silent', why: 'test' }, judged)] })
    await bot.say('bot', 'said by hand')
    await bot.pass('1m')
    await bot.say('alice', 'who said that?')
    await bot.pass('1m')
    expect(judged).toHaveLength(1)
    expect(judged[0]?.history.map(({ own }) => own)).toEqual([true, false])
  })
})

describe('the pace', () => {
  const silent: Decision = { kind: 'silent', why: 'test' }

  it('can be learned from the conversation', async () => {
    const judged: Turn[] = []
    await using bot = await testBot({ plugins: [decider(silent, judged)], pacing: { minWait: 'auto', jitter: 0 } })
    for (const [at, line] of ['well', 'and', 'so', 'what', 'I', 'wanted', 'to'].entries()) {
      await bot.say('alice', line)
      await bot.pass(at % 2 ? '1s' : '3s')
    }
    await bot.pass('8s')
    expect(judged).toHaveLength(1)
    for (const line of ['say', 'is', 'this', 'is', 'slow', 'typing', 'today', 'indeed']) {
      await bot.say('alice', line)
      await bot.pass('9s')
    }
    // The first of them has the shorter wait of the faster messages before it.
    const before = judged.length
    await bot.say('alice', 'truly')
    await bot.pass('26s')
    expect(judged).toHaveLength(before)
    await bot.pass('2s')
    expect(judged).toHaveLength(before + 1)
  })

  /** A bot that alice talks with, in a channel where people pause for 30 s. */
  async function slowChannel(judged: Turn[]) {
    const talk = definePlugin({
      name: 'talk',
      setup: () => ({
        score: turn => void (turn.addressed || judged.push(turn)),
        respond: turn => (turn.addressed ? { kind: 'text', text: 'yes?' } : undefined),
      }),
    })
    const bot = await testBot({ plugins: [talk], pacing: { minWait: 'auto', jitter: 0 } })
    for (let line = 0; line < 12; line++) {
      await bot.say('bob', 'and another line')
      await bot.pass('30s')
    }
    await bot.pass('2m')
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual(['yes?'])
    judged.length = 0
    return bot
  }

  it.each([
    ['a partner waits four seconds', 'alice', 'and what then', 4],
    ['a partner in the middle of a sentence waits longer', 'alice', 'I looked at the logs,', 10],
    ['a partner who goes on in Japanese waits longer', 'alice', 'ログを見たんだけど', 10],
    ['a question waits four seconds', 'alice', 'and because…?', 4],
    ['another person waits until the channel is quiet', 'bob', 'lunch', 45],
    ['a partner who mentions another person waits as long as others', 'alice', '@bob lunch', 45],
  ])('%s', async (_what, author, text, wait) => {
    const judged: Turn[] = []
    await using bot = await slowChannel(judged)
    await bot.pass('6s')
    await bot.say(author, text)
    await bot.pass(wait - 0.5)
    expect(judged).toEqual([])
    await bot.pass('1s')
    expect(judged.map(({ message }) => message.text)).toEqual([text])
  })

  it('a partner does not wait for the silence of others', async () => {
    const judged: Turn[] = []
    await using bot = await slowChannel(judged)
    await bot.pass('6s')
    await bot.say('alice', 'and what then?')
    for (let second = 0; second < 3; second++) {
      await bot.pass('1s')
      await bot.say('bob', 'lunch')
    }
    await bot.pass('2s')
    expect(judged).toHaveLength(1)
  })

  it('can differ for a channel', async () => {
    const judged: Turn[] = []
    const pacing = { jitter: 0, channels: { slow: { minWait: '1m' }, C7: { minWait: 0 } } } as const
    await using bot = await testBot({ plugins: [decider(silent, judged)], pacing })
    for (const channel of ['general', 'slow', 'C7']) await bot.say('alice', 'hello', { channel })
    const seen = () => judged.map(({ conversation }) => conversation.channel)
    expect(seen()).toEqual(['C7'])
    await bot.pass('5s')
    expect(seen()).toEqual(['C7', 'general'])
    await bot.pass('1m')
    expect(seen()).toEqual(['C7', 'general', 'slow'])
  })
})

describe('an answer', () => {
  it('whose trigger is deleted is not sent', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await using bot = await testBot({ plugins: [echo([], () => thinking.promise)] })
    const id = await bot.say('alice', '@kiki never mind')
    await bot.remove(id)
    thinking.resolve({ kind: 'text', text: 'too late' })
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect((await bot.traces()).map(({ outcome, why }) => [outcome, why])).toEqual([['cancelled', 'the message was deleted']])
  })

  it('whose trigger is edited is made again, for the new text', async () => {
    const turns: Turn[] = []
    const thinking = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()]
    await using bot = await testBot({ plugins: [echo(turns, () => thinking[turns.length - 1]?.promise)] })
    const id = await bot.say('alice', '@kiki when does the bus leave?')
    await bot.edit(id, '@kiki when does the train leave?')
    thinking[0]?.resolve({ kind: 'text', text: 'the bus: at nine' })
    await bot.pass('10s')
    thinking[1]?.resolve({ kind: 'text', text: 'the train: at ten' })
    await bot.pass('10s')
    expect(bot.sent).toEqual(['the train: at ten'])
    expect(turns.map(({ message }) => message.text)).toEqual([
      '@kiki when does the bus leave?',
      '@kiki when does the train leave?',
    ])
  })

  it('is made again when other people read the conversation than when it was begun', async () => {
    const turns: Turn[] = []
    const thinking = [Promise.withResolvers<Reply>(), Promise.withResolvers<Reply>()]
    await using bot = await testBot({ plugins: [echo(turns, () => thinking[turns.length - 1]?.promise)] })
    await bot.say('alice', '@kiki what is the price?')
    await bot.say('bob', 'let me add our partners', { readers: { outsiders: true } })
    thinking[0]?.resolve({ kind: 'text', text: 'our lowest is 100' })
    await bot.pass('10s')
    thinking[1]?.resolve({ kind: 'text', text: 'that is for bob to say' })
    await bot.pass('10s')
    expect(bot.sent).toEqual(['that is for bob to say'])
    expect(turns.map(({ conversation }) => conversation.readers)).toEqual([undefined, { outsiders: true }])
    const whys = (await bot.traces()).map(({ outcome, why }) => [outcome, why])
    expect(whys).toContainEqual(['cancelled', 'other people can read the conversation now'])
  })

  it('is made again when the trigger of a delayed one is edited, and not when an old message is', async () => {
    const judged: Turn[] = []
    const plugin = decider({ kind: 'full', why: 'test', delayMs: 60_000 }, judged)
    await using bot = await testBot({ plugins: [plugin, echo([], () => ({ kind: 'text', text: 'an answer' }))] })
    const id = await bot.say('alice', 'I think so')
    await bot.pass('10s')
    expect(judged).toHaveLength(1)
    await bot.edit(id, 'I do not think so')
    await bot.pass('10s')
    expect(judged.map(({ message }) => message.text)).toEqual(['I think so', 'I do not think so'])
    await bot.pass('2m')
    expect(bot.sent).toEqual(['an answer'])
    await bot.edit(id, 'I am not sure')
    await bot.pass('2m')
    expect(judged).toHaveLength(2)
  })

  it('to a mention is cancelled when a plugin finds that newer messages have answered it', async () => {
    const thinking = Promise.withResolvers<Reply>()
    const asked: unknown[] = []
    const tactful = definePlugin({
      name: 'tactful',
      setup: () => ({
        beforeSend(turn, news, reply) {
          asked.push([turn.message.text, news.map(({ text }) => text), reply])
          return news.some(({ text }) => text === 'found it') ? 'found without us' : undefined
        },
      }),
    })
    await using bot = await testBot({
      plugins: [tactful, echo([], turn => (turn.message.id === 'm1' ? thinking.promise : undefined))],
    })
    await bot.say('alice', '@kiki where is the report?')
    await bot.say('alice', 'found it')
    thinking.resolve({ kind: 'text', text: 'in the attic' })
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect(asked).toEqual([['@kiki where is the report?', ['found it'], { kind: 'text', text: 'in the attic' }]])
    const [first] = await bot.traces()
    expect(first).toMatchObject({ outcome: 'cancelled', why: 'found without us', by: 'tactful', ms: { beforeSend: 0 } })
  })

  it('is sent when the plugin that checks it before sending fails', async () => {
    const thinking = Promise.withResolvers<Reply>()
    let asked = 0
    const broken = definePlugin({
      name: 'broken',
      setup: () => ({
        beforeSend() {
          asked++
          throw new Error('no idea')
        },
      }),
    })
    await using bot = await testBot({
      plugins: [broken, echo([], ({ message: { id } }) => (id === 'm1' ? thinking.promise : undefined))],
    })
    await bot.say('alice', '@kiki where is the report?')
    await bot.say('bob', 'good question')
    thinking.resolve({ kind: 'text', text: 'in the attic' })
    await bot.pass('1s')
    expect([bot.sent, asked]).toEqual([['in the attic'], 1])
    await bot.say('alice', '@kiki and the other one?', { id: 'm3' })
    expect(asked).toBe(1)
  })

  it('that fails becomes a short apology to a mention, and nothing otherwise', async () => {
    const broken = definePlugin({
      name: 'broken',
      setup: () => ({
        respond() {
          throw new Error('no idea')
        },
      }),
    })
    await using bot = await testBot({ plugins: [decider(speak), broken], apology: 'Sorry!' })
    await bot.say('alice', '@kiki hello')
    await bot.say('alice', 'hello?')
    await bot.pass('1m')
    expect(bot.sent).toEqual(['Sorry!'])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
    expect((await bot.trace()).problems).toEqual([{ plugin: 'broken', stage: 'respond', message: 'no idea' }])
  })

  it('that fails is silent when the apology is switched off', async () => {
    await using bot = await testBot({ plugins: [], apology: false })
    await bot.say('alice', '@kiki hello')
    expect(bot.sent).toEqual([])
  })

  it('shows typing from the start of the turn, and always ends it', async () => {
    const thinking = Promise.withResolvers<Reply>()
    await using bot = await testBot({ plugins: [echo([], () => thinking.promise)] })
    await bot.say('alice', '@kiki hello')
    expect(bot.platform.typingNow).toBe(1)
    thinking.reject(new Error('no idea'))
    await bot.pass('1s')
    expect(bot.platform.typingNow).toBe(0)
    expect(bot.platform.typingBegun).toBe(1)
  })

  it('that is too long is sent in parts, in order; only the first quotes', async () => {
    await using bot = await testBot({
      plugins: [echo([], turn => ({ kind: 'text', text: 'one two three four five', replyTo: turn.message.id }))],
      platform: { textLength: 10 },
    })
    const id = await bot.say('alice', '@kiki count')
    expect(bot.sent.join(' ')).toBe('one two three four five')
    expect(bot.posted.map(one => one.kind === 'text' && one.replyTo)).toEqual(
      [id, false, false].map((quoted, index) => (index === 0 ? quoted : undefined)),
    )
  })

  it('whose first part cannot be sent is given up, and the bot keeps running', async () => {
    await using bot = await testBot({
      plugins: [echo([], () => ({ kind: 'text', text: 'one two three' }))],
      platform: { textLength: 5 },
    })
    bot.platform.faults.push(new Error('no permission'))
    await bot.say('alice', '@kiki count')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'no permission' })
    await bot.say('alice', '@kiki again')
    expect(bot.sent).toEqual(['one', 'two', 'three'])
  })

  it('may be a reaction', async () => {
    await using bot = await testBot({ plugins: [echo([], () => ({ kind: 'reaction', emoji: '👍' }))] })
    const to = await bot.say('alice', '@kiki done')
    expect(bot.posted).toEqual([{ kind: 'reaction', channel: 'general', emoji: '👍', to }])
  })
})

it('says something unasked', async () => {
  let say: (() => Promise<readonly string[]>) | undefined
  const herald = definePlugin({
    name: 'herald',
    setup: ctx => {
      say = () =>
        ctx.send(
          {
            platform: 'test',
            workspace: 'team',
            channel: 'general',
            name: 'general',
            visibility: 'public',
          },
          { kind: 'text', text: 'good morning' },
          { sources: 'none' },
        )
    },
  })
  await using bot = await testBot({ plugins: [herald] })
  await say?.()
  expect(bot.sent).toEqual(['good morning'])
})

it('an error that quotes a message is redacted in log and trace', async () => {
  const parser = definePlugin({ name: 'parser', setup: () => ({ respond: ({ message }) => JSON.parse(message.text) }) })
  await using bot = await testBot({ plugins: [parser], logLevel: 'debug' })
  await bot.say('alice', '@kiki my pin is 4711')
  expect(bot.log.join('')).toContain(`respond failed: SyntaxError: Unexpected token '@', "[…]"`)
  expect(bot.log.join('') + JSON.stringify(await bot.traces())).not.toMatch(/4711|my pin/)
})

it('a reason that no database can hold affects neither the turn nor its trace', async () => {
  await using bot = await testBot({
    plugins: [decider({ kind: 'full', why: `saw ${'ab🐈'.slice(0, 3)}\0`, delayMs: 10_000 }), echo()],
  })
  await bot.say('alice', 'hello')
  await bot.pass('1m')
  expect(bot.sent).toEqual(['re: hello'])
  expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['delayed', 'replied'])
})

it('a message in a filter when the bot stops is not reported as received', async () => {
  const looking = Promise.withResolvers<void>()
  const slow = definePlugin({ name: 'slow', setup: () => ({ filter: () => looking.promise }) })
  const bot = await testBot({ plugins: [slow] })
  const refused = expect(bot.say('alice', '@kiki hello')).rejects.toMatchObject({ code: 'STOPPED' })
  await bot.bot.stop()
  await refused
})

it('no text of a message appears in the log', async () => {
  await using bot = await testBot({ plugins: [decider(speak), echo()], logLevel: 'debug' })
  bot.platform.faults.push(new Error('no permission'))
  await bot.say('alice', '@kiki hush-hush')
  await bot.say('alice', 'hush-hush again')
  await bot.say('robot', 'hush-hush', { bot: true })
  await bot.pass('1m')
  expect(bot.log.length).toBeGreaterThan(0)
  expect(bot.log.join('')).not.toContain('hush-hush')
})
