import { describe, expect, test } from 'vitest'
import { asksWhoeverIsThere, endsWithQuestion, refersBack } from './question.ts'

describe('a question', () => {
  test.each([
    'really?',
    'really ?',
    'これ何？',
    'これ何？　 \n',
    'マジで?!',
    'マジで！？',
    'なんで⁉',
    'what??',
    'any ideas? 🤔',
    'any ideas? 👩🏽‍💻',
    'where? 🇯🇵',
    'love it? ❤️',
    'これ何❓',
    '行く？（明日）？',
    '(is that so?)',
    '「どうする？」',
    '**本当？**',
    '||spoiler?||',
    'is it? :thinking_face:',
    'is it? <:kiki:1234>',
    'これ何？ https://example.com/a',
    'why does it fail?\n```\nerror: no\n```',
    'is that so?\n> it is.',
    '> it is.\nis that so?',
    'what is `a?.b`?',
  ])('%j', text => {
    expect(endsWithQuestion(text)).toBe(true)
  })
})

describe('no question', () => {
  test.each([
    '',
    'no.',
    'really? I see.',
    'なぜ？と聞かれた',
    'is it? 1',
    'see https://example.com/?',
    '`a ? b`',
    '```\nwhat?\n```',
    'fine.\n> really?',
    '> really?',
    '🤔',
    '？マーク',
  ])('%j', text => {
    expect(endsWithQuestion(text)).toBe(false)
  })
})

test.each(['does that work here, too?', 'and why?', 'それって本当？', 'なんで？', 'そっちのほうが安い？'])(
  '%s only makes sense after something else',
  text => expect(refersBack(text)).toBe(true),
)

test.each(['lunch?', 'did you see that?', 'お昼は？', '君はそれ見た？', 'that is it.'])('%s refers to nothing earlier', text =>
  expect(refersBack(text)).toBe(false),
)

describe('a question to everybody', () => {
  test.each([
    'can anyone tell me how to split a PDF',
    'Hi all, I have a question. Is pandas the right thing here? My table has 3 million rows.',
    'how do I get write access to /etc? everything fails',
    'does anybody here speak Finnish',
    'need some advice on a bike',
    '誰かPDFの分割のしかた知ってる',
    'この機械に詳しい方いますか',
    '会議室の予約のしかたを教えてください',
    '鍵が折れちゃったんだけど、どうすればいいかな',
  ])('%s', text => {
    expect(asksWhoeverIsThere(text)).toBe(true)
  })

  test.each([
    'I told somebody about it yesterday',
    'that was a great help',
    'you coming?',
    'somebody has to water the plants',
    '行く？',
    '昨日教わったとおりにやった',
    '```\nhow do I?\n```',
  ])('not %s', text => {
    expect(asksWhoeverIsThere(text)).toBe(false)
  })
})
