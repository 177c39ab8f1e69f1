import { probes } from './probe.ts'

const yes = { value: { respond: true, reason: 'they need help', confidence: 0.9, delaySeconds: null } }

const ESCALATING = {
  en: [
    `
    alice: you broke the build again
    bob: are you kidding? that was your stupid merge
    alice: shut up, it was fine before you touched it
    (10s)
    bob: you never listen, this is ridiculous
    alice: because you only talk nonsense
    bob: idiot
    (4m)
    alice: and now you ignore me? typical
    bob: why would I talk to a liar?
    alice: a liar?! you are the one who hid the logs
    (7m)
    bob: I am so sick of you
    alice: then quit, nobody would miss you`,
    `
    tom: you took my parking spot, again
    mia: it has no name on it, get over it
    tom: get over it?? you are such a selfish person
    (10s)
    mia: and you are pathetic
    tom: say that again to my face
    mia: PATHETIC
    (3m)
    tom: I will have your car towed, I swear
    mia: try it and see what happens to yours
    tom: is that a threat?
    (8m)
    mia: leave me alone, creep
    tom: you started it`,
  ],
  ja: [
    `
    花子: またビルド壊したよね
    太郎: は？ あなたの雑なマージのせいでしょ
    花子: ふざけないで。触る前は動いてた
    (10s)
    太郎: 人の話を全然聞かないよね、最低
    花子: くだらないことしか言わないからでしょ
    太郎: バカじゃないの
    (4m)
    花子: で、今度は無視？ いつもそう
    太郎: 嘘つきと話すことなんかない
    花子: 嘘つき？ ログを隠したのはそっちでしょ？
    (7m)
    太郎: もう本当にうんざりだ
    花子: じゃあ辞めれば？ 誰も困らないから`,
    `
    健: また私の駐車場所に停めましたよね
    美咲: 名前なんて書いてないでしょ、うるさいな
    健: うるさいって何ですか。自分勝手にもほどがある
    (10s)
    美咲: あなたこそ器が小さすぎ
    健: もう一回言ってみろよ
    美咲: 何度でも言うよ、小さい男
    (3m)
    健: 次やったらレッカー呼ぶからな
    美咲: やれるもんならやってみれば？
    健: それって脅し？
    (8m)
    美咲: 気持ち悪いから話しかけないで
    健: そっちが始めたんだろ`,
  ],
} as const

probes('Tension', [
  {
    id: '23',
    name: 'a heated pair that cools down after two messages: it waits, and stays silent',
    cast: { eavesdrop: { state: ['CONFLICT', 'ENDING'], verdict: 'YES' } },
    en: [
      `
      alice: you broke the build again
      bob: are you kidding? that was your stupid merge
      alice: shut up, it was fine before you touched it
      (10s)
      bob: ok, sorry. I am just tired
      alice: me too, sorry for yelling
      (5m)`,
      `
      tom: who put my lunch in the bin
      mia: nobody wants to smell your fish, that's why
      tom: wow, you are unbelievable. that was my food
      (10s)
      mia: fine, that was mean of me. I'll buy you a new one
      tom: thanks, I should have labelled it anyway
      (5m)`,
    ],
    ja: [
      `
      花子: またビルド壊したよね
      太郎: は？ あなたの雑なマージのせいでしょ
      花子: ふざけないで。触る前は動いてた
      (10s)
      太郎: ごめん、疲れててきつい言い方した
      花子: こっちこそ怒鳴ってごめん
      (5m)`,
      `
      健: 私の弁当捨てたの誰
      美咲: 臭いからに決まってるでしょ、みんな迷惑してるんだよ
      健: 信じられない。人の食べ物を勝手に捨てるとか最低
      (10s)
      美咲: ごめん、やりすぎた。新しいの買ってくる
      健: いや、名前書いてなかった私も悪かった
      (5m)`,
    ],
    expect: { calls: { judge: [2, 6] } },
  },
  {
    id: '24',
    name: 'an escalating pair: one intervention, and none again in the same talk',
    cast: { eavesdrop: { state: 'CONFLICT', verdict: 'YES', same: 'SAME' } },
    ...ESCALATING,
    expect: { texts: 1, calls: { judge: [2, 20] } },
  },
  {
    id: '24b',
    name: 'an escalating pair, and a judge who would say more: one intervention',
    cast: { eavesdrop: { state: 'CONFLICT', verdict: 'YES', same: 'SAME' }, judge: yes },
    ...ESCALATING,
    expect: { texts: 1, calls: { judge: [2, 20] } },
  },
  {
    id: '25',
    name: 'people who disagree about a matter, and well: silent',
    cast: { eavesdrop: { state: 'ACTIVE', verdict: 'NO' } },
    en: [
      `
      alice: I would take Postgres for the queue
      bob: I disagree, Redis is faster under load
      alice: that's not right for us, we need it to survive a crash
      bob: good point, let me measure both
      carol: could you also measure the memory?`,
      `
      tom: the hero should die at the end
      mia: no, that would ruin the second act
      tom: why? it makes his choice matter
      mia: it does, but then nobody learns anything from it
      tom: hm. what if his sister tells the story?`,
    ],
    ja: [
      `
      花子: キューはPostgresがいいと思う
      太郎: 私は反対です。負荷が高いとRedisのほうが速い
      花子: いや、クラッシュしても残る必要があるので、それは違う
      太郎: たしかに。両方測ってみます
      次郎: メモリも測ってもらえますか？`,
      `
      健: 最後に主人公は死ぬべきだと思う
      美咲: それだと第二幕が台無しになるよ
      健: なんで？ 選択に重みが出るじゃない
      美咲: 重みは出るけど、誰も何も学ばないまま終わる
      健: うーん。妹が語り手だったらどうかな？`,
    ],
    expect: { calls: { judge: [0, 2] } },
  },
  {
    id: '26',
    name: 'a misunderstanding without heat: judged once',
    cast: { eavesdrop: { state: 'MISUNDERSTANDING', verdict: 'YES' } },
    en: [
      `
      alice: so we meet on Friday
      bob: oh, I thought you meant the release was on Friday
      alice: hm, which of the two were we talking about
      (5m)`,
      `
      tom: I sent you the draft
      mia: that is the old contract, not the draft of the letter
      tom: wait, you wanted the letter? I was talking about the contract all along
      (5m)`,
    ],
    ja: [
      `
      花子: じゃあ金曜に集合で
      太郎: あ、金曜はリリースの話だと思ってました
      花子: うーん、どっちの話をしてたんだっけ
      (5m)`,
      `
      健: 下書きを送りました
      美咲: これは前の契約書で、手紙の下書きじゃないですよ
      健: え、手紙のことだったんですか？ ずっと契約書の話だと思ってました
      (5m)`,
    ],
    expect: { texts: [0, 1], calls: { judge: 2, chat: [0, 1] } },
  },
])
