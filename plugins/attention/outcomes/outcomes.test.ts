// postgres: the statements and triggers of attention
import judgeRules from '@kikimimi/judge-rules'
import { definePlugin, OptOuts, type PluginEntry } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, it } from 'vitest'
import attention from '../index.ts'
import type { Options } from '../options.ts'

const answer = definePlugin({
  name: 'answer',
  setup: () => ({ respond: ({ message }) => ({ kind: 'text', text: `to ${message.text}`, replyTo: message.id }) }),
})

const kiki = (threshold = 0, learn: Options['learn'] = 'ask', more: readonly PluginEntry[] = []) =>
  testBot({
    persona: { name: 'kiki' },
    plugins: [...more, attention({ learn }), judgeRules({ preset: 'attention', threshold }), answer],
  })

/** Bob says something, and the bot answers it. Returns the id of the answer. */
async function answered(bot: TestBot, text = 'the train was late'): Promise<string> {
  await bot.say('alice', '@kiki where is the key?')
  await bot.pass('20s')
  await bot.say('bob', text, { id: 'trigger' })
  await bot.pass('1m')
  const { sent } = await bot.trace()
  return sent[0] ?? ''
}

interface Vote {
  readonly person: string
  readonly value: number
}

async function votes(bot: TestBot): Promise<readonly Vote[]> {
  const { rows } = await bot.db.query<Vote>(
    `select v.person, v.value from attention.vote v join attention.outcome o on o.turn = v.turn
     where o.message = 'trigger' order by person`,
  )
  return rows
}

async function votesAfter(say: (bot: TestBot, answer: string) => Promise<unknown>): Promise<readonly Vote[]> {
  await using bot = await kiki()
  await say(bot, await answered(bot))
  await bot.pass('31m')
  return votes(bot)
}

describe('after an answer', () => {
  it('a reply and a reaction count in full, each person once', async () => {
    const counted = await votesAfter(async (bot, id) => {
      await bot.say('bob', 'thanks, that helps', { replyTo: { id } })
      await bot.say('bob', '@kiki and tomorrow?')
      await bot.react('carol', id, '👍')
    })
    expect(counted).toEqual([
      { person: 'bob', value: 1 },
      { person: 'carol', value: 1 },
    ])
  })

  it.each(['shut up', 'not now', 'nobody asked you', '君に聞いてない', '너한테 안 물어봤어'])(
    '"%s" is a correction',
    async text => {
      expect(await votesAfter(bot => bot.say('carol', text))).toEqual([{ person: 'carol', value: -1 }])
    },
  )

  it('a refusing emoji is a correction', async () => {
    expect(await votesAfter((bot, id) => bot.react('bob', id, '🤫'))).toEqual([{ person: 'bob', value: -1 }])
  })

  it('talk next to it is a weak sign, shared among the answers that it can be about', async () => {
    const [vote] = await votesAfter(bot => bot.say('bob', 'the bus was late too'))
    // The answer to the call of alice is another one.
    expect(vote).toEqual({ person: 'bob', value: 0.25 })
  })

  it('being ignored is a weak sign', async () => {
    const [vote] = await votesAfter(async bot => {
      for (const text of ['alice: lunch?', 'alice: or later?', 'alice: well']) await bot.say('carol', text)
    })
    expect(vote).toEqual({ person: 'bob', value: -0.25 })
  })

  it('what comes later than half an hour or 15 messages is not counted', async () => {
    expect(
      await votesAfter(async (bot, id) => {
        await bot.pass('31m')
        await bot.react('carol', id, '🤫', { removed: true })
        await bot.say('bob', 'thanks', { replyTo: { id } })
      }),
    ).toEqual([])
  })
})

it('a silence near the threshold was wrong if its author then calls the bot', async () => {
  await using bot = await kiki(100)
  await bot.say('alice', '@kiki where is the key?')
  await bot.pass('20s')
  await bot.say('alice', 'and where is the lamp?', { id: 'trigger' })
  await bot.pass('1m')
  await bot.say('alice', '@kiki I asked where the lamp is')
  await bot.pass('31m')
  expect(await votes(bot)).toEqual([{ person: 'alice', value: 1 }])
})

describe('what is stored', () => {
  it('has the signs, the probability and hashes, and no text', async () => {
    await using bot = await kiki()
    await answered(bot, 'my password is hunter2')
    const { rows } = await bot.db.query('select row_to_json(o)::text as line from attention.outcome o order by at')
    const [, line = ''] = rows.map(({ line }) => String(line))
    expect(JSON.parse(line)).toMatchObject({
      signs: { question: 0 },
      probability: expect.any(Number),
      weights: expect.stringMatching(/^[0-9a-f]{12}$/),
      prompt: expect.stringMatching(/^[0-9a-f]{12}$/),
      spoke: true,
    })
    expect(JSON.stringify(rows)).not.toContain('hunter2')
  })

  it('goes with the message, the answer, and the message of a vote', async () => {
    await using bot = await kiki()
    const id = await answered(bot)
    const reply = await bot.say('carol', 'thanks', { replyTo: { id } })
    await bot.pass('31m')
    expect(await votes(bot)).toHaveLength(1)
    await bot.remove(reply)
    expect(await votes(bot)).toEqual([])
    await bot.remove('trigger')
    expect((await bot.db.query("select 1 from attention.outcome where message = 'trigger'")).rowCount).toBe(0)
  })

  it('goes with a person who wants to be forgotten', async () => {
    await using bot = await kiki()
    const id = await answered(bot)
    await bot.say('carol', 'thanks', { replyTo: { id } })
    await bot.pass('31m')
    await bot.bot.forget({ platform: 'test', id: 'carol' })
    expect(await votes(bot)).toEqual([])
    await bot.bot.forget({ platform: 'test', id: 'bob' })
    const { rows } = await bot.db.query('select author from attention.outcome')
    expect(rows).toEqual([{ author: 'alice' }])
  })

  it('goes with a person who opts out', async () => {
    let optOuts: OptOuts | undefined
    const borrower = definePlugin({
      name: 'borrower',
      needs: [OptOuts],
      setup: ctx => {
        optOuts = ctx.use(OptOuts)
      },
    })
    await using bot = await kiki(0, 'ask', [borrower])
    const id = await answered(bot)
    await bot.react('carol', id, '👍')
    await bot.pass('31m')
    expect(await votes(bot)).toHaveLength(1)
    await optOuts?.begin([{ platform: 'test', id: 'carol' }], new Date('2026-01-05T10:00:00Z'))
    await bot.pass('6h')
    expect(await votes(bot)).toEqual([])
  })

  it('is nothing where learning is off', async () => {
    await using bot = await kiki(0, 'off')
    await answered(bot)
    expect((await bot.db.query('select 1 from attention.outcome')).rowCount).toBe(0)
  })
})
