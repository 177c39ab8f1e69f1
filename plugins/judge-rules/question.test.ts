import { describe, expect, test } from 'vitest'
import { endsWithQuestion } from './question.ts'

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
