import type { TestBotOptions } from 'kikimimi/testing'
import { describe, expect, it } from 'vitest'
import judgeLlm from '../index.ts'
import { channel, report, round } from '../testing/channel.ts'

const general = 'test/team/general'

/**
 * Five judged turns: a yes that was welcome and one that was not; a no that was right, and one where the person then called the bot; and a yes
 * after which nothing happened.
 */
async function fiveTurns(options: TestBotOptions = {}) {
  const talk = await channel(() => ({ respond: true, confidence: 0.8 }), options)
  await round(talk, 'alice', 'useful')
  await round(talk, 'bob', 'idle')
  talk.says = () => ({ respond: false, confidence: 0.8 })
  await round(talk, 'carol', 'idle')
  await round(talk, 'dan', 'useful')
  talk.says = () => ({ respond: true, confidence: 0.8 })
  await talk.bot.say('alice', 'is there tea?')
  await talk.bot.pass('40m')
  return talk
}

describe('kikimimi judge-report', () => {
  it('has exact figures of a known log', async () => {
    await using talk = await fiveTurns()
    const [{ tokens = 0 } = {}] = (
      await talk.bot.db.query<{ tokens: number }>(
        'select sum(input_tokens + output_tokens)::int as tokens from judge_llm.outcome',
      )
    ).rows
    expect(tokens).toBe(
      (await talk.bot.traces())
        .flatMap(({ models }) => models)
        .filter(({ role }) => role === 'judge')
        .reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    )
    expect(await report(talk, 'general')).toEqual([
      `#general (${general})`,
      `  calls: 5, of which 4 have an outcome; ${tokens} tokens`,
      '  says yes where an answer is welcome: 50.0 % (1 of 2); where it is not: 50.0 % (1 of 2)',
      '  balanced accuracy: 50.0 %',
      '  missed: follow-up unknown, unasked 50.0 % (1 of 2); messages that address the bot are never judged',
      '  coefficient of the verdict: 2.50 (0.64 to 4.36), from 4 votes of 3 people',
      expect.stringMatching(/^ {2}the verdict adds -?[\d.]+ nats per 100 votes \(-?[\d.]+ to -?[\d.]+\)$/),
      '  not paused',
      '  probability   turns  predicted  seen',
      '  0–20 %            2      1.8 %  50.0 %',
      '  20–40 %           0          –  –',
      '  40–60 %           2     50.0 %  50.0 %',
      '  60–80 %           0          –  –',
      '  80–100 %          0          –  –',
      '  prompts with fewer than 5 lines around the message: 100.0 % (5 of 5); without the message that is answered: 0.0 % (0 of 5); without the last words of the bot: 20.0 % (1 of 5)',
      '  finding: 100.0 % (5 of 5) of the prompts are with fewer than 5 lines around the message. Raise `history` of judge-llm or `memory` in bot.config.ts, and let the bot read the history of the channel.',
      '  finding: 20.0 % (1 of 5) of the prompts are without the last words of the bot. Raise `history` of judge-llm or `memory` in bot.config.ts.',
    ])
  })

  it('is JSON lines with --json, and refuses what it does not know', async () => {
    await using talk = await fiveTurns()
    const lines: string[] = []
    await talk.bot.bot.command('judge-report', [], { json: true, print: line => void lines.push(line) })
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { channel: general, calls: 5, known: 4, balancedAccuracy: 0.5, missed: { unasked: { hits: 1, of: 2 } } },
    ])
    for (const args of [['nowhere'], ['general', 'x']])
      await expect(report(talk, ...args)).rejects.toMatchObject({ code: 'USAGE' })
  })

  it('says that there is nothing yet', async () => {
    await using talk = await channel(() => ({ respond: true, confidence: 0.8 }))
    expect(await report(talk)).toEqual(['The judge has given no verdict yet.'])
  })

  it('finds prompts without the message that is answered, and without the last words of the bot', async () => {
    await using talk = await channel(() => ({ respond: true, confidence: 0.8 }), { plugin: judgeLlm({ history: 3 }) })
    const { bot } = talk
    await bot.say('alice', '@kiki hello', { id: 'first' })
    for (const text of ['aside', 'aside two', 'aside three']) await bot.say('bob', text)
    await bot.pass('1m')
    await bot.say('bob', 'a useful question?', { replyTo: { id: 'first' } })
    await bot.pass('40m')
    const lines = await report(talk)
    expect(lines.filter(line => line.includes('finding:'))).toEqual([
      expect.stringContaining('with fewer than 5 lines around the message'),
      expect.stringContaining('without the message that is answered'),
      expect.stringContaining('without the last words of the bot'),
    ])
  })
})

describe('what is stored', () => {
  it('is no text, and goes with the messages', async () => {
    await using talk = await fiveTurns()
    const { db } = talk.bot
    const { rows } = await db.query('select row_to_json(o)::text as line from judge_llm.outcome o')
    expect(JSON.stringify(rows)).not.toContain('question')
    const messages = async () =>
      (await db.query<{ message: string }>('select message from judge_llm.outcome order by at')).rows.map(
        ({ message }) => message,
      )
    const [first = '', ...others] = await messages()
    await talk.bot.remove(others.at(-1) ?? '')
    expect(await messages()).toEqual([first, ...others.slice(0, -1)])
    const votes = async () => (await db.query('select 1 from judge_llm.vote where turn = any($1)', [turns])).rowCount
    const turns = (await db.query<{ turn: string }>('select turn from judge_llm.outcome where message = $1', [first])).rows.map(
      ({ turn }) => turn,
    )
    expect(await votes()).toBe(1)
    await talk.bot.remove(first)
    expect([await messages(), await votes()]).toEqual([expect.not.arrayContaining([first]), 0])
  })

  it('goes with a person who wants to be forgotten', async () => {
    await using talk = await fiveTurns()
    const { bot } = talk
    const votes = async () =>
      (await bot.db.query<{ person: string }>('select person from judge_llm.vote order by person')).rows.map(
        ({ person }) => person,
      )
    expect(await votes()).toEqual(['alice', 'alice', 'bob', 'dan'])
    await bot.bot.forget({ platform: 'test', id: 'alice' })
    const left = await votes()
    expect([left.includes('alice'), left.includes('dan')]).toEqual([false, true])
    const { rows } = await bot.db.query<{ author: string }>('select author from judge_llm.outcome')
    expect(rows.map(({ author }) => author)).toEqual(expect.arrayContaining(['carol', 'dan']))
    expect(rows.map(({ author }) => author)).not.toContain('alice')
  })

  it('goes after 60 days, with what was learned from it', async () => {
    await using talk = await fiveTurns({ storage: 'pglite' })
    const { bot } = talk
    // The bot is off for most of the time.
    await bot.restart('59d')
    await bot.pass('3d')
    expect((await bot.db.query('select 1 from judge_llm.outcome')).rowCount).toBe(0)
    expect((await bot.db.query('select 1 from judge_llm.channel')).rowCount).toBe(0)
  })

  it('has the outcome of an answer that was delayed', async () => {
    await using talk = await channel(() => ({ respond: true, confidence: 0.8, delaySeconds: 90 }))
    const { bot } = talk
    await bot.say('alice', 'a useful question?')
    await bot.pass('20s')
    const spoke = async () => (await bot.db.query('select spoke, sent from judge_llm.outcome')).rows
    expect(await spoke()).toEqual([{ spoke: null, sent: [] }])
    await bot.pass('2m')
    const [sent] = (await bot.trace()).sent
    expect(await spoke()).toEqual([{ spoke: true, sent: [sent] }])
    await bot.react('alice', sent ?? '', '👍')
    await bot.pass('40m')
    expect((await bot.db.query('select person, value from judge_llm.vote')).rows).toEqual([{ person: 'alice', value: 1 }])
  })
})
