/** More messages than the bot can record. */
import addressing from '@kikimimi/addressing'
import { type IncomingMessage, KikimimiError } from 'kikimimi'
import type { Drop } from 'kikimimi/host'
import { definePlatform, type PlatformContext } from 'kikimimi/platform'
import { type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'

/** More than a channel may have waiting. */
const MANY = 600

/** The number of a message is the second in which it was written. */
function messages(count: number, channel: string, more: Partial<IncomingMessage> = {}): IncomingMessage[] {
  const conversation = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public' as const }
  const begin = Date.parse('2026-01-05T09:50:00Z')
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `${channel}-${index}`, conversation, author: { id: 'alice', name: 'alice' }, text: `line ${index}` },
    at: new Date(begin + index * 1_000),
    ...more,
  }))
}

/** Holds every message in its filter. */
function slow() {
  const drops: Drop[] = []
  let held = Promise.withResolvers<void>()
  held.resolve()
  let lent: PlatformContext | undefined
  const plugin = definePlatform({
    name: 'slow',
    setup(ctx) {
      lent = ctx
      return {
        filter: () => held.promise,
        onDropped: drop => void drops.push(drop),
        respond: ({ message }) => ({ kind: 'text', text: `to ${message.id}` }),
      }
    },
  })()
  return {
    ...{ drops, plugin },
    context: () => lent,
    hold: () => {
      held = Promise.withResolvers<void>()
    },
    release: () => held.resolve(),
  }
}

const received = (bot: TestBot, all: readonly IncomingMessage[]) =>
  Promise.all(
    all.map(async one => {
      try {
        await bot.bot.receive(bot.platform, one)
        return 'taken'
      } catch (error) {
        if (error instanceof KikimimiError && error.code === 'OVERLOADED') return 'shed'
        throw error
      }
    }),
  )

const countOf = (outcomes: readonly string[], outcome: string) => outcomes.filter(one => one === outcome).length

/** Messages of people. */
async function recorded(bot: TestBot): Promise<number> {
  const { rows } = await bot.db.query<{ count: number }>('select count(*)::int as count from kikimimi_v1.message where not own')
  return rows[0]?.count ?? 0
}

describe('a flood in one channel', () => {
  const loud = messages(MANY, 'loud')
  const quiet = Array.from({ length: 100 }, (_, channel) => messages(1, `quiet-${channel}`)).flat()
  const options = (hands: ReturnType<typeof slow>): TestBotOptions => ({
    storage: 'pglite',
    plugins: [addressing(), hands.plugin],
    platform: { past: [...loud, ...quiet] },
  })

  test('is shed, the quiet channels beside it are not, and what was shed is read when it is calm', async () => {
    const hands = slow()
    await using bot = await testBot(options(hands))
    hands.hold()
    const outcomes = received(bot, [...loud, ...quiet])
    const call = received(bot, messages(1, 'loud', { id: 'call', text: 'kiki, are you there?' }))
    await bot.pass('1ms')
    expect(await bot.command('alice', 'status', { channel: 'loud' })).toContain('More messages arrive than I can record')
    hands.release()
    const [ofLoud, ofQuiet] = [(await outcomes).slice(0, MANY), (await outcomes).slice(MANY)]
    const shed = countOf(ofLoud, 'shed')
    expect(shed).toBeGreaterThan(100)
    expect(shed).toBeLessThan(MANY - 300)
    expect(countOf(ofQuiet, 'taken')).toBe(100)
    expect(await call).toEqual(['taken'])
    expect(await recorded(bot)).toBe(MANY + 100 + 1 - shed)
    await bot.pass('20s')
    expect(bot.sent).toEqual(['to call'])
    await expect.poll(() => recorded(bot)).toBe(MANY + 100 + 1)
    expect(bot.log).toEqual([
      expect.stringMatching(/warn more messages arrive than can be recorded/),
      expect.stringMatching(/warn all messages are recorded again seconds=0 call=0 talk=\d+ change=0 lost=0\n$/),
    ])
    expect(hands.drops).toHaveLength(shed)
    expect(hands.drops[0]).toMatchObject({ platform: 'test', why: expect.stringContaining('read later') })
    expect(await bot.command('alice', 'status', { channel: 'loud' })).not.toContain('More messages')
  })

  test('does not delay the answer to a call', async () => {
    const hands = slow()
    await using bot = await testBot(options(hands))
    const talk = Array.from({ length: 100 }, (_, channel) => messages(20, `channel-${channel}`)).flat()
    const call = messages(1, 'other', { id: 'call', text: 'kiki, are you there?' })
    expect(countOf(await received(bot, [...talk, ...call]), 'taken')).toBe(talk.length + 1)
    await expect.poll(() => bot.sent).toEqual(['to call'])
    const { rows } = await bot.db.query<{ id: string; own: boolean }>('select id, own from kikimimi_v1.message order by seq')
    // In the order of arrival all talk would be recorded before both. Between them the bot answers, which takes it longer on a busy machine.
    expect(rows.findIndex(({ id }) => id === 'call')).toBeLessThan(talk.length / 4)
    expect(rows.findIndex(({ own }) => own)).toBeLessThan(talk.length)
  })

  test('is read after a restart when the bot stops before it is calm', async () => {
    const hands = slow()
    await using bot = await testBot(options(hands))
    await received(bot, loud.slice(0, 1))
    hands.hold()
    const outcomes = received(bot, loud.slice(1))
    await bot.pass('1s')
    hands.release()
    const shed = countOf(await outcomes, 'shed')
    expect(await recorded(bot)).toBe(MANY - shed)
    await bot.restart()
    await (await hands.context()?.trackPosition('test'))?.()
    await bot.pass('5s')
    await expect.poll(() => recorded(bot)).toBe(MANY)
  })

  test('is lost where the platform has no history, and counted so', async () => {
    const hands = slow()
    await using bot = await testBot({ plugins: [hands.plugin] })
    hands.hold()
    const outcomes = received(bot, loud)
    await bot.pass('1ms')
    hands.release()
    const shed = countOf(await outcomes, 'shed')
    await bot.pass('10s')
    expect(bot.log.at(-1)).toContain(`talk=${shed} change=0 lost=${shed}`)
    expect(hands.drops[0]?.why).toContain('It is lost')
  })
})
