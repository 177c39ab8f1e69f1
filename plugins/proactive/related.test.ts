/**
 * Measures relevance with typical first messages. The facts of a language share one memory, so each message can match any
 * of
 * them.
 */
import { describe, expect, test } from 'vitest'
import { woken } from './test-bot.ts'

const SETS = {
  en: {
    facts: [
      'alice adopted a kitten called Momo last month',
      'bob ran his first marathon in four hours in Berlin',
      'the staging server is rebuilt every Monday morning',
      'carol bakes sourdough bread every Sunday',
      'dave is allergic to peanuts',
      'the CI was slow because the Docker layer cache was not used',
      'frank plays bass in a jazz band on Fridays',
      'the team trip goes to Kyoto in October',
      'grace built a split keyboard with brown switches',
      'heidi is learning Rust and fought the borrow checker for three hours',
      'ken goes camping in the mountains and bought a new tent',
      'judy reads science fiction, mostly Le Guin',
      'the release was moved from Thursday to Tuesday',
      'rupert drives an electric car and charges it at work',
      'sybil grows chili peppers on her balcony',
    ],
    related: [
      ['morning! our kitten kept me up all night', 'alice adopted a kitten called Momo last month'],
      ['I signed up for a marathon yesterday, no idea how to train', 'bob ran his first marathon in four hours in Berlin'],
      ['is the staging server down again?', 'the staging server is rebuilt every Monday morning'],
      ['my sourdough never rises, any tips?', 'carol bakes sourdough bread every Sunday'],
      ['can I bring something with peanuts to the party?', 'dave is allergic to peanuts'],
      ['docker builds take forever today', 'the CI was slow because the Docker layer cache was not used'],
      ['anyone up for live jazz?', 'frank plays bass in a jazz band on Fridays'],
      ['has anybody been to Kyoto?', 'the team trip goes to Kyoto in October'],
      ['thinking about a new keyboard', 'grace built a split keyboard with brown switches'],
      ['learning Rust this weekend, wish me luck', 'heidi is learning Rust and fought the borrow checker for three hours'],
      ['going camping this weekend', 'ken goes camping in the mountains and bought a new tent'],
      ['any good science fiction to read?', 'judy reads science fiction, mostly Le Guin'],
      ['when is the next release?', 'the release was moved from Thursday to Tuesday'],
      ['is it worth buying an electric car?', 'rupert drives an electric car and charges it at work'],
      ['our balcony is so empty, what should I grow', 'sybil grows chili peppers on her balcony'],
    ],
    unrelated: [
      'good morning',
      'hi everyone, how was your weekend?',
      'I was late every Monday this month',
      'bought new shoes yesterday',
      'three hours of meetings today',
      'happy friday!',
      'reading the docs now',
      'is anybody at work?',
      'ran into my old boss last Sunday',
      'the printer is out of paper again',
      'moved my desk to the window',
      'I have four tickets for Thursday, who wants to come?',
      'my first day back, what did I miss in October?',
      'so slow today, I need a break',
      'somebody built a wall in front of my house',
    ],
  },
  ja: {
    facts: [
      '田中さんは猫を2匹飼っていて、名前はモモとクロ',
      '林さんは最近キャンプにハマっていて、焚き火台を新しく買った',
      '坂本さんの好きなラーメンは家系で、麺は硬め',
      '岡田さんは花粉症がひどく、春は在宅勤務にしている',
      '太田さんはサウナ好きで、週末は必ず銭湯に行く',
      'CIが遅い原因はDockerのレイヤーキャッシュが効いていないことだった',
      'UserAが初めてRustで非同期処理を書いたとき、コンパイルエラーに3時間ハマった',
      '吉田さんはキーボードを自作していて、HHKBより自作の分割キーボードが好み',
      '小林さんはフルマラソンを3時間半で完走したことがある',
      '長谷川さんは甘いものに目がなく、特に抹茶スイーツ',
      '次の社員旅行の行き先は沖縄に決まった',
      '森さんはギターを弾く。学生時代はバンドでベースだった',
      'リリース作業は火曜日の10時開始に変更になった',
      '後藤さんはボードゲーム会を毎月第2金曜に開いている',
      '木村さんは週3日リモート勤務で、出社は火曜と木曜',
    ],
    related: [
      ['おはようございます。うちの猫が朝からうるさくて寝不足です', '田中さんは猫を2匹飼っていて、名前はモモとクロ'],
      [
        '週末ひさしぶりにキャンプ行こうと思ってて、何持ってけばいいかな',
        '林さんは最近キャンプにハマっていて、焚き火台を新しく買った',
      ],
      ['今日のお昼ラーメンにしようかな', '坂本さんの好きなラーメンは家系で、麺は硬め'],
      ['花粉がやばい。目がかゆい', '岡田さんは花粉症がひどく、春は在宅勤務にしている'],
      ['最近サウナに週2回行ってる', '太田さんはサウナ好きで、週末は必ず銭湯に行く'],
      ['Dockerのビルドが遅いんだけど', 'CIが遅い原因はDockerのレイヤーキャッシュが効いていないことだった'],
      ['Rust始めてみたけど全然わからん', 'UserAが初めてRustで非同期処理を書いたとき、コンパイルエラーに3時間ハマった'],
      ['新しいキーボード欲しいなあ', '吉田さんはキーボードを自作していて、HHKBより自作の分割キーボードが好み'],
      ['フルマラソンに申し込んじゃった', '小林さんはフルマラソンを3時間半で完走したことがある'],
      ['抹茶アイス食べたい', '長谷川さんは甘いものに目がなく、特に抹茶スイーツ'],
      ['沖縄って何月がいいんだろう', '次の社員旅行の行き先は沖縄に決まった'],
      ['ギター練習し始めたけど指が痛い', '森さんはギターを弾く。学生時代はバンドでベースだった'],
      ['次のリリースいつだっけ', 'リリース作業は火曜日の10時開始に変更になった'],
      ['ボードゲームやりたい', '後藤さんはボードゲーム会を毎月第2金曜に開いている'],
      ['バンド組んでみたいなあ', '森さんはギターを弾く。学生時代はバンドでベースだった'],
    ],
    unrelated: [
      'おはようございます',
      'お疲れさまです、今日もよろしくお願いします',
      '週末は何してた？',
      '火曜の夜は空いてる？',
      '新しい靴を買った',
      '必ず読んでおいてください',
      '歯医者行ってきます',
      '今日は寒いですね',
      '電車遅れてるので少し遅れます',
      '好きな色は何？',
      '春が来たね',
      '学校から電話が来た',
      '毎月の報告書、誰が書いてる？',
      '会議が長引いた',
      '目薬どこに置いたっけ',
    ],
  },
} as const

describe.each(['en', 'ja'] as const)('in %s', locale => {
  const { facts, related, unrelated } = SETS[locale]

  test('14 of 15 first messages with a topic bring up its fact and no other; 15 without a topic bring up nothing', async () => {
    await using w = await woken({ interval: 0, delay: 0, perDay: { channel: 1_000, bot: 1_000 } }, { locale })
    for (const one of facts) await w.know(one)
    const openers = [...related, ...unrelated.map(text => [text, undefined] as const)]
    for (const at of openers.keys()) await w.bot.say('bob', 'hi', { channel: `c${at}` })
    await w.bot.pass('2d')
    const wrong: unknown[] = []
    let found = 0
    for (const [at, [text, expected]] of openers.entries()) {
      const before = w.broughtUp.length
      await w.bot.say('zoe', text, { channel: `c${at}` })
      await w.bot.pass('6s')
      const broughtUp = w.broughtUp.slice(before)
      if (broughtUp[0] === expected) found += broughtUp.length
      else if (broughtUp.length > 0) wrong.push([text, broughtUp])
    }
    expect(wrong).toEqual([])
    expect(found).toBeGreaterThanOrEqual(14)
  })
})
