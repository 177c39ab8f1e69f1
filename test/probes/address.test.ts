import { probes } from './probe.ts'

probes('Address', [
  {
    id: '1',
    name: 'who mentions it and asks is answered, soon',
    cast: { takes: { chat: '2s' } },
    en: [
      `
      alice: morning everyone
      bob: did the build go through?
      alice: yes, twenty minutes ago
      carol: @kiki which version is on staging right now?
      (10s)
      dave: lunch at noon works for me
      bob: @kiki how long does the migration usually take?`,
      `
      mia: the printer on the second floor is out of paper again
      tom: @kiki could you tell me where they keep the spare toner?
      (40s)
      mia: I put in a new stack
      tom: hey @kiki and who do I call about the scanner`,
    ],
    ja: [
      `
      花子: おはようございます
      太郎: ビルドは通った？
      花子: 20分前に通りました
      次郎: @kiki いまステージングに出ているのはどのバージョン？
      (10s)
      三郎: 12時にお昼にしましょう
      太郎: @kiki 移行はふだんどれくらいかかりますか？`,
      `
      美咲: 2階のプリンタ、また紙切れです
      健: @kiki 予備のトナーってどこにあるか教えてもらえる？
      (40s)
      美咲: 新しい紙を入れておきました
      健: ねえ @kiki スキャナのことは誰に聞けばいいの`,
    ],
    expect: { texts: 2, p95: '3s' },
  },
  {
    id: '2',
    name: 'a sentence about it, with its name, is not for it',
    en: [
      `
      alice: I still wonder about the timeouts
      bob: I think kiki was right about that yesterday`,
      `
      mia: no idea how to reset my password
      tom: somebody said kiki explained it last week, scroll up a bit`,
      `
      alice: since we got kiki the channel has become a lot more lively
      bob: true, I like it`,
    ],
    ja: [
      `
      花子: タイムアウトの件がまだ気になる
      太郎: 昨日キキが言ってたやつ、合ってたと思う`,
      `
      美咲: パスワードの戻し方がわからないんだよね
      健: 先週キキが説明してたらしいから、少し上を見てみて`,
      `
      花子: キキが来てからこのチャンネルにぎやかになったよね
      太郎: わかる、けっこう好き`,
    ],
    expect: { reactions: [0, 1] },
  },
  {
    id: '3',
    name: 'its name within another word or in a quoted line calls on nobody',
    en: [
      `
      alice: the kikimimi repository has moved
      bob: > kiki, are you there?⏎that was last Tuesday`,
      `
      mia: we had dinner at Kikiriki, the chicken is great
      tom: the script is called kiki.sh and lives in tools`,
    ],
    ja: [
      `
      花子: キキララのグッズを買いました
      太郎: > キキ、これ教えて⏎って書いたのは先週の火曜です`,
      `
      美咲: ききょうの花が咲きました
      健: スキキライの多い子なんです`,
    ],
    expect: {},
  },
  {
    id: '4',
    name: 'who mentions somebody else asks somebody else, though the bot is in the talk',
    en: [
      `
      alice: @kiki when is the release?
      (15s)
      alice: @bob did you see the mail from the customer?`,
      `
      tom: @kiki what does error 502 mean?
      (15s)
      mia: @tom can you have a look at the proxy?`,
    ],
    ja: [
      `
      花子: @kiki リリースはいつ？
      (15s)
      花子: @太郎 お客さんのメール見た？`,
      `
      健: @kiki エラー502ってどういう意味ですか？
      (15s)
      美咲: @健 プロキシを見てもらえますか？`,
    ],
    expect: { texts: 1 },
  },
  {
    id: '5',
    name: 'who mentions it and somebody else gets one answer from it',
    en: [`alice: @kiki @bob which of the two drafts is better?`, `tom: @mia and @kiki, what would you bring to the picnic?`],
    ja: [`花子: @kiki @太郎 どっちの案がいいと思う？`, `健: @美咲 と @kiki に聞きたいんだけど、ピクニックに何を持っていく？`],
    expect: { texts: 1, covers: 1 },
  },
  {
    id: '6',
    name: 'who replies to its words is answered, without a name',
    en: [
      `
      alice: @kiki where is the manual?
      (15m)
      bob: I am back from the meeting
      carol > kiki: is that the latest edition?`,
      `
      tom: @kiki how do I make tea for twelve?
      (20m)
      tom > kiki: that came out too strong, use less next time or longer?`,
    ],
    ja: [
      `
      花子: @kiki マニュアルはどこですか？
      (15m)
      太郎: 会議から戻りました
      次郎 > kiki: それは最新版ですか？`,
      `
      健: @kiki 12人分のお茶ってどう淹れるの？
      (20m)
      健 > kiki: ちょっと濃すぎたんだけど、次は減らせばいい？`,
    ],
    expect: { texts: 2 },
  },
  {
    id: '7',
    name: 'who calls everybody does not call the bot',
    en: [
      `alice: @everyone who can take the on-call shift on Friday?`,
      `
      tom: @kiki what day is it?
      (15s)
      mia: @here can somebody open the door downstairs?`,
    ],
    ja: [
      `花子: @everyone 金曜の当番を代われる人いますか？`,
      `
      健: @kiki 今日は何曜日？
      (15s)
      美咲: @here 下の扉を開けてもらえますか？`,
    ],
    expect: { texts: [0, 1], because: /speaks to somebody else/ },
  },
  {
    id: '8',
    name: 'a question of its partner right after its words is for it',
    en: [
      `
      alice: @kiki which port does the service use?
      (20s)
      alice: and how do I change it?`,
      `
      bob: heading out for coffee
      tom: @kiki what goes well with rhubarb?
      (20s)
      tom: hmm, I am allergic to strawberries. anything else`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (20s)
      花子: それってどうやって変えるの？`,
      `
      太郎: コーヒー買ってきます
      健: @kiki ルバーブに合うものって何？
      (20s)
      健: いちごはアレルギーなんだよね。ほかには`,
    ],
    expect: { texts: 2 },
  },
  {
    id: '9',
    name: 'a question of a third person about its answer is for it',
    en: [
      `
      alice: @kiki which port does the service use?
      (15s)
      bob: is that the same on staging?`,
      `
      tom: @kiki when was the library founded?
      (20s)
      mia: wasn't that a different building back then?`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (15s)
      太郎: それってステージングでも同じですか？`,
      `
      健: @kiki 図書館ができたのはいつ？
      (20s)
      美咲: そのころは別の建物じゃなかった？`,
    ],
    expect: { texts: 2 },
  },
  {
    id: '10',
    name: 'a nod of its partner wants no words',
    en: [
      `
      alice: @kiki which port does the service use?
      (10s)
      alice: ok`,
      `
      tom: @kiki what goes well with rhubarb?
      (15s)
      tom: ah got it, cheers!`,
      `
      mia: @kiki is the pool open today?
      (10s)
      mia: makes sense 👍`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (10s)
      花子: うん`,
      `
      健: @kiki ルバーブに合うものって何？
      (15s)
      健: なるほどね〜、ありがと！`,
      `
      美咲: @kiki 今日プールは開いてる？
      (10s)
      美咲: 了解でーす👍`,
    ],
    expect: { texts: 1, reactions: [0, 1] },
  },
])
