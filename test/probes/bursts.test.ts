import { probes } from './probe.ts'

/** An answer takes ten seconds, and people go on talking. */
const thinking = { takes: { chat: '10s' } } as const

probes('Bursts', [
  {
    id: '11',
    name: 'three lines in a few seconds, the question in the second: one answer for all of them',
    en: [
      `
      alice: @kiki which database do we use?
      (30s)
      alice: I moved the reports to the new host
      alice: any idea why they take so long now?
      alice: they used to be done in a minute`,
      `
      tom: @kiki what is a good hike around here?
      (25s)
      tom: we went up there last summer with my parents
      tom: is the hut at the top still open in winter?
      tom: my dad loved the soup`,
    ],
    ja: [
      `
      花子: @kiki うちのデータベースって何だっけ？
      (30s)
      花子: 集計を新しいサーバーに移したんだけど
      花子: なんでこんなに遅くなったんだろう？
      花子: 前は1分で終わってたのに`,
      `
      健: @kiki このへんでいい山ってある？
      (25s)
      健: 去年の夏に両親と登ったところだ
      健: 冬も山小屋はやってるのかな？
      健: 父がスープを気に入ってて`,
    ],
    expect: { texts: 2, covers: 3 },
  },
  {
    id: '11b',
    name: 'three lines in a few seconds, the bot called in the second: one answer',
    cast: thinking,
    en: [
      `
      alice: I moved the reports to the new host
      alice: @kiki any idea why they take so long now?
      alice: they used to be done in a minute`,
      `
      tom: we want to go up there on Sunday
      tom: @kiki is the hut at the top open in winter?
      tom: my dad loves their soup`,
    ],
    ja: [
      `
      花子: 集計を新しいサーバーに移したんだけど
      花子: @kiki なんでこんなに遅くなったんだろう？
      花子: 前は1分で終わってたのに`,
      `
      健: 日曜にあの山に登るつもり
      健: @kiki 冬も山小屋はやってる？
      健: 父があそこのスープを気に入ってて`,
    ],
    // The third line can come while the model works on the second: then it is asked again.
    expect: { texts: 1, calls: { chat: [1, 2] } },
  },
  {
    id: '12',
    name: 'who asked takes it back while the bot is answering: nothing is sent',
    cast: thinking,
    en: [
      `
      alice: @kiki where is the runbook for the mail server?
      (2s)
      alice: nvm`,
      `
      tom: @kiki how do I split a PDF?
      (3s)
      tom: ah, forget I asked, there is a button for it`,
      `
      mia: @kiki who has the key to the bike shed?
      (3s)
      mia: oh wait, it was in my pocket the whole time, ignore me`,
    ],
    ja: [
      `
      花子: @kiki メールサーバーの手順書ってどこ？
      (2s)
      花子: やっぱいいや`,
      `
      健: @kiki PDFってどうやって分割するの？
      (3s)
      健: あ、ごめん、今の質問なしで`,
      `
      美咲: @kiki 自転車置き場の鍵は誰が持ってる？
      (3s)
      美咲: すみません、ポケットに入ってました、気にしないでください`,
    ],
    expect: { reactions: [0, 1], calls: { chat: 1 } },
  },
  {
    id: '13',
    name: 'somebody else answers while the bot is answering: nothing is sent',
    cast: thinking,
    en: [
      `
      alice: @kiki where is the runbook for the mail server?
      (2s)
      bob > alice: it is in the wiki under Operations, first page`,
      `
      tom: @kiki how do I split a PDF?
      (2s)
      mia: @tom open it in the preview and drag the pages out`,
      `
      tom: @kiki who has the key to the bike shed?
      (1s)
      mia: Joe has it, second floor
      tom: oh perfect, thank you!`,
    ],
    ja: [
      `
      花子: @kiki メールサーバーの手順書ってどこ？
      (2s)
      太郎 > 花子: Wikiの運用のところ、最初のページにあるよ`,
      `
      健: @kiki PDFってどうやって分割するの？
      (2s)
      美咲: @健 プレビューで開いてページを外に引っ張り出せばできますよ`,
      `
      健: @kiki 自転車置き場の鍵は誰が持ってる？
      (1s)
      美咲: 2階の高橋さんが持ってます
      健: おお、ありがとうございます！`,
    ],
    expect: { calls: { chat: 1 } },
  },
  {
    id: '13b',
    name: 'somebody else answers in plain words, for nobody in particular, while the bot is answering: nothing is sent',
    cast: thinking,
    en: [
      `
      alice: @kiki where is the runbook for the mail server?
      (2s)
      bob: it is in the wiki under Operations, first page`,
      `
      tom: @kiki how do I split a PDF?
      (2s)
      mia: open it in the preview and drag the pages out`,
      `
      tom: @kiki when does the pool open on Sundays?
      (1s)
      mia: at 9, but the slides only at noon`,
    ],
    ja: [
      `
      花子: @kiki メールサーバーの手順書ってどこ？
      (2s)
      太郎: Wikiの運用のところ、最初のページにあるよ`,
      `
      健: @kiki PDFってどうやって分割するの？
      (2s)
      美咲: プレビューで開いてページを外に引っ張り出せばできますよ`,
      `
      健: @kiki 日曜のプールは何時から？
      (1s)
      美咲: 9時からですよ、滑り台は昼からですけど`,
    ],
    expect: { calls: { chat: 1 }, because: /another person has answered/ },
  },
  {
    id: '13c',
    name: 'somebody remarks on something else while the bot is answering: it answers',
    cast: thinking,
    en: [
      `
      alice: @kiki where is the runbook for the mail server?
      (2s)
      bob: I'm off to the dentist, back in an hour`,
      `
      tom: @kiki how do I split a PDF?
      (2s)
      mia: the new chairs have arrived, and they squeak less`,
    ],
    ja: [
      `
      花子: @kiki メールサーバーの手順書ってどこ？
      (2s)
      太郎: ちょっと歯医者に行ってきます、1時間で戻ります`,
      `
      健: @kiki PDFってどうやって分割するの？
      (2s)
      美咲: 新しい椅子が届きました、座り心地いいです`,
    ],
    expect: { texts: 1 },
  },
  {
    id: '13d',
    name: 'a question of its partner, without a name, that somebody else answers first: not a word more',
    en: [
      `
      alice: @kiki which database do we use?
      (30s)
      alice: and where is the backup?
      bob: it is on the second server, under /srv`,
      `
      tom: @kiki what is a good hike around here?
      (30s)
      tom: is the hut open in winter?
      mia: no, they close in October`,
    ],
    ja: [
      `
      花子: @kiki うちのデータベースって何だっけ？
      (30s)
      花子: バックアップはどこにあるの？
      太郎: 2台目のサーバーに置いてあるよ`,
      `
      健: @kiki このへんでいい山ってある？
      (30s)
      健: 冬の山小屋は何月まで？
      美咲: たしか10月までやってますよ`,
    ],
    expect: { texts: 1 },
  },
  {
    id: '14',
    name: 'the question is edited before the answer is sent: what it says now is answered',
    cast: { ...thinking, chat: ({ messages }) => (/friday|金曜/i.test(messages.at(-1)?.text ?? '') ? 'New.' : 'Old.') },
    en: [
      `
      alice: @kiki is the office open on Thursday?
      (2s)
      (edited) @kiki is the office open on Friday?
      (40s)`,
      `
      tom: @kiki what's for lunch in the canteen
      (5s)
      (edited) @kiki what's for lunch in the canteen on friday
      (40s)`,
    ],
    ja: [
      `
      花子: @kiki 木曜はオフィス開いてますか？
      (2s)
      (edited) @kiki 金曜はオフィス開いてますか？
      (40s)`,
      `
      健: @kiki 食堂の昼ごはん何？
      (5s)
      (edited) @kiki 金曜の食堂の昼ごはん何？
      (40s)`,
    ],
    expect: { texts: 1, calls: { chat: 2 }, never: /Old/ },
  },
  {
    id: '14b',
    name: 'the question is deleted before the answer is sent: nothing is sent',
    cast: thinking,
    en: [
      `
      alice: @kiki is the office open on Thursday?
      (2s)
      (deleted)`,
      `
      bob: back in five
      tom: @kiki what's for lunch in the canteen
      (5s)
      (deleted)`,
    ],
    ja: [
      `
      花子: @kiki 木曜はオフィス開いてますか？
      (2s)
      (deleted)`,
      `
      太郎: ちょっと席を外します
      健: @kiki 食堂の昼ごはん何？
      (5s)
      (deleted)`,
    ],
    expect: { calls: { chat: 1 }, because: /deleted/ },
  },
  {
    id: '15',
    name: 'the same message comes again, and once more after a restart: one answer',
    en: [
      `
      alice: @kiki is the office open on Thursday?
      (again)
      (1m)
      (restart)
      (again)`,
      `
      bob: back in five
      tom: kiki, what's for lunch?
      (restart)
      (again)
      (again)`,
    ],
    ja: [
      `
      花子: @kiki 木曜はオフィス開いてますか？
      (again)
      (1m)
      (restart)
      (again)`,
      `
      太郎: ちょっと席を外します
      健: キキ、今日のお昼って何？
      (restart)
      (again)
      (again)`,
    ],
    expect: { texts: 1 },
  },
])
