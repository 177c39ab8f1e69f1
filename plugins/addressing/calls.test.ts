import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import unseen from './fixtures/calls/unseen.json' with { type: 'json' }
import addressing from './index.ts'

const answer = definePlugin({ name: 'answer', setup: () => ({ respond: () => ({ kind: 'text', text: 'yes?' }) }) })

/** How each text addresses a bot of these names, each said in a channel of its own. */
async function addressed(names: readonly string[], texts: readonly string[]) {
  const [name = '', ...others] = names
  await using bot = await testBot({ persona: { name, names: others }, plugins: [addressing(), answer] })
  for (const [index, text] of texts.entries()) await bot.say('alice', text, { channel: `${index}` })
  return texts.filter((_, index) => bot.posted.some(({ channel }) => channel === `${index}`))
}

describe('a bot that is called anywhere in a sentence answers at once', () => {
  test.each([
    [
      ['kiki', 'キキ', 'きき', '키키'],
      [
        'nice, kiki what time does the ramen place close?',
        'what time is it in tokyo kiki?',
        'thanks kiki 🙏',
        'it failed again.\nkiki any ideas?',
        'うん、じゃあキキ教えて',
        'ねえきき',
        '教えてキキ🙏',
        '음 그럼 키키야 알려줘',
        'kiki is rui coming?',
        'kiki, is anna in the office?',
        'hey kiki did tom call?',
        'kiki does the bus still run?',
        'kiki ok do it',
        'leave me out kiki',
        'キキって雨降る？',
        'キキさあ、昨日の残りまだ食べられるかな',
        '久しぶりキキ',
        'kiki settle this for us',
        'kiki scrap the limes one, they got delivered already',
        'kiki, my shift starts at 11 tonight, can you remind me at 10 to pack',
        'kiki split 84.70 six ways',
        'wait kiki that link is dead',
        'what does LGTM mean kiki',
        'my bad kiki, that was my typo',
        'ほなキキ、あと頼むで',
        'じゃあキキは1章の要約やって',
        'キキ止まれ',
        'じゃあ最後、キキの一票は？',
        'キキも笑ってないで助けてよ',
        'キキさん、先生はどこですか？',
        'Kiki What time is it in Tokyo?',
        'やばい寝坊した、キキどうしよう',
        '嘘つくなキキ',
        'いいからkiki早く探して',
      ],
    ],
    [['陸'], ['陸、いる？', 'ねえ陸、明日何時から？', '陸今どこ？']],
    [['葵'], ['ありがと葵！', '葵ちゃんはどれが好き？']],
  ])('%j', async (names, texts) => expect(await addressed(names, texts)).toEqual(texts))
})

describe('a bot that is talked about, quoted or not named stays quiet', () => {
  test.each([
    [
      ['kiki', 'キキ', 'きき', '키키'],
      [
        'kiki said so yesterday',
        'kiki: command not found',
        '“kiki, are you there?” is what she wrote',
        '＞ kiki, are you there?',
        'you should ask kiki',
        'キキってすごいよね',
        '「キキ、教えて」って言えばいいよ',
        '聞きたいことがある',
        'この薬ききめある？',
        '키키한테 물어봐',
        'kiki is down again',
        'kiki did it again lol',
        'kiki was down all night, dan is looking into it',
        'poor kiki had to explain it again',
        'can you mute kiki?',
        'キキには内緒にしといて',
        'キキ・スミスの展示、行かない？',
        'kiki gave me the link',
        'kiki never understands my accent',
        'Kiki Smith has a show downtown, anyone want to go?',
        'はるかさん、kikiってスマホでも使える？',
        'KIKI株式会社の請求書、届いてますか',
        'carol, could you check whether kiki has the new prompt?',
        'Kiki from accounting needs your receipts by tomorrow',
        'キキいらなくね？って部長が言ってた',
        '先生、キキさんはロボットですか？',
        '@kiki開発チーム ログ確認お願いします',
        'キキは昨日から調子悪くて',
        'キキ（先輩のほう）は今日休みです',
      ],
    ],
    [['陸'], ['大陸の話、聞いた？', '陸に上がろう']],
    [['葵'], ['葵祭に行った？', '葵の答えが好き']],
  ])('%j', async (names, texts) => expect(await addressed(names, texts)).toEqual([]))
})

test('further names stand in the options', async () => {
  await using bot = await testBot({ persona: { name: 'kiki' }, plugins: [addressing({ names: ['ears'] }), answer] })
  await bot.say('alice', 'ears, are you there?')
  expect(bot.sent).toEqual(['yes?'])
  expect(await bot.trace()).toMatchObject({ addressed: 'name', decision: { why: 'addressed by name' } })
})

// Written by somebody who knew neither the rules nor their tests.
test.each(['en', 'ja'] as const)('of unseen wordings at least 95 %% are read as people mean them: %s', async language => {
  const wrong: string[] = []
  for (const [name, rows] of Map.groupBy(unseen[language], row => row.name)) {
    const called = await addressed(
      [name],
      rows.map(({ text }) => text),
    )
    wrong.push(
      ...rows.flatMap(({ text, call }) => (called.includes(text) === call ? [] : [`${call ? 'missed' : 'false'}: ${text}`])),
    )
  }
  expect(1 - wrong.length / unseen[language].length, wrong.join('\n')).toBeGreaterThanOrEqual(0.95)
})
