/** What a person asks not to remember is on screen for the turn that answers it, and for no other turn. */

import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import { offline } from '@kikimimi/offline'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { ChatModel } from 'kikimimi/model'
import { promptOf, scriptedModel, type TestBot, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { dump, findIn } from '../core/testing/privacy/dump.ts'

/** Repeats everything that its prompt has. */
const repeating = () =>
  scriptedModel(request => {
    const prompt = promptOf(request)
    return request.schema ? { value: { summary: prompt, memory: prompt, mood: prompt, topics: [], facts: [] } } : prompt
  })

async function living(model: ChatModel): Promise<TestBot> {
  return testBot({
    persona: { name: 'kiki', names: ['キキ'] },
    plugins: [
      remember(),
      facts(),
      profiles(),
      memorySummary({ everyMinutes: 1, foldAfter: '30m' }),
      reflection({ minMessages: 1, lull: '1m' }),
      addressing(),
      judgeRules(),
      reply(),
    ],
    model,
    pacing: { minWait: '4s', jitter: 0 },
    capture: { channels: ['general', 'random'] },
    storage: 'pglite',
  })
}

/** What alice says, and what the request means to leave out. */
const SAID: readonly (readonly string[])[] = [
  ["don't remember this: my pin is zq4821"],
  ['my pin is zq4821, please don’t remember that'],
  ['off the record: my pin is zq4821'],
  ['my pin is zq4821', 'don’t remember what I just said'],
  ['off the record for a moment', 'my pin is zq4821'],
  ["@kiki don't remember this: my pin is zq4821"],
  ['これは覚えないで：暗証番号はzq4821'],
  ['暗証番号はzq4821だよ。ここだけの話ね'],
  ['ここだけの話だけど、暗証番号はzq4821'],
  ['暗証番号はzq4821', '今の話は覚えないで'],
  ['ここからはオフレコで', '暗証番号はzq4821'],
  ['キキ、これは覚えないで。暗証番号はzq4821'],
]

describe.each([
  ['that repeats its prompt', repeating, SAID.filter((_, at) => at % 3 !== 2)],
  ['offline', offline, SAID.filter((_, at) => at % 3 === 0)],
] as const)('with a model %s', (_name, model, said) => {
  test.each(said.map(lines => [lines.join(' / '), lines] as const))('%s', async (_title, lines) => {
    await using bot = await living(model())
    const [first = '', ...rest] = lines
    let last = await bot.say('alice', first)
    for (const text of rest) last = await bot.say('alice', text)
    await bot.pass('5s')
    const before = bot.sent.length
    await bot.say('bob', '@kiki what is the pin of alice?')
    await bot.say('bob', '@kiki アリスの暗証番号は何番？', { replyTo: { id: last, author: 'alice' } })
    await bot.say('alice', '@kiki what is my pin?')
    await bot.say('alice', 'キキ、私の暗証番号は？')
    await bot.say('bob', '@kiki what is the pin?', { channel: 'random' })
    await bot.pass('20m')
    await bot.say('bob', '@kiki what did I miss? 4時の話も')
    expect(bot.sent.slice(before).filter(text => text.includes('zq4821'))).toEqual([])
    expect(JSON.stringify(await bot.traces())).not.toContain('zq4821')
    // The log has it, until it is deleted.
    const where = findIn(await dump(bot.db), ['zq4821']).map(found => found.slice(0, found.indexOf(':')))
    expect(where.filter(table => table !== 'kikimimi.message')).toEqual([])
    const { rows } = await bot.db.query<{ text: string }>('select text from kikimimi_v1.message')
    expect(rows.map(({ text }) => text).join('\n')).not.toContain('zq4821')
    await bot.pass('40m')
    expect(findIn(await dump(bot.db), ['zq4821'])).toEqual([])
  })
})
