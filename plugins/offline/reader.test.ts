/** The first conversation with a bot that has no key. */
import addressing from '@kikimimi/addressing'
import facts from '@kikimimi/facts'
import profiles from '@kikimimi/profiles'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'

const PICNIC = ["mika: hi everyone, I'm planning the picnic for Saturday", 'tom: nice! where?', 'mika: Yoyogi park, at 11']

/** What the bot answers to the last of these lines, `name: text`. */
async function answerTo(lines: readonly string[], pause = '20s' as const): Promise<string | undefined> {
  await using bot = await testBot({ plugins: [addressing(), reply()], persona: { name: 'kiki', names: ['キキ'] } })
  for (const line of lines) {
    const [name = '', ...text] = line.split(': ')
    await bot.say(name, text.join(': '))
    await bot.pass(pause)
  }
  return bot.sent.at(-1)
}

describe('a question is answered with the line that has such an answer', () => {
  test.each<[lines: readonly string[], answer: string]>([
    [[...PICNIC, 'tom: kiki, where is the picnic?'], 'mika answered your “nice! where?”: “Yoyogi park, at 11”.'],
    [
      [...PICNIC, 'ana: キキ、土曜日のピクニックどこだっけ？'],
      'mikaさんが、tomさんの「nice! where?」に「Yoyogi park, at 11」と答えていました。',
    ],
    [[...PICNIC, 'ana: 키키, 피크닉은 어디야? @kiki'], 'mika 님이 tom 님의 “nice! where?”에 “Yoyogi park, at 11” 라고 답했어요.'],
    [
      [...PICNIC, 'tom: kiki, where is the picnic?', 'tom: kiki, and when?'],
      "mika said: “hi everyone, I'm planning the picnic for Saturday”.",
    ],
    [
      [...PICNIC, 'mika: actually, let’s make it noon', 'tom: kiki, what time is the picnic?'],
      'mika said: “actually, let’s make it noon”.',
    ],
    [
      ['bob: dinner at the Italian place on Friday?', 'eve: sounds good', 'joe: kiki, when is dinner?'],
      'eve answered bob’s “dinner at the Italian place on Friday?”: “sounds good”.',
    ],
    [
      ['민수: 회의는 금요일 세 시예요', '지영: 네', '지영: @kiki 회의가 언제예요?'],
      '민수 님이 “회의는 금요일 세 시예요” 라고 말했어요.',
    ],
    [
      [
        'ann: standup is at 9:30 tomorrow',
        'bo: can we push it? I have a call until 10',
        'ann: ok, 10:15 then',
        'ann: kiki, what time is the standup?',
      ],
      'You answered bo’s “can we push it? I have a call until 10”: “ok, 10:15 then”.',
    ],
    [
      ['yara: I fed the fish this morning', 'zane: thanks', 'wes: kiki, has someone fed the fish?'],
      'yara said: “I fed the fish this morning”.',
    ],
    [
      [
        '剛: 花見は日曜でいい？',
        '恵: 日曜は雨みたい',
        '剛: じゃあ土曜にしようか',
        '恵: うん、土曜で',
        '恵: キキ、花見は何曜日？',
      ],
      'あなたが、剛さんの「じゃあ土曜にしようか」に「うん、土曜で」と答えていました。',
    ],
    [
      [
        "carla: Marco's flight lands at 10:40",
        'ivo: I pick him up',
        'ivo: terminal?',
        'carla: 2',
        'ivo: kiki, which terminal does Marco arrive at?',
      ],
      'carla answered your “terminal?”: “2”.',
    ],
    [
      [
        'sam: the raid is on Monday',
        'lea: can I come?',
        'sam: sure, we meet at the stone bridge',
        'lea: kiki, where do we meet for the raid?',
      ],
      'sam answered your “can I come?”: “sure, we meet at the stone bridge”.',
    ],
    [
      ['ana: did anyone feed the cat?', 'rolf: I did at 7', 'tom: kiki, when did Rolf feed the cat?'],
      'rolf answered ana’s “did anyone feed the cat?”: “I did at 7”.',
    ],
    [
      ['健: 歓迎会は金曜、新宿の「花の舞」でやります', '恵: キキ、歓迎会の場所は？'],
      '健さんが「歓迎会は金曜、新宿の花の舞でやります」と言っていました。',
    ],
    [
      ['花: 鍵は玄関の棚に置いたよ', '光: ありがとう', '光: キキ、鍵どこ？'],
      '花さんが「鍵は玄関の棚に置いたよ」と言っていました。',
    ],
  ])('%j', async (lines, answer) => {
    expect(await answerTo(lines)).toBe(answer)
  })
})

describe('without an answer it says so', () => {
  test.each<[lines: readonly string[], answer: RegExp]>([
    [
      [
        "leo: I'll pick up more tape after work",
        'sara: thanks! the new address is 12 Elm Street',
        'leo: kiki, where is the tape?',
      ],
      /^I don't know: I find no answer about “tape”/,
    ],
    [
      [...PICNIC, 'tom: kiki, how much is the picnic?'],
      /^I don't know: I find no answer about “picnic” in what was said\. I'm only the offline model\. Set GOOGLE/,
    ],
    [
      [...PICNIC, 'ana: キキ、ピクニックの幹事は誰？'],
      /^わかりません。「ピクニック、幹事」についての答えは、会話の中に見つかりませんでした。/,
    ],
    [
      ['ivan: somebody left the door unlocked', 'jen: not me, I left at 6', 'ivan: kiki, who left the door unlocked?'],
      /^I don't know: I find no answer about/,
    ],
    [['gus: the fair opened last weekend', 'gus: kiki, when does the fair close?'], /^I don't know: I find no answer about/],
    [['ann: dinner on Friday is at 7', 'ann: kiki, what time is dinner on Saturday?'], /^I don't know: I find no answer about/],
    [['ann: the market was at 9 yesterday', 'bo: kiki, what time is the market?'], /^I don't know: I find no answer about/],
    [['ann: next week the choir will sing in Leeds', 'bo: kiki, where did the choir sing?'], /^I don't know: I find no answer/],
    [['ann: my flight lands at 6', "bo: kiki, when does Carla's flight land?"], /^I don't know: I find no answer about/],
    [
      ['花: 誰か太鼓を運べる？', '光: 用事があって無理', '花: キキ、太鼓は誰が運ぶの？'],
      /^わかりません。「太鼓、運ぶ」についての答えは、会話の中に見つかりませんでした。/,
    ],
    // The name after the call is no apposition: “kiki, is Ben …?” asks the bot.
    [['ana: the play is on Friday', 'tom: kiki, is Ben coming to the play?'], /^I don't know: I find no answer about/],
    // An order to the bot is no answer.
    [['ann: kiki, tell me a joke', 'bo: キキ、来られないのは誰？'], /^わかりません。/],
    [['健: 歓迎会は来週の金曜、19時からです', '恵: キキ、歓迎会の会費は？'], /^わかりません。/],
    [["sven: if I win the lottery I'm buying a yacht", 'ann: kiki, did sven win the lottery?'], /^I don't know/],
    [['ann: I take the dog to the vet at 4', 'ann: kiki, what time is it?'], /^I cannot do that without a model\. /],
    [['花: 犬を4時に病院へ連れて行く', '花: キキ、今何時？'], /^それは、モデルなしではできません。/],
    [[...PICNIC, 'tom: kiki, write a poem about the picnic'], /^I cannot do that without a model\. /],
    [[...PICNIC, 'ana: キキ、案内状を書いて'], /^それは、モデルなしではできません。/],
  ])('%j', async (lines, answer) => {
    expect(await answerTo(lines)).toMatch(answer)
  })

  test('it names the key once an hour', async () => {
    await using bot = await testBot({ plugins: [addressing(), reply()] })
    const asked = async () => {
      await bot.say('tom', 'kiki, who has the tickets?')
      return bot.sent.at(-1)?.includes('GOOGLE_API_KEY')
    }
    const named: (boolean | undefined)[] = []
    for (let minutes = 0; minutes <= 65; minutes += 5) {
      named.push(await asked())
      await bot.pass('5m')
    }
    expect(named).toEqual([true, ...Array(11).fill(false), true, false])
  })
})

describe('a summary has the lines that tell most, with their speakers', () => {
  test('in English', async () => {
    expect(await answerTo([...PICNIC, 'ana: great', 'tom: kiki, who are you?', 'tom: kiki, summarize what we said'])).toBe(
      "Here is what was said: mika: “hi everyone, I'm planning the picnic for Saturday” mika: “Yoyogi park, at 11”",
    )
  })

  test('in Japanese', async () => {
    expect(
      await answerTo(['花: 会議は金曜の3時です', '光: 了解', '花: 場所は新宿のオフィスです', '光: キキ、ここまでをまとめて']),
    ).toBe('これまでの話です。花「会議は金曜の3時です」花「場所は新宿のオフィスです」')
  })
})

test('a message of another channel is quoted from memory, with its age', async () => {
  await using bot = await testBot({ plugins: [addressing(), facts(), reply()] })
  await bot.say('mika', 'the picnic is in Yoyogi park', { channel: 'plans' })
  await bot.say('tom', 'which bus goes to the museum?', { channel: 'plans' })
  await bot.say('mika', 'bus 42', { channel: 'plans' })
  await bot.pass('3h')
  await bot.say('ana', 'kiki, where is the picnic?')
  expect(bot.sent.at(-1)).toBe('As far as I remember: mika said “the picnic is in Yoyogi park” (3 hours ago).')
  await bot.say('ana', 'kiki, which bus goes to the museum?')
  expect(bot.sent.at(-1)).toBe('mika answered tom’s “which bus goes to the museum?”: “bus 42”.')
})

test('a private message is not told elsewhere', async () => {
  await using bot = await testBot({ plugins: [addressing(), facts(), reply()] })
  await bot.say('mika', 'the picnic is in Yoyogi park', { channel: 'secret', visibility: 'private' })
  await bot.pass('3h')
  await bot.say('ana', 'kiki, where is the picnic?')
  expect(bot.sent.at(-1)).not.toContain('Yoyogi')
})

test('the topics of the last talk are no answer', async () => {
  await using bot = await testBot({ plugins: [addressing(), facts(), profiles(), remember(), reply()] })
  await bot.say('alice', '@kiki remember that the green key opens the boathouse')
  await bot.say('alice', 'and my tomatoes on the balcony are red')
  await bot.pass('2d')
  await bot.say('alice', '@kiki what opens the boathouse?')
  expect(bot.sent.at(-1)).toMatch(/the green key opens the boathouse/)
})
