import { describe, expect, test } from 'vitest'
import { readOrder } from '../orders.ts'
import { remembering } from '../test-bot.ts'
import { decided } from './decide.ts'
import { readFree } from './model.ts'

const NAMES = ['kiki', 'キキ']

test.each([
  ['leave-out', 'Whatever I blurted out there, no jotting it into your notebook please'],
  ['forget-me', 'shred every last record you hold on me'],
  ['opt-out', 'quit tracking my posts from today on'],
  ['none', 'could you delete the second slide for me?'],
  ['none', 'do you ever forget things?'],
  ['leave-out', '今の愚痴、どこにも書き残さないでおいて'],
  ['forget-me', 'わたしに関する記憶を残らず処分して'],
  ['opt-out', '今後わたしの書き込みは拾わないでください'],
  ['none', '忘年会の店、もう決めた？'],
  ['none', 'この映画の主人公、最後に記憶を消されるの？'],
] as const)('%s: %s', (kind, text) => expect(decided(readFree(text, NAMES), false).kind).toBe(kind))

test.each([
  '@kiki dont keep that last bit pls',
  '@kiki could you leave my last message out of your notes? thanks so much',
  '@kiki quit logging my stuff man its creepy',
  '@kiki clear my data',
  '@kiki you can drop the stuff about my knee surgery now',
  'kiki pretend you didn’t see that',
  '@kiki 僕のは一切覚えないようにしてほしいです、これからずっと',
  '@kiki うちのデータ全消しで',
  'キキ、盗み聞きやめて。まじで',
  '@kiki 私を忘れてください',
])('is read, by the rules or by the model: %s', text => {
  expect(readOrder(text, NAMES)?.kind ?? decided(readFree(text, NAMES), false).kind).toMatch(
    /^(?:leave-out|forget|forget-me|opt-out)$/,
  )
})

test.each(['resume taking notes of what I write', '今日からまた、わたしの発言を記録していいですよ'])(
  'from a person who has opted out: %s',
  text => {
    expect(decided(readFree(text, NAMES), true).kind).toBe('opt-in')
    expect(decided(readFree(text, NAMES), false).kind).not.toBe('opt-in')
  },
)

test.each(['a', '「', '忘', 'forget me, ', '> ', '```', 'ﾞ', ', ', '\u{E011}'])(
  '40,000 characters of "%s" are read in 20 ms',
  piece => {
    const text = piece.repeat(40_000 / piece.length)
    const around = { author: 'alice', remembered: [text], said: [text] }
    readFree('warm up', NAMES, around)
    const times = Array.from({ length: 5 }, () => {
      const begin = process.cpuUsage().user
      readFree(text, NAMES, around)
      return (process.cpuUsage().user - begin) / 1_000
    })
    expect(Math.min(...times)).toBeLessThan(20)
  },
)

describe('in a whole bot', () => {
  test('what was said just before is left out, and the answer names it', async () => {
    await using r = await remembering()
    const mine = await r.bot.say('alice', 'my pin is 4821')
    const other = await r.bot.say('bob', 'ok')
    const order = await r.bot.say('alice', '@kiki no jotting down what I just wrote, please')
    expect(r.bot.sent.at(-1)).toMatch(/^I have left out the last message of alice: “my pin/)
    const { rows } = await r.bot.db.query<{ id: string }>('select id from kikimimi.left_out')
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([mine, order]))
    expect(rows.map(({ id }) => id)).not.toContain(other)
  })

  test('a topic that the memory has is forgotten', async () => {
    await using r = await remembering()
    await r.bot.say('alice', '@kiki remember that the aquarium opens at nine')
    await r.bot.say('alice', '@kiki chuck the aquarium out of your head, would you')
    expect(r.bot.sent.at(-1)).toMatch(/^Forgotten/)
    expect(await r.facts()).toEqual([])
  })

  test.each([
    ['네', true],
    ['아니요', false],
  ])('the bot asks whether to erase a person, and the answer %s counts', async (answer, isErased) => {
    const { offline } = await import('@kikimimi/offline')
    await using r = await remembering({ model: offline(), locale: 'ko' })
    const { bot } = r
    await bot.say('alice', 'I like tea')
    await bot.say('alice', '@kiki 나에 대해 잊어 줘. 내일 이사를 가거든')
    expect(bot.sent.at(-1)).toMatch(/^당신을 잊을까요/)
    await bot.pass('10s')
    await bot.say('alice', answer)
    await bot.pass('5m')
    expect((await r.logged()).includes('I like tea')).toBe(!isErased)
  })
})
