import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { definePlugin, type Message, type Reply, type Turn } from '../../api/index.ts'
import { seededRandom } from '../../base/random.ts'
import { testRounds } from '../../testing/rounds.ts'
import { scriptedModel } from '../../testing/scripted-model.ts'
import { testBot } from '../../testing/test-bot.ts'

/** Answers each call in its own words, after `wait`. */
const answering = (wait: () => Promise<void> = async () => {}) =>
  definePlugin({
    name: 'answering',
    setup: () => ({
      respond: async ({ message }): Promise<Reply> => {
        await wait()
        return { kind: 'text', text: `to ${message.author.name}: ${message.text}` }
      },
    }),
  })()

/** Answers a call together with what its author adds. */
const joining = (wait: () => Promise<void> = async () => {}, turns: Turn[] = []) =>
  definePlugin({
    name: 'joining',
    setup: () => ({
      respond: async (turn): Promise<Reply> => {
        turns.push(turn)
        await turn.takeAdditions()
        const heard = texts([turn.message, ...turn.added])
        await wait()
        return { kind: 'text', text: heard.join(' + ') }
      },
    }),
  })()

const texts = (messages: readonly Message[]) => messages.map(({ text }) => text)

describe('calls at the same time', () => {
  it('get an answer each, in the order in which they came', async () => {
    await using bot = await testBot({ plugins: [answering()] })
    await Promise.all([
      bot.say('alice', '@kiki roll a d6'),
      bot.say('bob', '@kiki roll a d8'),
      bot.say('alice', '@kiki roll a d10'),
      bot.say('carol', 'lol'),
    ])
    await bot.pass('1m')
    expect(bot.sent).toEqual(['to alice: @kiki roll a d6', 'to bob: @kiki roll a d8', 'to alice: @kiki roll a d10'])
    const traces = await bot.traces()
    expect(traces.map(({ trigger, answers, outcome }) => [trigger, answers, outcome])).toEqual([
      ['m1', ['m1'], 'replied'],
      ['m2', ['m2'], 'replied'],
      ['m3', ['m3'], 'replied'],
      ['m4', undefined, 'silent'],
    ])
  })

  it('come before the talk of other conversations, also the second one of a conversation', async () => {
    const thinking = Promise.withResolvers<void>()
    await using bot = await testBot({ plugins: [answering(() => thinking.promise)], concurrency: 1 })
    await bot.say('dave', '@kiki wait', { channel: 'busy' })
    for (const channel of ['ops', 'hr']) await bot.say('carol', 'lol', { channel })
    for (const person of ['alice', 'bob']) await bot.say(person, '@kiki hello', { channel: 'dev' })
    // All turns are due now.
    await bot.pass('90s')
    thinking.resolve()
    await bot.pass('1m')
    const order = (await bot.traces()).map(({ conversation, outcome }) => [conversation.split('/').at(-1), outcome])
    expect(order.slice(0, 3)).toEqual([
      ['busy', 'replied'],
      ['dev', 'replied'],
      ['dev', 'replied'],
    ])
    expect(new Set(order.slice(3).map(([channel]) => channel))).toEqual(new Set(['ops', 'hr']))
  })

  it('are not lost when one of them is silent, cancelled or fails', async () => {
    const moody = definePlugin({
      name: 'moody',
      setup: () => ({
        respond: ({ message }) => {
          if (message.text.includes('silent')) return { kind: 'silent', why: 'test' }
          if (message.text.includes('fail')) throw new Error('no')
          return { kind: 'text', text: message.text }
        },
        beforeSend: ({ message }) => (message.text.includes('cancel') ? 'test' : undefined),
      }),
    })
    await using bot = await testBot({ plugins: [moody()], apology: 'sorry' })
    const calls = ['silent', 'a', 'cancel', 'b', 'fail', 'c']
    await Promise.all(calls.map((text, index) => bot.say(`p${index}`, `@kiki ${text}`)))
    await bot.pass('1m')
    expect(bot.sent).toEqual(['@kiki a', '@kiki b', 'sorry', '@kiki c'])
  })

  it('of several people are answered once each, whenever they come', async () => {
    const { rounds, seed } = testRounds({ few: 100, all: 1_000 })
    const random = seededRandom(6 + seed)
    await using bot = await testBot({ plugins: [answering()] })
    const asked: string[] = []
    for (let round = 0; round < rounds; round++) {
      const people = ['alice', 'bob', 'carol'].toSorted(() => random() - 0.5)
      const said = people.map(async (person, index) => {
        for (let tick = Math.floor(random() * 12); tick > 0; tick--) await Promise.resolve()
        asked.push(`to ${person}: @kiki ${round}.${index}`)
        await bot.say(person, `@kiki ${round}.${index}`)
      })
      await Promise.all(said)
      await bot.pass('10s')
    }
    expect(bot.sent.toSorted()).toEqual(asked.toSorted())
  })
})

describe('what the author of a call adds', () => {
  it('before the answer is made belongs to it', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ plugins: [joining(undefined, turns)] })
    await Promise.all([bot.say('alice', '@kiki what is the price?'), bot.say('alice', 'in euros please')])
    await bot.pass('1m')
    expect(bot.sent).toEqual(['@kiki what is the price? + in euros please'])
    expect(await bot.trace()).toMatchObject({ answers: ['m1', 'm2'] })
  })

  it('while the answer is made is heeded by it, and what others say is not', async () => {
    const thinking = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const turns: Turn[] = []
    await using bot = await testBot({ plugins: [joining(() => thinking[turns.length - 1]?.promise ?? Promise.resolve(), turns)] })
    await bot.say('alice', '@kiki what is the price?')
    await bot.say('bob', 'I want to know, too')
    await bot.say('alice', 'in euros please')
    await bot.say('alice', '@bob see you tomorrow')
    thinking[0]?.resolve()
    await bot.pass(0)
    await bot.say('alice', 'and for two people')
    thinking[1]?.resolve()
    await bot.pass('1m')
    expect(bot.sent).toEqual(['@kiki what is the price? + in euros please + and for two people'])
    expect((await bot.traces())[0]).toMatchObject({ answers: ['m1', 'm3', 'm5'] })
  })

  it('to a responder that takes one call at a time is a call of its own, or none', async () => {
    const thinking = Promise.withResolvers<void>()
    await using bot = await testBot({ plugins: [answering(() => thinking.promise)] })
    await bot.say('alice', '@kiki roll a d6')
    await bot.say('alice', 'please')
    await bot.say('alice', '@kiki roll a d8')
    thinking.resolve()
    await bot.pass('1m')
    expect(bot.sent).toEqual(['to alice: @kiki roll a d6', 'to alice: @kiki roll a d8'])
  })

  it('between two steps of a model skips the tools that have not begun', async () => {
    const ran: unknown[] = []
    const thinking = Promise.withResolvers<void>()
    const price = (currency: string) => ({ toolCalls: [{ id: currency, name: 'price', args: { currency } }] })
    const model = scriptedModel(async ({ messages }) => {
      const said = messages.at(-1)
      if (said?.role === 'tool') return '9 euros'
      if (said?.text.endsWith('\nin euros please')) return price('euro')
      await thinking.promise
      return price('yen')
    })
    const shop = definePlugin({
      name: 'shop',
      setup: ctx => ({
        respond: async (turn): Promise<Reply> => {
          await turn.takeAdditions()
          const messages = [turn.message, ...turn.added].map(({ text }) => ({ role: 'user' as const, text }))
          const tools = [
            { name: 'price', description: 'The price.', schema: {}, invoke: async (input: unknown) => void ran.push(input) },
          ]
          return { kind: 'text', text: await ctx.models.text('chat', { system: '', messages, tools, turn, signal: turn.signal }) }
        },
      }),
    })
    await using bot = await testBot({ plugins: [shop()], model })
    await bot.say('alice', '@kiki what is the price?')
    await bot.say('alice', 'in euros please')
    thinking.resolve()
    await bot.pass('1m')
    expect(bot.sent).toEqual(['9 euros'])
    expect(ran).toEqual([{ currency: 'euro' }])
    expect(model.asked[1]?.messages.map(({ role, text }) => [role, text])).toMatchObject([
      ['user', '@kiki what is the price?'],
      ['assistant', ''],
      ['tool', expect.stringContaining('Not run')],
      ['user', expect.stringMatching(/^▶ \*\*.* alice:\nin euros please$/)],
    ])
    expect(await bot.trace()).toMatchObject({ answers: ['m1', 'm2'], tools: ['price'] })
  })

  it('is heeded whenever it is recorded before the answer is made', async () => {
    const { rounds, seed } = testRounds({ few: 100, all: 1_000 })
    const random = seededRandom(10 + seed)
    const ticks = async (most: number) => {
      for (let tick = Math.floor(random() * most); tick > 0; tick--) await (random() < 0.05 ? setImmediate() : Promise.resolve())
    }
    let isMade = false
    const wait = async () => {
      await ticks(60)
      isMade = true
    }
    await using bot = await testBot({ plugins: [joining(wait)] })
    let [inTime, tooLate] = [0, 0]
    for (let round = 0; round < rounds; round++) {
      isMade = false
      const call = bot.say('alice', `@kiki ${round}`)
      await ticks(120)
      const isPosted = bot.sent.length > round
      await bot.bot.receive(bot.platform, {
        id: `more${round}`,
        conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
        author: { id: 'alice', name: 'alice' },
        text: `more of ${round}`,
        at: new Date(bot.clock.now()),
      })
      const isInTime = !isMade
      await call
      await bot.pass('10s')
      const [whole, alone] = [`@kiki ${round} + more of ${round}`, `@kiki ${round}`]
      expect(bot.sent).toHaveLength(round + 1)
      if (isInTime) expect(bot.sent.at(-1)).toBe(whole)
      else if (isPosted) expect(bot.sent.at(-1)).toBe(alone)
      else expect([whole, alone]).toContain(bot.sent.at(-1))
      if (isInTime) inTime++
      if (isPosted) tooLate++
    }
    expect(Math.min(inTime, tooLate)).toBeGreaterThan(rounds / 10)
  })
})

describe('an edit', () => {
  it('that adds a mention is answered, also when more was said since', async () => {
    await using bot = await testBot({ plugins: [answering()] })
    const id = await bot.say('alice', 'what time is it?')
    await bot.pass('1m')
    await bot.say('bob', 'no idea')
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    await bot.edit(id, '@kiki what time is it?')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['to alice: @kiki what time is it?'])
    await bot.edit(id, '@kiki what time is it now?')
    await bot.pass('10s')
    expect(bot.sent).toHaveLength(1)
  })

  it('that removes the mention while the answer is made is no call any more', async () => {
    const thinking = Promise.withResolvers<void>()
    await using bot = await testBot({ plugins: [answering(() => thinking.promise)] })
    const id = await bot.say('alice', '@kiki where are my keys?')
    await bot.edit(id, 'never mind, I found them')
    thinking.resolve()
    await bot.pass('1m')
    expect(bot.sent).toEqual([])
    expect((await bot.traces()).map(({ outcome, addressed }) => [outcome, addressed])).toEqual([
      ['cancelled', 'mention'],
      ['silent', undefined],
    ])
  })

  it('that changes no word lets the answer go on', async () => {
    const thinking = Promise.withResolvers<void>()
    await using bot = await testBot({ plugins: [answering(() => thinking.promise)] })
    const id = await bot.say('alice', '@kiki what is this? https://example.org')
    await bot.edit(id, { text: '@kiki what is this? https://example.org', parts: [{ kind: 'card', title: 'An example' }] })
    thinking.resolve()
    await bot.pass('10s')
    expect(bot.sent).toHaveLength(1)
    expect(await bot.traces()).toHaveLength(1)
  })
})
