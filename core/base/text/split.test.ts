import { describe, expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { splitText } from './split.ts'

describe('where a text is cut', () => {
  test.each<[string, string, number, string[]]>([
    ['a text that fits is unchanged', 'Hello.', 6, ['Hello.']],
    ['an empty text has no parts', ' \n\n ', 10, []],
    ['at a paragraph first', 'One. Two.\n\nThree.\nFour.', 20, ['One. Two.', 'Three.\nFour.']],
    ['then at a line', 'One. Two.\nThree. Four.', 18, ['One. Two.', 'Three. Four.']],
    ['then at a sentence', 'One two. Three four. Five six.', 22, ['One two. Three four.', 'Five six.']],
    ['a sentence that ends at the limit', 'Ab. One. Two.', 8, ['Ab. One.', 'Two.']],
    ['then at a word', 'one two three four', 11, ['one two', 'three four']],
    ['then by length', 'abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['at a Japanese sentence', '今日は雨です。明日は晴れます。', 12, ['今日は雨です。', '明日は晴れます。']],
    [
      'brackets stay with their content',
      '「行くの？」と聞いた。「行く！」と言った。',
      14,
      ['「行くの？」と聞いた。', '「行く！」と言った。'],
    ],
    ['between Japanese words', '東京都の天気予報を確認する', 10, ['東京都の天気予報を', '確認する']],
    ['a comma starts no part', 'りんごと、みかん', 4, ['りんご', 'と、', 'みかん']],
    ['a decimal point ends no sentence', 'It is 3.14159 long and more', 12, ['It is', '3.14159 long', 'and more']],
    [
      'an address is not cut while a space is near',
      'see https://example.com/a/b?c=d',
      27,
      ['see', 'https://example.com/a/b?c=d'],
    ],
    ['a list keeps its indentation', '- one\n  - two\n  - three', 14, ['- one\n  - two', '  - three']],
    ['Windows line ends', 'one\r\n\r\ntwo', 5, ['one', 'two']],
    ['emoji stay whole', '👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 12, ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦']],
    ['flags stay whole', '🇯🇵🇫🇷🇩🇪', 6, ['🇯🇵', '🇫🇷', '🇩🇪']],
    [
      'a character longer than a part is cut between code points',
      `a${'\u0301'.repeat(5)}`,
      4,
      ['a\u0301\u0301\u0301', '\u0301\u0301'],
    ],
    ['a surrogate pair is never cut', '😀😀', 3, ['😀', '😀']],
  ])('%s', (_name, text, limit, parts) => {
    expect(splitText(text, limit)).toEqual(parts)
  })

  test('a limit below one character is refused', () => {
    expect(() => splitText('a', 1)).toThrow('at least 2')
  })
})

describe('code fences', () => {
  test('a fence that fits stays whole', () => {
    const code = '```js\nconst a = 1\n\nconst b = 2\n```'
    expect(splitText(`Look at this:\n${code}\nNice, isn't it?`, 40)).toEqual(['Look at this:', code, "Nice, isn't it?"])
  })

  test('a longer one is closed and opened again with its language', () => {
    const text = '```ts\none()\ntwo()\nthree()\nfour()\n```'
    expect(splitText(text, 24)).toEqual(['```ts\none()\ntwo()\n```', '```ts\nthree()\nfour()\n```'])
  })

  test('code keeps its indentation where it is cut', () => {
    const [, second] = splitText('~~~\nif (a) {\n    b()\n}\n~~~', 18)
    expect(second).toBe('~~~\n    b()\n}\n~~~')
  })

  test('text after a long fence joins its last part', () => {
    expect(splitText('```\naaaa\nbbbb\ncccc\n```\nDone.', 20).at(-1)).toBe('```\ncccc\n```\nDone.')
  })

  test('shorter fences within a longer one are code', () => {
    const text = '````md\n```js\na\n```\n````'
    expect(splitText(`Some words before.\n${text}`, 26)).toEqual(['Some words before.', text])
  })

  test('an unclosed fence is closed in every part', () => {
    expect(splitText('```\naaaaaaaa\nbbbbbbbb', 18)).toEqual(['```\naaaaaaaa\n```', '```\nbbbbbbbb\n```'])
  })

  test('three backticks within a line open nothing', () => {
    expect(splitText('```a``` is code\n\nand this is not', 16)).toEqual(['```a``` is code', 'and this is not'])
  })

  test('where the fences alone fill a part, code is cut like prose', () => {
    const parts = splitText(`\`\`\`${'x'.repeat(30)}\ncode\n\`\`\``, 20)
    expect(parts.every(part => part.length <= 20)).toBe(true)
    expect(parts.join('')).toContain('code')
  })
})

describe('random texts', () => {
  const TOKENS = [
    ...['a', 'word', 'Sentence ends. ', 'Really? ', 'x'.repeat(40), ' ', '\n', '\n\n', '\t- item\n', 'https://example.com/?q=1 '],
    ...[
      '日本語',
      'です。',
      'キキ！',
      '「はい」',
      '、',
      '　',
      'é',
      'が',
      '👍🏽',
      '👩‍💻',
      '🇯🇵',
      '𠮷',
      '한국어',
      'हिन्दी',
      '…',
      '?!',
      '`x`',
    ],
  ]
  const SEEDS = Array.from({ length: 50 }, (_, seed) => seed)
  const CODE = ['const a = 1\n', '  indented()\n', '\n', 'y'.repeat(70), '日本語のコメント\n', '👩‍💻']

  test.each([12, 30, 100, 500])('prose keeps all its content in parts of %i', limit => {
    for (const seed of SEEDS) {
      const text = some(seededRandom(seed), TOKENS, 300)
      const parts = splitText(text, limit)
      expect(
        parts.filter(part => part.trim() === '' || part.length > limit || !part.isWellFormed()),
        `seed ${seed}`,
      ).toEqual([])
      expect(parts.flatMap(characters), `seed ${seed}`).toEqual(characters(text))
    }
  })

  test.each([40, 100, 400])('parts of %i close every fence that they open', limit => {
    for (const seed of SEEDS) {
      const random = seededRandom(seed)
      const blocks = SEEDS.slice(0, 5).map(() => `${some(random, TOKENS, 30)}\n\`\`\`js\n${some(random, CODE, 20)}\n\`\`\`\n`)
      const parts = splitText(blocks.join(''), limit)
      expect(
        parts.filter(part => part.length > limit || !part.isWellFormed()),
        `seed ${seed}`,
      ).toEqual([])
      expect(
        parts.filter(part => (part.match(/^```/gm) ?? []).length % 2 === 1),
        `seed ${seed}`,
      ).toEqual([])
      expect(parts.flatMap(withoutFences), `seed ${seed}`).toEqual(withoutFences(blocks.join('')))
    }
  })
})

function characters(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment).filter(
    character => character.trim() !== '',
  )
}

function withoutFences(text: string): string[] {
  return characters(text.replace(/^```(js)?$/gm, ''))
}

function some(random: () => number, tokens: readonly string[], count: number): string {
  return Array.from({ length: 1 + Math.floor(random() * count) }, () => tokens[Math.floor(random() * tokens.length)]).join('')
}
