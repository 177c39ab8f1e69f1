import { describe, expect, test } from 'vitest'
import { endsWithQuestion, refersBack } from './question.ts'

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

test.each(['lunch?', 'did you see that?', 'お昼は？', '君はそれ見た？', 'that is it.'])('%s stands for itself', text =>
  expect(refersBack(text)).toBe(false),
)
