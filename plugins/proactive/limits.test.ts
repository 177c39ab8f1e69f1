import { describe, expect, test } from 'vitest'
import { type Woken, woken } from './test-bot.ts'

const OPENER = 'we should go camping next month'

/** A bot with many facts about camping. */
async function camper(...options: Parameters<typeof woken>): Promise<Woken> {
  const w = await woken(...options)
  for (const thing of ['stove', 'tent', 'map', 'lamp', 'knife', 'chair', 'pot', 'rope', 'axe', 'mat']) {
    await w.know(`erin bought a ${thing} for camping`)
  }
  await w.bot.pass('2d')
  return w
}

/** Number of remarks after a message that wakes the channel now. */
async function more(w: Woken, said: Parameters<Woken['say']>[2] = {}): Promise<number> {
  const before = w.broughtUp.length
  await w.say('alice', OPENER, said)
  return w.broughtUp.length - before
}

describe('limits', () => {
  test('once in four hours', async () => {
    await using w = await camper()
    expect(await more(w)).toBe(1)
    await w.say('alice', 'oh, really?')
    await w.bot.pass('225m')
    expect(await more(w)).toBe(0)
    await w.bot.pass('2h')
    expect(await more(w)).toBe(1)
  })

  test('twice within 24 hours in a channel', async () => {
    await using w = await camper({ interval: '1h' })
    const counts: number[] = []
    for (let hour = 0; hour < 24; hour += 4) {
      counts.push(await more(w))
      await w.say('alice', 'oh, really?')
      await w.bot.pass('238m')
    }
    await w.bot.pass('1m')
    counts.push(await more(w))
    expect(counts).toEqual([1, 1, 0, 0, 0, 0, 1])
  })

  test('ten times within 24 hours in all channels', async () => {
    await using w = await camper()
    const counts: number[] = []
    for (let at = 0; at < 12; at++) await w.bot.say('bob', 'hi', { channel: `c${at}` })
    await w.bot.pass('2h')
    for (let at = 0; at < 12; at++) counts.push(await more(w, { channel: `c${at}` }))
    expect(counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    await w.bot.pass('1d')
    expect(await more(w, { channel: 'c11' })).toBe(1)
  })

  test('as the options say', async () => {
    await using w = await camper({ interval: 0, perDay: { channel: 1, bot: 2 } })
    for (const channel of ['c1', 'c2']) await w.bot.say('bob', 'hi', { channel })
    await w.bot.pass('2h')
    expect(await more(w)).toBe(1)
    await w.bot.pass('2h')
    expect(await more(w)).toBe(0)
    expect(await more(w, { channel: 'c1' })).toBe(1)
    expect(await more(w, { channel: 'c2' })).toBe(0)
  })

  test.each([
    [{ perDay: { channel: 0 } }, 'perDay.channel'],
    [{ often: true }, 'often'],
  ] as const)('%j is refused', async (options, problem) => {
    // @ts-expect-error: one has an unknown option
    await expect(woken(options)).rejects.toThrow(problem)
  })
})

describe('ignored remarks', () => {
  /** Whether the bot brings something up this many hours after the last time. */
  const after = async (w: Woken, hours: number, said: number) => {
    await w.bot.pass(`${hours * 60 - said}m`)
    return more(w)
  }

  test('double the interval each time, up to a week', async () => {
    await using w = await camper({ perDay: { channel: 100, bot: 100 } })
    expect(await more(w)).toBe(1)
    for (const hours of [8, 16, 32, 64, 128, 168, 168]) {
      // A message wakes the channel one and a half hours too early.
      await w.bot.pass(`${hours * 60 - 90}m`)
      expect([hours, await more(w)]).toEqual([hours, 0])
      await w.bot.pass('90m')
      expect([hours, await more(w)]).toEqual([hours, 1])
    }
  })

  test('count after a restart too', async () => {
    await using w = await camper({}, { storage: 'pglite' })
    expect(await more(w)).toBe(1)
    await w.bot.restart()
    expect(await after(w, 6, 1)).toBe(0)
    await w.bot.restart()
    expect(await after(w, 3, 1)).toBe(1)
  })

  const posted = ({ bot }: Woken) => {
    const last = bot.posted.at(-1)
    return last?.kind === 'text' ? last.id : ''
  }

  test.each<[string, number, (w: Woken) => Promise<unknown>]>([
    ['a reply', 1, w => w.bot.say('bob', '@alice and a stove?', { replyTo: { id: posted(w) } })],
    [
      'a reply hours later',
      1,
      async w => {
        await w.bot.pass('50m')
        await w.bot.say('bob', 'who?', { replyTo: { id: posted(w) } })
      },
    ],
    ['an answer in a thread under it', 1, w => w.bot.say('bob', 'the weather is bad', { thread: posted(w) })],
    ['an emoji', 1, w => w.bot.react('bob', posted(w), '👍')],
    ['an emoji of the bot itself', 0, w => w.bot.react('bot', posted(w), '👍')],
    [
      'an emoji that is taken back',
      0,
      async w => {
        await w.bot.react('bob', posted(w), '👍')
        await w.bot.react('bob', posted(w), '👍', { removed: true })
      },
    ],
    ['a question to the bot', 1, w => w.bot.say('bob', '@kiki when was that?')],
    [
      'a question to the bot ten minutes later',
      0,
      async w => {
        await w.bot.pass('10m')
        await w.bot.say('bob', '@kiki what is the capital of Peru?')
      },
    ],
    ['what says nothing else', 1, w => w.bot.say('bob', 'oh, really?')],
    ['what speaks of the same', 1, w => w.bot.say('alice', 'camping, and then Peru!')],
    ['what speaks of something else', 0, w => w.bot.say('alice', 'the printer is out of toner')],
    ['what is for somebody else', 0, w => w.bot.say('alice', '@bob oh, really?')],
    [
      'what comes after the third message',
      0,
      async w => {
        for (const text of ['the printer is out of toner', 'black toner', 'and the paper is gone', 'oh, really?']) {
          await w.bot.say('alice', text)
        }
      },
    ],
    [
      'what comes too late',
      0,
      async w => {
        await w.bot.pass('6m')
        await w.bot.say('alice', 'oh, really?')
      },
    ],
    ['another bot', 0, w => w.bot.say('robot', 'oh, really?', { bot: true })],
    [
      'what must not be remembered',
      0,
      async ({ bot }) => {
        const id = await bot.say('bob', 'oh, really?')
        await bot.db.query(`insert into kikimimi.left_out (channel, id, at) values ('test/team/general', $1, now())`, [id])
      },
    ],
    ['nothing', 0, async () => {}],
  ])('counts as an answer: %s, %i', async (_, expected, react) => {
    await using w = await woken({}, { listen: { bots: true } })
    await w.know('erin bought a tent for camping')
    await w.know('dave bought a stove for camping')
    await w.bot.pass('2d')
    expect(await more(w)).toBe(1)
    const begun = w.bot.clock.now()
    await react(w)
    await w.bot.pass(`${5 * 60 * 60 - (w.bot.clock.now() - begun) / 1_000}s`)
    expect(await more(w)).toBe(expected)
  })

  test('an answer resets the interval', async () => {
    await using w = await camper({ perDay: { channel: 100, bot: 100 } })
    expect(await more(w)).toBe(1)
    expect(await after(w, 9, 1)).toBe(1)
    await w.bot.react('bob', posted(w), '👍')
    expect(await after(w, 5, 1)).toBe(1)
    expect(await after(w, 5, 1)).toBe(0)
  })
})
