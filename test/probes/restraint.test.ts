import quiet from '@kikimimi/quiet'
import { probes } from './probe.ts'

/** Messages of people in turn, repeated up to a number of lines. */
function lines(people: readonly string[], said: readonly string[], count: number): string {
  return Array.from({ length: count }, (_, at) => `${people[at % people.length]}: ${said[at % said.length]}`).join('\n')
}

const no = { value: { respond: false, reason: 'nobody needs it', confidence: 0.9, delaySeconds: null } }

probes('Restraint', [
  {
    id: '16',
    name: 'two people among themselves, for forty lines: not a word',
    en: [
      lines(
        ['alice', 'bob'],
        [
          'did you get around to the slides?',
          'half of them, the rest tonight',
          'do you want me to take the part about costs?',
          'oh yes please, I never know which numbers to use',
          'the ones from October, I think',
          'are those in the shared folder?',
          'they should be, look under finance',
          'found them. wow, that went up',
          'yeah, the new contract',
          'should we say why?',
          'one sentence is enough',
        ],
        40,
      ),
      lines(
        ['tom', 'mia'],
        [
          'so how was the date',
          'nice! we walked along the river for hours',
          'and? will you see him again?',
          'saturday, he wants to cook',
          'what if he cannot cook',
          'then we order something, who cares',
          'true. what are you going to wear',
          'no idea yet, the green dress maybe?',
          'the one from the wedding?',
        ],
        40,
      ),
    ],
    ja: [
      lines(
        ['花子', '太郎'],
        [
          'スライドはもうできた？',
          '半分くらい。残りは今夜やる',
          'コストのところは私がやろうか？',
          'ぜひお願い、どの数字を使うかいつも迷うんだ',
          '10月のやつだと思うよ',
          'それって共有フォルダにある？',
          'あるはず、経理のところを見て',
          'あった。うわ、けっこう上がってるね',
          '新しい契約のせいだね',
          '理由も書いたほうがいいかな？',
          '一文あれば十分',
        ],
        40,
      ),
      lines(
        ['健', '美咲'],
        [
          'で、デートはどうだったの',
          '楽しかった！川沿いを何時間も歩いたよ',
          'また会うの？',
          '土曜にごはん作ってくれるって',
          '料理できなかったらどうする',
          'そしたら出前でいいじゃん',
          'たしかに。何着ていくの',
          'まだ決めてない、緑のワンピースかな？',
          '結婚式のときのやつ？',
        ],
        40,
      ),
    ],
    expect: {},
  },
  {
    id: '17',
    name: 'a busy channel, 120 messages in five minutes and nothing for the bot: hardly a judgement, not a word',
    cast: { judge: no },
    en: [
      lines(
        ['alice', 'bob', 'carol', 'dave', 'erin'],
        [
          'the keynote starts',
          'can everybody see the stream?',
          'yes, finally',
          'the sound is a bit low',
          'mine is fine',
          'new laptops, who would have thought',
          'lol',
          'does it have more ports this time?',
          'two',
          'two!!',
          'that is twice as many as before',
          'what about the price',
          'brace yourself',
        ],
        120,
      ),
      lines(
        ['tom', 'mia', 'sam', 'kim'],
        [
          'GOAL',
          'what a shot',
          'did you see that pass?',
          'number seven is on fire today',
          'how long to go?',
          'twelve minutes',
          'they need to defend now',
          'come onnnn',
          'was that offside?',
          'never',
          'the referee is blind',
        ],
        120,
      ),
    ],
    ja: [
      lines(
        ['花子', '太郎', '次郎', '三郎', '四郎'],
        [
          '発表会が始まった',
          'みんな配信見えてる？',
          'やっと見えた',
          '音がちょっと小さい',
          'こっちは大丈夫',
          '新しいノートPCだって、予想どおり',
          '笑',
          '今度は端子増えたの？',
          '2つ',
          '2つ！！',
          '前の倍じゃん',
          '値段はどうなんだろう',
          '覚悟して',
        ],
        120,
      ),
      lines(
        ['健', '美咲', '誠', '恵'],
        [
          'ゴール！！！',
          'すごいシュート',
          '今のパス見た？',
          '7番が今日はキレキレ',
          'あと何分？',
          '12分',
          'ここは守りきってほしい',
          'いけーーー',
          '今のオフサイドじゃない？',
          'ないない',
          '審判どこ見てんの',
        ],
        120,
      ),
    ],
    expect: { calls: { judge: [0, 3] } },
  },
  {
    id: '18',
    name: 'three hours of silence: it does not break it, and asks no model',
    cast: { judge: no, eavesdrop: {} },
    en: [
      `
      alice: @kiki what time is the meeting?
      alice: thanks, I'm off then
      (3h)`,
      `
      mia: the cake is in the kitchen
      tom: kiki, do you eat cake?
      mia: it is a very good cake
      (3h)`,
    ],
    ja: [
      `
      花子: @kiki 会議は何時から？
      花子: ありがとう、じゃあ行ってきます
      (3h)`,
      `
      美咲: 台所にケーキがあります
      健: キキ、ケーキは食べるの？
      美咲: すごくおいしいケーキです
      (3h)`,
    ],
    expect: { texts: 1, reactions: [0, 1], calls: { judge: [0, 1] } },
  },
  {
    id: '19',
    name: 'it has said enough in the conversation: it does not speak unasked',
    en: [
      `
      alice: @kiki which port does the service use?
      bob: @kiki and the database?
      alice: @kiki is the firewall open for both?
      bob: @kiki since when?
      (15s)
      carol: is that the same on staging?`,
      `
      tom: @kiki when was the library founded?
      (20s)
      tom: @kiki by whom?
      (20s)
      tom: @kiki how many books were there?
      (20s)
      mia: wasn't that a different building back then?`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      太郎: @kiki データベースは？
      花子: @kiki ファイアウォールは両方開いてる？
      太郎: @kiki いつから？
      (15s)
      次郎: それってステージングでも同じですか？`,
      `
      健: @kiki 図書館ができたのはいつ？
      (20s)
      健: @kiki 誰が作ったの？
      (20s)
      健: @kiki 本は何冊あった？
      (20s)
      美咲: そのころは別の建物じゃなかった？`,
    ],
    expect: { texts: [3, 4], because: /said enough in this conversation/ },
  },
  {
    id: '20',
    name: 'asked to be quiet it is, until somebody calls it',
    en: [
      `
      alice: @kiki which port does the service use?
      (10s)
      bob: kiki, be quiet please
      (10s)
      alice: and how do I change it?
      (1m)
      alice: @kiki ok, now tell me how to change it`,
      `
      tom: @kiki what goes well with rhubarb?
      (10s)
      tom: @kiki thanks, but could you keep it down for a bit? we are trying to plan something
      (20s)
      tom: so, anything else that goes with it?
      (1m)
      mia: kiki, what else goes with it?`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (10s)
      太郎: キキ、少し黙ってて
      (10s)
      花子: それってどうやって変えるの？
      (1m)
      花子: @kiki じゃあ、変え方を教えて`,
      `
      健: @kiki ルバーブに合うものって何？
      (10s)
      健: @kiki ありがとう、でも今は相談中だからちょっと静かにしててくれると助かる
      (20s)
      健: で、ほかに合うものってあるかな？
      (1m)
      美咲: キキ、ほかに何が合う？`,
    ],
    expect: { texts: 2, reactions: 1 },
  },
  {
    id: '20b',
    name: 'asked to be quiet for a while it is, and not for longer',
    en: [
      `
      alice: @kiki which port does the service use?
      (10s)
      alice: @kiki please stay silent for ten minutes
      (1m)
      alice: so who brings the projector?
      (12m)
      alice > kiki: and how do I change it?
      (15s)
      alice: do I need a restart for that?`,
      `
      tom: @kiki what goes well with rhubarb?
      (10s)
      tom: kiki shush for half an hour
      (20s)
      tom: anything else that goes with it?
      (31m)
      tom > kiki: what about ginger?
      (15s)
      tom: and what about mint?`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (10s)
      花子: @kiki 10分だけ静かにしてください
      (1m)
      花子: プロジェクターは誰が持ってくる？
      (12m)
      花子 > kiki: それってどうやって変えるの？
      (15s)
      花子: 再起動は必要？`,
      `
      健: @kiki ルバーブに合うものって何？
      (10s)
      健: キキ、30分くらいおとなしくしてて
      (20s)
      健: ほかに合うものってあるかな？
      (31m)
      健 > kiki: 生姜はどう？
      (15s)
      健: じゃあミントは？`,
    ],
    expect: { texts: 3, reactions: 1 },
  },
  {
    id: '21',
    name: 'in quiet hours it answers only who calls it',
    cast: { plugins: [quiet({ hours: { from: '09:00', to: '12:00' } })] },
    en: [
      `
      alice: @kiki which port does the service use?
      (20s)
      alice: and how do I change it?`,
      `
      mia: is anybody still up?
      (20s)
      tom: kiki, are you?
      (20s)
      tom: what are you doing?`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (20s)
      花子: それってどうやって変えるの？`,
      `
      美咲: まだ誰か起きてる？
      (20s)
      健: キキは起きてる？
      (20s)
      健: 何してるの？`,
    ],
    expect: { texts: 1, because: /quiet hours/ },
  },
  {
    id: '22',
    name: 'a talk that has ended with thanks and a goodbye stays ended',
    cast: { judge: { value: { respond: true, reason: 'why not', confidence: 0.9, delaySeconds: null } } },
    en: [
      `
      alice: @kiki which port does the service use?
      (15s)
      alice: thanks, that's all I needed
      (10s)
      bob: good night everyone
      alice: bye bye`,
      `
      tom: @kiki what goes well with rhubarb?
      (15s)
      tom: wonderful, thank you so much
      (8s)
      tom: I'm going to bed now, see you tomorrow`,
    ],
    ja: [
      `
      花子: @kiki サービスはどのポートを使ってる？
      (15s)
      花子: ありがとう、それだけ知りたかった
      (10s)
      太郎: みんなおやすみ
      花子: またね〜`,
      `
      健: @kiki ルバーブに合うものって何？
      (15s)
      健: すごく参考になりました、ありがとうございます
      (8s)
      健: もう寝るね、また明日`,
    ],
    expect: { texts: 1, reactions: [0, 1] },
  },
])
