import { describe, expect, test } from 'vitest'
import { definePlatform, type IncomingMessage, type PlatformContext, type Turn } from '../../api/index.ts'
import { testBot } from '../../testing/test-bot.ts'

const NOON = new Date('2026-01-05T12:00:00Z')

function said(id: string, channel: string, minutesAgo: number, text: string): IncomingMessage {
  return {
    id,
    conversation: { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' },
    author: { id: 'alice', name: 'alice' },
    text,
    at: new Date(NOON.getTime() - minutesAgo * 60_000),
    mentions: text.includes('@kiki') ? [{ id: 'bot', name: 'kiki' }] : [],
  }
}

/** A plugin that answers, and the context that the bot gave it. */
function withContext(turns: Turn[] = []) {
  const lent: PlatformContext[] = []
  const plugin = definePlatform({
    name: 'test',
    setup(ctx) {
      lent.push(ctx)
      return {
        respond(turn) {
          turns.push(turn)
          return { kind: 'text', text: `answer to ${turn.message.id}` }
        },
      }
    },
  })
  return {
    plugin,
    trackPosition: async () => lent.at(-1)?.trackPosition('test'),
    receiveMissed: async (message: IncomingMessage) => lent.at(-1)?.receive(message, { missed: true }),
  }
}

test('missed messages are read in every channel, also in channels without recorded messages', async () => {
  const turns: Turn[] = []
  const { plugin, trackPosition } = withContext(turns)
  const past = [
    said('g1', 'general', 30, 'good morning'),
    said('n1', 'new', 40, '@kiki before the absence'),
    said('g2', 'general', 20, '@kiki too long ago'),
    said('g3', 'general', 5, '@kiki a moment ago'),
    said('n2', 'new', 15, 'a word'),
    said('n3', 'new', 5, '@kiki and here?'),
  ]
  await using bot = await testBot({ plugins: [plugin], platform: { past }, at: new Date(NOON.getTime() - 30 * 60_000) })
  await bot.say('alice', 'good morning', { id: 'g1' })
  const readOn = await trackPosition()
  await bot.pass('30m')
  await readOn?.()
  await bot.pass('1m')
  expect(bot.sent.toSorted()).toEqual(['answer to g3', 'answer to n3'])
  const seen = turns.map(({ conversation, history }) => [
    conversation.name,
    history.filter(({ own }) => !own).map(({ id }) => id),
  ])
  expect(Object.fromEntries(seen)).toEqual({ general: ['g1', 'g2', 'g3'], new: ['n2', 'n3'] })
})

test('a call stands before its answer, also when the clock of the platform is ahead and something was missed', async () => {
  const turns: Turn[] = []
  const { plugin, receiveMissed } = withContext(turns)
  await using bot = await testBot({ plugins: [plugin], at: NOON })
  await bot.say('alice', '@kiki hello', { id: 'g1', at: new Date(NOON.getTime() + 900) })
  await bot.pass('1m')
  await receiveMissed(said('g2', 'general', -0.5, 'the code is 42'))
  await bot.say('alice', '@kiki what is it?', { id: 'g3' })
  expect(turns.at(-1)?.history.map(({ text }) => text)).toEqual([
    ...['@kiki hello', 'answer to g1', 'the code is 42', '@kiki what is it?'],
  ])
})

test('a bot without recorded messages has missed nothing', async () => {
  const { plugin, trackPosition } = withContext()
  await using bot = await testBot({ plugins: [plugin], platform: { past: [said('g1', 'general', 1, '@kiki')] }, at: NOON })
  await (await trackPosition())?.()
  await bot.pass('1m')
  expect(await bot.traces()).toEqual([])
})

describe('a missed message that', () => {
  const past = [
    said('g1', 'general', 30, 'good morning'),
    said('g2', 'general', 5, 'the password is 123'),
    said('g3', 'general', 4, '@kiki what is new?'),
    said('g4', 'general', 1, '@kiki and now?'),
  ]

  test('could not be read is tried again', async () => {
    const { plugin, trackPosition } = withContext()
    await using bot = await testBot({ plugins: [plugin], platform: { past: past.slice(0, 3) }, at: NOON })
    await bot.say('alice', 'good morning', { id: 'g1' })
    bot.platform.faults.push(new Error('Service Unavailable'), new Error('Service Unavailable'))
    await (await trackPosition())?.()
    await bot.pass('4s')
    await bot.say('alice', 'a live word', { id: 'g9' })
    expect(bot.sent).toEqual([])
    await bot.pass('1m')
    expect(bot.sent).toEqual(['answer to g3'])
  })

  describe('could not be read in a channel without recorded messages', () => {
    /** A live word comes after the failure. */
    async function failed() {
      const { plugin, trackPosition } = withContext()
      const bot = await testBot({
        plugins: [plugin],
        storage: 'pglite',
        platform: { past: [...past.slice(0, 1), said('n1', 'new', 5, '@kiki and here?')] },
        at: new Date(NOON.getTime() - 30 * 60_000),
      })
      await bot.say('alice', 'good morning', { id: 'g1' })
      const readOn = await trackPosition()
      await bot.pass('30m')
      bot.platform.faults.push(Promise.resolve(), new Error('Service Unavailable'))
      await readOn?.()
      await bot.say('alice', 'a live word', { id: 'g9' })
      return Object.assign(bot, { trackPosition })
    }

    test('is tried again', async () => {
      await using bot = await failed()
      await bot.pass('1m')
      expect(bot.sent).toEqual(['answer to n1'])
    })

    test('is read after a restart', async () => {
      await using bot = await failed()
      await bot.restart('1m')
      await (await bot.trackPosition())?.()
      await bot.pass('1m')
      expect(bot.sent).toEqual(['answer to n1'])
      expect((await bot.db.query('select from kikimimi.unread_since')).rows).toEqual([])
    })
  })

  test('could not be read is read the next time, even after newer messages', async () => {
    const turns: Turn[] = []
    const { plugin, trackPosition } = withContext(turns)
    await using bot = await testBot({ plugins: [plugin], platform: { past: past.slice(0, 3) }, at: NOON })
    await bot.say('alice', 'good morning', { id: 'g1' })
    bot.platform.faults.push(new Error('Service Unavailable'))
    await (await trackPosition())?.()
    await bot.say('alice', 'a live word', { id: 'g9' })
    await (await trackPosition())?.()
    await bot.pass('1m')
    expect(bot.sent).toEqual(['answer to g3'])
    expect(bot.log.join()).toContain('could not read missed messages: Service Unavailable')
  })

  test('was deleted or edited while it was read is not recorded in its old form', async () => {
    const turns: Turn[] = []
    const { plugin, trackPosition } = withContext(turns)
    await using bot = await testBot({ plugins: [plugin], platform: { past }, at: NOON })
    await bot.say('alice', 'good morning', { id: 'g1' })
    const told = Promise.withResolvers<void>()
    bot.platform.faults.push(told.promise)
    const reading = (await trackPosition())?.()
    await bot.remove('g2')
    await bot.edit('g3', '@kiki what is old?')
    told.resolve()
    await reading
    await bot.pass('1m')
    expect(
      turns
        .at(-1)
        ?.history.filter(({ own }) => !own)
        .map(({ text }) => text),
    ).toEqual(['good morning', '@kiki what is old?', '@kiki and now?'])
  })

  test('is one of too many: the bot reads the beginning and the end, and answers a recent mention', async () => {
    const { plugin, trackPosition } = withContext()
    const many = Array.from({ length: 700 }, (_, index) => said(`g${index + 1}`, 'general', 9, `line ${index + 1}`))
    const platform = { past: [...many, said('last', 'general', 1, '@kiki are you there?')] }
    await using bot = await testBot({ storage: 'pglite', plugins: [plugin], platform, at: NOON })
    await bot.say('alice', 'line 1', { id: 'g1' })
    await (await trackPosition())?.()
    await bot.pass('1m')
    expect(bot.sent).toEqual(['answer to last'])
    const { rows } = await bot.db.query('select id from kikimimi.message where not own')
    expect(rows).toHaveLength(1 + 500 + 100)
  })
})

test('a message that the platform kept is recorded and not judged, and a recent mention is answered', async () => {
  const turns: Turn[] = []
  const { plugin, receiveMissed } = withContext(turns)
  await using bot = await testBot({ plugins: [plugin], at: NOON })
  const kept = [
    said('g1', 'general', 30, '@kiki too long ago'),
    said('g2', 'general', 5, 'does anyone know?'),
    said('g3', 'general', 4, '@kiki a moment ago'),
  ]
  for (const message of [...kept, ...kept]) await receiveMissed(message)
  await bot.pass('1m')
  expect(bot.sent).toEqual(['answer to g3'])
  expect(turns.map(({ history }) => history.map(({ id, missed }) => [id, missed]))).toEqual([
    [
      ['g1', true],
      ['g2', true],
      ['g3', undefined],
    ],
  ])
  expect(await bot.traces()).toHaveLength(1)
})
