import { describe, expect, test } from 'vitest'
import { languageOf } from './language.ts'

const said = (...texts: readonly string[]) => texts.map(text => ({ text, own: false }))

describe('Japanese', () => {
  test.each([
    [['今日は雨だった']],
    [['おはよう', 'おはよー']],
    [['明日の会議、何時からだっけ？', 'ok']],
    [['staging に deploy したら 500 が返ってくるんだけど', 'それ env の設定が抜けてるやつだ', 'LGTM']],
    [['Kubernetes の Ingress むずい', 'わかる']],
    [['good morning!', 'おはようございます。今日もよろしくお願いします', 'はい、よろしくお願いします']],
    [['見て https://example.com/a/very/long/address/of/a/page', 'いいね']],
    [['これで動くはず\n```ts\nexport default function deploy(target: string) { return run(target) }\n```']],
    [['<@123456789> <:thinking_cat:987654321> どう思う？']],
    [[':tada: :tada: :tada: おめでとう']],
    [['はい']],
  ])('%j', texts => {
    expect(languageOf(said(...texts), 'en')).toBe('ja')
  })
})

describe('Korean', () => {
  test.each([
    [['오늘 날씨 어때요?', '좋아요, 산책 갈까요?']],
    [['staging에 deploy했는데 500이 나와요', '그거 env 설정이 빠졌어요']],
    [['good morning!', '안녕하세요, 오늘도 잘 부탁드립니다', 'おはよう']],
    [['네']],
  ])('%j', texts => {
    expect(languageOf(said(...texts), 'en')).toBe('ko')
  })
})

describe('English', () => {
  test.each([
    [['it has rained all day']],
    [['I had ラーメン with bob yesterday']],
    [['what does ありがとう mean in English?', 'it means thank you']],
    [['おはよう', 'good morning everybody', 'did the release go out yesterday evening?']],
    [['東京 is further from 大阪 than I thought']],
  ])('%j', texts => {
    expect(languageOf(said(...texts), 'ja')).toBe('en')
  })
})

test.each([
  ['你好，今天天气怎么样？', '很好，我们出去走走吧'],
  ['Wie ist das Wetter heute?', 'Schön, gehen wir spazieren?'],
])('a language that the bot does not speak counts as English: %s', (...texts) => {
  expect(languageOf(said(...texts), 'ja')).toBe('en')
})

test.each([[[]], [['ok']], [['了解']], [['👍', 'w']], [['`const x = 1`']], [['https://example.com/abcdefghijklmnop']]])(
  'too little text: %j',
  texts => {
    expect(languageOf(said(...texts), 'ja')).toBe('ja')
    expect(languageOf(said(...texts), 'en')).toBe('en')
  },
)

test('the bot’s own messages do not count', () => {
  const own = { text: 'もちろんです。何でも聞いてください、すぐにお答えします。', own: true }
  expect(languageOf([own, ...said('when does the train leave?'), own], 'ja')).toBe('en')
})

test('a conversation can change its language', () => {
  const english = said(...Array<string>(20).fill('did the release go out yesterday?'))
  const japanese = said(...Array<string>(12).fill('リリースはもう終わりましたよ'))
  expect(languageOf([...english, ...japanese.slice(0, 2)], 'ja')).toBe('en')
  expect(languageOf([...english, ...japanese], 'en')).toBe('ja')
})

test('the longest text is read quickly', () => {
  const long = said(...Array<string>(50).fill('`'.repeat(20_000) + '<@'.repeat(10_000)))
  for (let time = 0; time < 100; time++) languageOf(long, 'en')
})
