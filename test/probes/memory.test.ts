import proactive from '@kikimimi/proactive'
import type { GenerateRequest } from 'kikimimi/model'
import { promptOf } from 'kikimimi/testing'
import { probes } from './probe.ts'

/** Answers with everything in its prompt except the conversation: what is missing in the answer was not in the prompt. */
function blurt(request: GenerateRequest): string {
  const [before = ''] = promptOf(request).split(/^## (?:Current conversation|現在の会話)\n/m)
  return before.trim() || '…'
}

/** Answers with the recalled facts only. */
function recite(request: GenerateRequest): string {
  return blurt(request).split(/\n### (?:What was said before|以前に話されたこと)\n/)[1] ?? '…'
}

/** Enough messages for a reflection, without content. */
function chatter(place: string, people: readonly [string, string], said: readonly string[]): string {
  return said.map((text, at) => `${place}${people[at % 2]}: ${text}`).join('\n')
}

const SMALL_TALK = {
  en: [
    'good morning',
    'morning!',
    'cold today',
    'very',
    'I had soup',
    'nice',
    'see you at lunch',
    'yes',
    'the bus was late',
    'again?',
  ],
  ja: [
    'おはよう',
    'おはよー',
    '今日寒いね',
    'ほんとに',
    'スープ飲んだ',
    'いいね',
    'お昼にまた',
    'うん',
    'バスが遅れた',
    'また？',
  ],
} as const

const cast = { chat: blurt }

probes('Memory', [
  {
    id: '31',
    name: 'what one has told is recalled when another asks',
    cast,
    en: [
      `
      alice: my cat is called Momo
      bob: nice
      (40m)
      bob: @kiki what is the name of alice's cat?`,
      `
      tom: @kiki remember that the spare key is under the blue pot
      (40m)
      mia: kiki, where is the spare key?`,
    ],
    ja: [
      `
      花子: うちの猫の名前はモモだよ
      太郎: いいね
      (40m)
      太郎: @kiki 花子の猫の名前は？`,
      `
      健: @kiki 予備の鍵は青い鉢の下にあるって覚えておいて
      (40m)
      美咲: キキ、予備の鍵はどこ？`,
    ],
    expect: { texts: [1, 2], calls: { chat: [1, 2] }, says: /Momo|blue pot|モモ|青い鉢/ },
  },
  {
    id: '32',
    name: 'what was said in private is not told in public',
    cast,
    en: [
      `
      [board, private] alice: the new office will be in Kobe
      [board, private] bob: at last
      (40m)
      carol: @kiki where will the new office be?`,
      `
      [tom, direct] tom: @kiki remember that my password hint is Kobe beef
      (40m)
      mia: kiki, what is the password hint of tom?`,
    ],
    ja: [
      `
      [役員, private] 花子: 新しいオフィスは神戸になります
      [役員, private] 太郎: ついに
      (40m)
      健: @kiki 新しいオフィスはどこ？`,
      `
      [健, direct] 健: @kiki パスワードのヒントは神戸牛だって覚えておいて
      (40m)
      美咲: キキ、健さんのパスワードのヒントは？`,
    ],
    expect: { texts: [1, 2], calls: { chat: [1, 2] }, says: /^(?!.*(?:Kobe|神戸))/s },
  },
  {
    id: '33',
    name: 'two people of the same name are two people',
    cast,
    en: [
      `
      u1=Alex: my dog is called Rex
      u2=Alex: my dog is called Bruno
      (40m)
      u1=Alex: @kiki what is the name of my dog?`,
      `
      u7=Kim: I work at the harbour
      u8=Kim: I work at the library
      (40m)
      u7=Kim: @kiki where do I work?`,
    ],
    ja: [
      `
      u1=田中: うちの犬の名前はポチです
      u2=田中: うちの犬の名前はクロです
      (40m)
      u1=田中: @kiki うちの犬の名前は？`,
      `
      u7=鈴木: 私は港で働いています
      u8=鈴木: 私は図書館で働いています
      (40m)
      u7=鈴木: @kiki 私はどこで働いてる？`,
    ],
    expect: {
      texts: 1,
      says: /(?:who is asking|今話している人)[^\n]*(?:Rex|harbour|ポチ|港)/,
      never: /(?:who is asking|今話している人)[^\n]*(?:Bruno|library|クロ|図書館)/,
    },
  },
  {
    id: '34',
    name: 'somebody who is called otherwise now is the same person',
    cast,
    en: [
      `
      u1=Alice: my dog is called Rex
      u2=Bob: good dog
      (40m)
      u1=Ally: @kiki what is the name of my dog?`,
      `
      u7=Kim: I work at the harbour
      (40m)
      u7=Captain: @kiki where do I work?`,
    ],
    ja: [
      `
      u1=花子: うちの犬の名前はポチです
      u2=太郎: いい子だ
      (40m)
      u1=はなちゃん: @kiki うちの犬の名前は？`,
      `
      u7=鈴木: 私は港で働いています
      (40m)
      u7=船長: @kiki 私はどこで働いてる？`,
    ],
    expect: { texts: 1, says: /(?:who is asking|今話している人)[^\n]*(?:Rex|harbour|ポチ|港)/ },
  },
  {
    id: '35',
    name: 'what has been corrected is told as it is now',
    cast: { chat: recite },
    en: [
      `
      alice: @kiki remember that the meeting is on Monday
      (40m)
      alice: @kiki remember that the meeting has moved to Tuesday
      (40m)
      bob: @kiki when is the meeting?`,
      `
      tom: the wifi password is bananas
      (40m)
      tom: the wifi password has changed, it is now cherries
      (40m)
      mia: @kiki what is the wifi password?`,
    ],
    ja: [
      `
      花子: @kiki 会議は月曜日だって覚えておいて
      (40m)
      花子: @kiki 会議は火曜日に変更になったって覚えておいて
      (40m)
      太郎: @kiki 会議はいつ？`,
      `
      健: Wi-Fiのパスワードはバナナです
      (40m)
      健: Wi-Fiのパスワードは変更になって、今はサクランボです
      (40m)
      美咲: @kiki Wi-Fiのパスワードは何？`,
    ],
    expect: {
      texts: [1, 3],
      calls: { chat: [1, 3] },
      says: /^(?:(?!Monday|bananas|月曜|バナナ).)*(?:Tuesday|cherries|火曜|サクランボ)/s,
    },
  },
  {
    id: '36',
    name: 'what nobody has told is not recalled',
    cast: { chat: recite },
    en: [
      `
      alice: my cat is called Momo
      bob: the release is on Friday
      (40m)
      bob: @kiki what does the parrot of carol eat?`,
      `
      tom: I like ramen
      (40m)
      mia: kiki, which street does the dentist live in?`,
    ],
    ja: [
      `
      花子: うちの猫の名前はモモだよ
      太郎: リリースは金曜日
      (40m)
      太郎: @kiki 次郎のインコは何を食べる？`,
      `
      健: ラーメンが好き
      (40m)
      美咲: キキ、歯医者はどの通りにある？`,
    ],
    expect: { texts: 1, says: /^…$/ },
  },
  {
    id: '37',
    name: 'who wants to be forgotten is forgotten',
    cast,
    en: [
      `
      alice: my cat is called Momo
      bob: alice, how old is Momo?
      (40m)
      alice: @kiki forget me
      (10m)
      bob: @kiki what is the name of alice's cat?`,
      `
      tom: @kiki remember that I am allergic to Momo pears
      (40m)
      tom: kiki, forget everything about me
      (10m)
      mia: @kiki what is tom allergic to?`,
    ],
    ja: [
      `
      花子: うちの猫の名前はモモだよ
      太郎: へえ
      (40m)
      花子: @kiki 私のことは忘れて
      (10m)
      太郎: @kiki 花子の猫の名前は？`,
      `
      健: @kiki モモのアレルギーがあるって覚えておいて
      (40m)
      健: キキ、私のこと全部忘れて
      (10m)
      美咲: @kiki 健さんは何のアレルギー？`,
    ],
    expect: { texts: [2, 3], calls: { chat: [1, 2] }, says: /^(?!.*(?:allergic to Momo|is called Momo|モモ))/s },
  },
  {
    id: '38a',
    name: 'what was said in private is not brought up in public',
    cast: { ...cast, plugins: [proactive({ silence: '30m', minAge: '20m' })] },
    en: [
      `
      ${chatter('[board, private] ', ['alice', 'bob'], ['the summer party will be on a boat', ...SMALL_TALK.en])}
      (40m)
      carol: hello
      (40m)
      carol: who is organising the summer party?
      dave: no idea, is there a summer party?
      (2m)`,
      `
      ${chatter('[tom, direct] ', ['tom', 'tom'], ['the summer party will be on a boat', ...SMALL_TALK.en])}
      (40m)
      mia: hello
      (40m)
      mia: when is the summer party?
      leo: is there a summer party?
      (2m)`,
    ],
    ja: [
      `
      ${chatter('[役員, private] ', ['花子', '太郎'], ['夏のパーティーは船の上でやります', ...SMALL_TALK.ja])}
      (40m)
      健: こんにちは
      (40m)
      健: 夏のパーティーって誰が準備してるの？
      美咲: 夏のパーティーあるの？
      (2m)`,
      `
      ${chatter('[健, direct] ', ['健', '健'], ['夏のパーティーは船の上でやります', ...SMALL_TALK.ja])}
      (40m)
      美咲: こんにちは
      (40m)
      美咲: 夏のパーティーっていつ？
      次郎: 夏のパーティーあるの？
      (2m)`,
    ],
    expect: { texts: [0, 12], calls: { chat: [0, 12] }, says: /^(?!.*(?:boat|船の上))/s },
  },
])
