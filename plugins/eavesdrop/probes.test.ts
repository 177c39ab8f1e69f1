import { describe, expect, test } from 'vitest'
import { listening, MORE, mind, QUARREL, talk } from './test-listener.ts'

describe('the examples of the first design, with the default options and a model that would always join in', () => {
  test.each([
    ['an ordinary talk', 0, 'alice: こんにちは\nbob: こんにちは'],
    [
      'a quarrel',
      1,
      `alice: イベント運営について注意喚起があります
       bob: 了解しました
       alice: でも、この前のイベントで問題があった
       bob: それは誤解です`,
    ],
    ['a talk that ends', 0, 'alice: 以上です\nbob: 了解しました'],
  ])('%s: %i', async (_, interventions, lines) => {
    await using bot = await listening(mind({ state: 'MISUNDERSTANDING', verdict: 'YES' }), {}, { locale: 'ja' })
    await talk(bot, lines)
    await bot.pass('10m')
    expect(bot.sent).toHaveLength(interventions)
  })
})

describe.each(['en', 'ja'] as const)('in %s', locale => {
  const quarrel = QUARREL[locale]

  test('a heated pair that cools down after two messages: the bot waits, then is silent', async () => {
    const judge = mind({ state: ['CONFLICT', 'CONFLICT', 'ENDING'], verdict: 'YES' })
    await using bot = await listening(judge, { wait: { messages: [3, 3] } }, { locale })
    await talk(bot, quarrel)
    expect(await bot.trace()).toMatchObject({ outcome: 'delayed', decision: { plugin: 'eavesdrop', kind: 'full' } })
    await talk(bot, { en: 'bob: you always say that, stop it', ja: 'bob: いつもそうやって人のせいにする' }[locale])
    expect(await bot.trace()).toMatchObject({ outcome: 'delayed' })
    await talk(bot, { en: 'alice: sorry, I was rude. my fault too', ja: 'alice: ごめん、言いすぎた。私のせいでもある' }[locale])
    expect(await bot.trace()).toMatchObject({
      outcome: 'silent',
      decision: { why: 'ENDING · the talk is ending · plan cancelled' },
    })
    await bot.pass('10m')
    expect(bot.sent).toEqual([])
    expect(judge.steps).not.toContain('answer')
  })

  test('a heated pair that cools down to small talk: no further question to the model', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES' })
    await using bot = await listening(judge, { wait: { messages: [9, 9] } }, { locale })
    await talk(bot, quarrel)
    const asked = judge.steps.length
    const calm = {
      en: 'okay\nalice: okay\nbob: coffee\nalice: gladly\nbob: at three\nalice: see you',
      ja: 'そうだね\nalice: うん\nbob: お茶\nalice: 行こう\nbob: 三時\nalice: わかった',
    }
    await talk(bot, `bob: ${calm[locale]}`)
    await bot.pass('10m')
    expect(judge.steps).toHaveLength(asked)
    expect(bot.sent).toEqual([])
  })

  test('an escalating pair with insults: exactly one intervention, and no second one in the same conversation', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', same: 'SAME', answer: 'One at a time.' })
    await using bot = await listening(judge, { minInterval: 0 }, { locale })
    await talk(bot, quarrel)
    expect(bot.sent).toEqual([])
    await talk(bot, MORE[locale])
    await talk(bot, MORE[locale])
    expect(bot.sent).toEqual(['One at a time.'])
    for (let round = 0; round < 4; round++) await talk(bot, MORE[locale])
    await bot.pass('10m')
    await talk(bot, MORE[locale])
    await bot.pass('10m')
    expect(bot.sent).toEqual(['One at a time.'])
    expect(judge.steps).toContain('same')
  })

  test('a pair that falls silent in anger: an intervention after a wait of one to two minutes', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', answer: 'One at a time.' })
    await using bot = await listening(judge, {}, { locale })
    await talk(bot, quarrel)
    await bot.pass('45s')
    expect(bot.sent).toEqual([])
    await bot.pass('75s')
    expect(bot.sent).toEqual(['One at a time.'])
    // The judgement stayed valid during the wait.
    expect(judge.steps).toEqual(['state', 'verdict', 'answer'])
  })

  test('a constructive technical disagreement: silent', async () => {
    const judge = mind({ state: 'ACTIVE', verdict: 'NO' })
    await using bot = await listening(judge, {}, { locale })
    await talk(
      bot,
      {
        en: `
        alice: I would take Postgres for the queue
        bob: I disagree, Redis is faster under load
        alice: that's not right for us, we need it to survive a crash
        bob: good point, let me measure both`,
        ja: `
        alice: キューはPostgresがいいと思う
        bob: 私は反対です。負荷が高いとRedisのほうが速い
        alice: いや、クラッシュしても残る必要があるので、それは違う
        bob: 速度の点は納得できないけど、両方測ってみます`,
      }[locale],
    )
    await bot.pass('10m')
    expect(bot.sent).toEqual([])
    expect(judge.steps).toEqual(['state', 'verdict'])
    expect((await bot.trace()).decision).toEqual({ kind: 'silent', why: 'ACTIVE · NO', plugin: 'eavesdrop' })
  })

  test('a misunderstanding without heat: one judgement, and help at once', async () => {
    const judge = mind({ state: 'MISUNDERSTANDING', verdict: 'YES', answer: 'Alice means Friday, Bob means the release.' })
    await using bot = await listening(judge, {}, { locale })
    await talk(
      bot,
      {
        en: `
        alice: so we meet on Friday
        bob: oh, I thought you meant the release was on Friday
        alice: hm, which of the two were we talking about`,
        ja: `
        alice: じゃあ金曜に集合で
        bob: あ、金曜はリリースの話だと思ってました
        alice: うーん、どっちの話をしてたんだっけ`,
      }[locale],
    )
    expect(judge.steps).toEqual(['state', 'verdict', 'answer'])
    expect(bot.sent).toEqual(['Alice means Friday, Bob means the release.'])
    expect(bot.posted[0]).not.toHaveProperty('replyTo')
  })

  test('a question that nobody answers gets an answer', async () => {
    const judge = mind({ verdict: 'YES', answer: 'Try turning it off and on.' })
    await using bot = await listening(judge, {}, { locale })
    await talk(
      bot,
      {
        en: `
        alice: the deploy hangs since noon
        bob: mine went through
        alice: I am stuck, any ideas`,
        ja: `
        alice: 昼からデプロイが止まったまま
        bob: こっちは通った
        alice: 困った、誰か分かる人`,
      }[locale],
    )
    expect(bot.sent).toEqual(['Try turning it off and on.'])
  })

  test('a busy calm channel: a short question to the model after ten messages, then after twenty more', async () => {
    const judge = mind({ state: 'ACTIVE', verdict: 'YES' })
    await using bot = await listening(judge, {}, { locale })
    const lines = {
      en: ['good morning', 'I had noodles for lunch', 'nice!!', 'the new office has plants', 'no problem', 'see you at three'],
      ja: ['おはようございます', '昼はうどんでした', 'いいね！！', '新しいオフィスに植物がある', '了解です', 'では三時に'],
    }[locale]
    for (let round = 0; round < 6; round++)
      await talk(bot, lines.map((line, at) => `${['alice', 'bob', 'carol'][at % 3]}: ${line}`).join('\n'))
    expect(judge.steps).toEqual(['state', 'state'])
    expect(bot.sent).toEqual([])
  })

  test('a quarrel without signs is noticed within ten messages', async () => {
    const judge = mind({ state: 'CONFLICT', verdict: 'YES', answer: 'One at a time.' })
    await using bot = await listening(judge, {}, { locale })
    const lines = {
      en: ['turn down the music', 'two in the afternoon', 'I work nights, remember', 'a pity', 'a pity indeed', 'buy earplugs'],
      ja: ['音下げて', 'まだ昼だよ', '夜勤なの知ってるよね', '残念だね', 'ほう', '耳栓買ったら'],
    }[locale]
    const round = lines.map((line, at) => `${at % 2 ? 'bob' : 'alice'}: ${line}`).join('\n')
    await talk(bot, round)
    expect(judge.steps).toEqual([])
    await talk(bot, round)
    expect(judge.steps).toEqual(['state', 'verdict'])
    await bot.pass('2m')
    expect(bot.sent).toEqual(['One at a time.'])
  })
})

test('a private exchange of two people for forty lines: no intervention', async () => {
  const judge = mind()
  await using bot = await listening(judge)
  for (let line = 0; line < 20; line++) await talk(bot, `alice: and then he said ${line}\nbob: did he?`)
  expect(bot.sent).toEqual([])
})
