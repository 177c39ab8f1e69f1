import { promptOf } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { CAMPING, woken } from './test-bot.ts'

describe.each(['en', 'ja'] as const)('in %s', locale => {
  const { fact, opener } = CAMPING[locale]

  test('after a silence a relevant fact is brought up', async () => {
    await using w = await woken({}, { locale })
    const id = await w.know(fact)
    await w.bot.pass('2d')
    await w.say('alice', opener)
    expect(w.broughtUp).toEqual([fact])
    expect(await w.bot.trace()).toMatchObject({
      decision: { plugin: 'proactive', kind: 'full', why: `the channel wakes up, and fact ${id} has to do with it` },
      reply: { plugin: 'proactive' },
      outcome: 'replied',
    })
  })

  test('the prompt is in the language of the conversation, with the fact as a quote', async () => {
    await using w = await woken({}, { locale: locale === 'en' ? 'ja' : 'en' })
    await w.know(fact)
    await w.bot.pass('21d')
    await w.say('alice', opener)
    const prompt = promptOf(w.model.asked[0])
    const [heading, line] = locale === 'en' ? ['Something you remember', '3 weeks ago'] : ['覚えていること', '3週間前']
    expect(prompt).toMatch(new RegExp(`^## ${heading}$[^#]*^- ${line}, dave: “${fact}”$`, 'm'))
  })
})

const { fact, opener } = CAMPING.en

test('a remark goes with the message that its fact comes from', async () => {
  await using w = await woken()
  await w.bot.say('dave', fact, { id: 'x1-0', channel: 'random' })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.say('alice', opener)
  const own = () => w.bot.db.query('select text from kikimimi_v1.message where own and deleted_at is null')
  expect((await own()).rows).toEqual([{ text: `By the way: ${fact}` }])
  await w.bot.remove('x1-0', { channel: 'random' })
  expect((await own()).rows).toEqual([])
})

describe('a channel becomes active', () => {
  test.each([
    ['59m', []],
    ['1h', [fact]],
  ] as const)('after a silence of %s: %j', async (time, broughtUp) => {
    await using w = await woken({ minAge: 0 })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.say('bob', 'good morning')
    // One minute has passed since.
    await w.bot.pass(time === '1h' ? '59m' : '58m')
    await w.say('alice', opener)
    expect(w.broughtUp).toEqual(broughtUp)
  })

  test('the silence is an option', async () => {
    await using w = await woken({ silence: '10m' })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.say('bob', 'good morning')
    await w.bot.pass('9m')
    await w.say('alice', opener)
    expect(w.broughtUp).toEqual([fact])
  })

  test('its first five messages are the start, the sixth is not', async () => {
    for (const [greetings, broughtUp] of [
      [4, [fact]],
      [5, []],
    ] as const) {
      await using w = await woken()
      await w.know(fact)
      await w.bot.pass('2d')
      for (let at = 0; at < greetings; at++) await w.say(at % 2 ? 'bob' : 'carol', 'good morning')
      await w.say('alice', opener)
      expect(w.broughtUp).toEqual(broughtUp)
    }
  })

  test('a burst counts as one', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', 'good morning')
    await w.bot.say('alice', opener)
    await w.say('alice', 'or the month after')
    expect(w.broughtUp).toEqual([fact])
  })

  test('in a thread, if the channel and its other threads were silent too', async () => {
    for (const [elsewhere, broughtUp] of [
      [undefined, [fact]],
      [{}, []],
      [{ thread: 't2' }, []],
      [{ channel: 'other' }, [fact]],
    ] as const) {
      await using w = await woken()
      await w.know(fact)
      await w.bot.pass('2d')
      if (elsewhere) await w.say('bob', 'the build is red', elsewhere)
      await w.bot.pass('20m')
      await w.say('alice', opener, { thread: 't1' })
      expect(w.broughtUp).toEqual(broughtUp)
    }
  })

  test('a channel without earlier messages was not silent', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.say('alice', opener, { channel: 'new' })
    expect(w.broughtUp).toEqual([])
  })

  test('after a restart', async () => {
    await using w = await woken({}, { storage: 'pglite' })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.restart()
    await w.say('alice', opener)
    expect(w.broughtUp).toEqual([fact])
  })
})

describe('the wait for other people', () => {
  test('half a minute', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('30s')
    expect((await w.bot.trace()).outcome).toBe('delayed')
    expect(w.broughtUp).toEqual([])
    await w.bot.pass('6s')
    expect(w.broughtUp).toEqual([fact])
  })

  test('a message cancels the remark, and the next pause starts it again', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('25s')
    await w.bot.say('bob', 'which mountains?')
    await w.bot.pass('25s')
    expect(w.broughtUp).toEqual([])
    await w.bot.pass('1m')
    expect(w.broughtUp).toEqual([fact])
  })

  test('is too long in a lively exchange', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    for (const text of [opener, 'yes!', 'where to?', 'the north', 'with the train?', 'sure']) {
      await w.bot.say(text === opener ? 'alice' : 'bob', text)
      await w.bot.pass('20s')
    }
    await w.bot.pass('5m')
    expect(w.broughtUp).toEqual([])
  })

  test('can be zero', async () => {
    await using w = await woken({ delay: 0 })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('6s')
    expect(w.broughtUp).toEqual([fact])
  })

  test('a message during the model call cancels the remark', async () => {
    const writing = Promise.withResolvers<string>()
    await using w = await woken({ delay: 0 }, { remark: () => writing.promise })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('6s')
    await w.bot.say('bob', '@alice which mountains?')
    writing.resolve('By the way: too late')
    await w.bot.pass('1s')
    expect(w.broughtUp).toEqual([])
    const { rows } = await w.bot.db.query('select 1 from proactive.shared')
    expect(rows).toEqual([])
  })
})

describe('no remark', () => {
  test('within two minutes of the bot’s last words here', async () => {
    for (const [time, broughtUp] of [
      ['1m', []],
      ['3m', [fact]],
    ] as const) {
      await using w = await woken({ silence: '50s', delay: 0 })
      await w.know(fact)
      await w.bot.pass('2d')
      await w.bot.say('bob', '@kiki hello')
      await w.bot.pass(time)
      await w.bot.say('alice', opener)
      await w.bot.pass('6s')
      expect(w.broughtUp).toEqual(broughtUp)
    }
  })

  test('in a turn that addresses the bot: it gets an answer', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.say('alice', `@kiki ${opener}`)
    expect(w.bot.sent).toEqual(['an answer'])
  })

  test.each([
    [opener, [fact]],
    [`@bob ${opener}`, []],
    [`dave: ${opener}`, []],
    [`@here ${opener}`, []],
  ])('if the message addresses another person: %s', async (text, broughtUp) => {
    await using w = await woken({ silence: '10m', minAge: 0 })
    await w.know(fact)
    await w.bot.pass('20m')
    await w.say('alice', text)
    expect(w.broughtUp).toEqual(broughtUp)
  })

  test('but a remark in the pause of two people who talk', async () => {
    await using w = await woken()
    await w.know(fact)
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('10s')
    await w.say('bob', 'good idea')
    expect(w.broughtUp).toEqual([fact])
  })
})

describe('once per channel', () => {
  test('with its threads, and once in another channel', async () => {
    await using w = await woken({ interval: 0 })
    await w.know(fact)
    await w.bot.say('bob', 'hi', { channel: 'other' })
    for (const where of [{}, {}, { thread: 't1' }, { channel: 'other' }, { channel: 'other' }]) {
      await w.bot.pass('2d')
      await w.say('alice', opener, where)
    }
    expect(w.bot.posted.map(({ channel }) => channel)).toEqual(['general', 'other'])
  })

  test('after a restart too', async () => {
    await using w = await woken({ interval: 0 }, { storage: 'pglite' })
    await w.know(fact)
    await w.bot.pass('2d')
    await w.say('alice', opener)
    await w.bot.restart()
    await w.bot.pass('2d')
    await w.say('alice', opener)
    expect(w.broughtUp).toEqual([fact])
  })

  test('then the next fact follows', async () => {
    await using w = await woken({ interval: 0 })
    await w.know('erin bought a camping stove')
    await w.know(fact)
    for (let day = 0; day < 3; day++) {
      await w.bot.pass('2d')
      await w.say('alice', opener)
    }
    expect(w.broughtUp.toSorted()).toEqual(['erin bought a camping stove', fact])
  })
})
