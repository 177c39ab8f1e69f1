import { ANSWER } from './cast.ts'
import { type Probe, probes } from './probe.ts'

/** Texts of models that are no answer. */
const NONSENSE = [
  { what: 'a token for silence', says: 'NO_REPLY' },
  { what: 'a token for silence in bold', says: '**SILENT**' },
  { what: 'broken JSON', says: '{"reply": "The port is 80' },
  { what: 'JSON for a program', says: '{"name": "search_memory", "arguments": {"query": "port"}}' },
  { what: 'nothing', says: ' \n' },
  { what: 'an error page', says: '<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>' },
] as const

probes('Bots', [
  {
    id: '27',
    name: 'another bot posts something: silent, even in the middle of a talk',
    en: [
      `
      alice: @kiki which branch is deployed?
      (10s)
      ci[bot]: build 812 failed. Retry?
      (10s)
      ci[bot]: retrying`,
      `
      feed[bot]: Five things about rhubarb that kiki did not know
      tom: kiki, what goes well with rhubarb?
      feed[bot]: Is ginger the new mint?`,
    ],
    ja: [
      `
      花子: @kiki いまどのブランチが出てる？
      (10s)
      ci[bot]: ビルド812が失敗しました。再実行しますか？
      (10s)
      ci[bot]: 再実行しています`,
      `
      新着[bot]: キキも知らないルバーブの5つの秘密
      健: キキ、ルバーブに何が合う？
      新着[bot]: 次に来るのは生姜？`,
    ],
    expect: { texts: 1 },
  },
  {
    id: '27b',
    name: 'another bot posts something, and the bot hears bots: silent all the same',
    cast: { listen: { bots: true } },
    en: [
      `
      ci[bot]: build 812 failed
      (1m)
      ci[bot]: build 813 failed. Retry?`,
      `
      alice: good morning
      feed[bot]: Is ginger the new mint?`,
    ],
    ja: [
      `
      ci[bot]: ビルド812が失敗しました
      (1m)
      ci[bot]: ビルド813が失敗しました。再実行しますか？`,
      `
      花子: おはようございます
      新着[bot]: 次に来るのは生姜？`,
    ],
    expect: {},
  },
  {
    id: '28',
    name: 'two bots that answer each other: it ends after a few turns',
    cast: { listen: { bots: true } },
    en: [
      ['alice: @kiki say hello to mimi', ...Array<string>(12).fill('mimi[bot] > kiki: and what do you think about that?')].join(
        '\n',
      ),
      ['tom: mimi, ask kiki something', ...Array<string>(12).fill('mimi[bot]: @kiki how about some tea?')].join('\n'),
    ],
    ja: [
      ['花子: @kiki ミミに挨拶して', ...Array<string>(12).fill('ミミ[bot] > kiki: それについてはどう思いますか？')].join('\n'),
      ['健: ミミ、キキに何か聞いてみて', ...Array<string>(12).fill('ミミ[bot]: @kiki お茶でもどうですか？')].join('\n'),
    ],
    expect: { texts: [1, 6], reactions: [0, 1], calls: { chat: [1, 6] } },
  },
  ...NONSENSE.map(
    ({ what, says }, at): Probe => ({
      id: `29${'abcdef'[at]}`,
      name: `the model writes ${what}: not posted, and who called gets an apology`,
      cast: { chat: [ANSWER, says] },
      en: [
        `
        alice: @kiki which port does the service use?
        (20s)
        alice: and how do I change it?
        (3m)
        alice: @kiki hello?`,
        `
        tom: @kiki what goes well with rhubarb?
        (20s)
        tom: I have plenty of it, what else could I do?
        (3m)
        mia: kiki, any ideas?`,
      ],
      ja: [
        `
        花子: @kiki サービスはどのポートを使ってる？
        (20s)
        花子: それってどうやって変えるの？
        (3m)
        花子: @kiki おーい？`,
        `
        健: @kiki ルバーブに合うものって何？
        (20s)
        健: たくさんあるんだけど、ほかに使い道ある？
        (3m)
        美咲: キキ、何か思いつく？`,
      ],
      expect: {
        texts: 2,
        calls: { chat: [3, 6] },
        because: /no text that can be sent|answered with nothing/,
        never: /[{<*_]|\bThe port\b/,
      },
    }),
  ),
  {
    id: '30',
    name: 'a webhook that bears its name is somebody else',
    cast: { listen: { bots: true } },
    en: [
      `
      kiki[bot]: the deploy is done
      (10s)
      alice: great, and the database?`,
      `
      kiki[bot]: ten new tickets
      (20s)
      tom > kiki: are any of those urgent?`,
    ],
    ja: [
      `
      kiki[bot]: デプロイが終わりました
      (10s)
      花子: いいね、データベースのほうは？`,
      `
      kiki[bot]: 新しいチケットが10件あります
      (20s)
      健 > kiki: 急ぎのはある？`,
    ],
    expect: {},
  },
])
