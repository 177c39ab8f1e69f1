/** What people tell the bot to forget leaves everything that it remembers, however often and by whom it was said. */

import addressing from '@kikimimi/addressing'
import facts, { Facts } from '@kikimimi/facts'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { definePlugin, type PluginContext } from 'kikimimi'
import { promptOf, scriptedModel, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { dump, findIn } from '../core/testing/privacy/dump.ts'

async function living() {
  let running: PluginContext | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      running = ctx
    },
  })
  const summary = scriptedModel(request => {
    const text = /zq4821/.exec(promptOf(request).normalize('NFKC').toLowerCase())?.[0] ?? 'nothing'
    return { value: { summary: text, memory: text, mood: '', topics: [] } }
  })
  const bot = await testBot({
    persona: { name: 'kiki', names: ['キキ'] },
    plugins: [
      remember(),
      facts(),
      profiles(),
      memorySummary(),
      reflection({ minMessages: 1, lull: '1m' }),
      addressing(),
      judgeRules(),
      reply(),
      borrower,
    ],
    models: { summary },
    pacing: { minWait: '4s', jitter: 0 },
    storage: 'pglite',
  })
  return {
    bot,
    async holding(word: string) {
      await bot.pass('2m')
      return findIn(await dump(bot.db), [word]).filter(found => !found.startsWith('kikimimi.migration'))
    },
    store: () => running?.use(Facts),
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

describe('what was said five times, by two people on two sittings', () => {
  test.each([
    [
      'my pin is zq4821',
      'My PIN is zq4821!',
      'as I said, my pin is zq4821',
      '@kiki forget my pin',
      'Forgotten, all 3 messages: ',
    ],
    [
      '暗証番号はzq4821',
      '暗証番号は ＺＱ４８２１ ！',
      'ちなみに暗証番号はzq4821だよ',
      'キキ、暗証番号のことは忘れて',
      '3件の発言をすべて忘れました：',
    ],
  ])('%s', async (line, second, third, order, told) => {
    await using m = await living()
    const { bot } = m
    await bot.say('bob', line)
    await bot.say('alice', line)
    await bot.say('alice', second, { channel: 'random' })
    await bot.pass('40m')
    await bot.say('bob', line)
    await bot.say('alice', third)
    await bot.pass('10m')
    const before = await m.holding('zq4821')
    for (const table of ['kikimimi.message', 'memory_summary.memory']) expect(before.join('\n')).toContain(table)
    await bot.say('alice', order)
    expect(bot.sent.at(-1)).toContain(told)
    await bot.pass('2m')
    const hers = await bot.db.query('select 1 from kikimimi_v1.message where author_id = $1 and text ~* $2', [
      'alice',
      '4821|４８２１',
    ])
    expect(hers.rowCount).toBe(0)
    expect(
      (await m.store()?.about({ platform: 'test', id: 'alice' }, { limit: 100 }))?.filter(({ content }) => /4821/.test(content)),
    ).toEqual([])

    // What bob said stays his, until he asks for it too.
    await bot.say('bob', order)
    expect(bot.sent.at(-1)).not.toContain('find nothing')
    expect(await m.holding('zq4821')).toEqual([])
  })
})

test.each([
  ['@kiki please don’t listen to me', '@kiki you can listen to me again'],
  ['キキ、私の発言は記録しないで', 'キキ、また聞いていいよ'],
])('what a person said before an opt-out leaves the memory, and an opt-in does not bring it back: %s', async (out, back) => {
  await using m = await living()
  const { bot } = m
  await bot.say('alice', '@kiki remember that my locker is zq4821')
  await bot.say('alice', 'I live in zq4821 now')
  await bot.say('bob', 'my train leaves at ten')
  await bot.say('alice', 'zq4821 is far away')
  await bot.pass('20m')
  expect((await m.holding('zq4821')).join('\n')).toContain('facts.fact')
  await bot.say('alice', out)
  expect(await m.holding('zq4821')).toEqual([])
  await bot.say('alice', back)
  await bot.say('alice', '@kiki where is my locker?')
  expect(bot.sent.at(-1)).not.toContain('zq4821')
  expect(await m.holding('zq4821')).toEqual([])
  expect((await m.holding('train')).join('\n')).toContain('kikimimi.message')
})

describe.each([
  [
    '@kiki remember that I live in Osaka',
    'I moved to Kyoto last week',
    '@kiki remember that I live in Kyoto now',
    '@kiki where do I live?',
    'Osaka',
    'Kyoto',
  ],
  [
    'キキ、大阪に住んでるって覚えておいて',
    '先週京都に引っ越したよ',
    'キキ、京都に住んでるって覚えておいて',
    'キキ、私はどこに住んでる？',
    '大阪',
    '京都',
  ],
])('%s', (pin, moved, again, question, before, after) => {
  const holding = async (m: Awaited<ReturnType<typeof living>>, history = false) =>
    ((await m.store()?.list({ conversation: GENERAL, history })) ?? []).filter(({ relation }) => relation === 'lives_in')

  test.each([
    ['a later statement', moved],
    ['a later request', again],
  ])('is replaced by %s of the same person, and can be restored', async (_how, later) => {
    await using m = await living()
    await m.bot.say('alice', pin)
    expect(await holding(m)).toMatchObject([{ pinned: true, subject: 'alice', relation: 'lives_in', value: before }])
    await m.bot.pass('5m')
    await m.bot.say('alice', later)
    await m.bot.pass('5m')
    expect(await holding(m)).toMatchObject([{ subject: 'alice', value: after }])
    await m.bot.say('alice', question)
    expect(m.bot.sent.at(-1)).toContain(after)
    expect(m.bot.sent.at(-1)).not.toContain(before)
    const { rows } = await m.bot.db.query<{ batch: number }>(
      'select retired_in as batch from facts.fact where retired_in is not null',
    )
    expect(await m.store()?.undo(rows[0]?.batch ?? 0)).toHaveLength(1)
    expect((await holding(m)).map(({ value }) => value).toSorted()).toEqual([before, after].toSorted())
  })

  test('is not replaced by what another person says', async () => {
    await using m = await living()
    await m.bot.say('alice', pin)
    const [fact] = await holding(m)
    const said = await m.bot.say('bob', `alice ${after}`)
    const told = { subject: 'alice', relation: 'lives_in', value: after, single: true, people: ['alice'] }
    const sources = [{ message: said, author: 'bob' }]
    await m.store()?.supersede([fact?.id ?? 0], { conversation: GENERAL, content: `alice: ${after}`, ...told, sources })
    expect(await holding(m)).toHaveLength(2)
  })
})

const GENERAL = {
  ...{ id: 'test/team/general', platform: 'test', workspace: 'team', channel: 'general', name: 'general' },
  visibility: 'public',
} as const
