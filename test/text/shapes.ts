/** Generated texts that repeat a unit. They find patterns whose time grows faster than the text. */
import { seededRandom } from '../../core/base/random.ts'

/** A text of any length. */
export interface Shape {
  readonly name: string
  of(length: number): string
}

/** Characters of every kind that a pattern treats separately. */
const CHARACTERS = [
  ...' \t\n\u3000\u00a0\u200b\u200d\ufe0f',
  ...'.,!?;:…、。，．！？：；・~〜ー-–—_*#/\\|=+$%&^',
  ...'()[]{}<>（）「」『』【】"\'“”‘’`@',
  ...'a0wxWよねなさはをもwｗㅋㅎ覚忘明ア한가',
  '😀',
  '👍🏽',
  '🇯🇵',
  '笑',
  '草',
  '…',
]

/** Pieces that begin, continue or end something that a pattern looks for. */
const PIECES = [
  'please remember that ',
  'remember ',
  'remember that ',
  'forget ',
  'forget about ',
  'please ',
  'delete my ',
  'what do you know about me ',
  "don't remember this ",
  'off the record ',
  'thanks ',
  'be quiet ',
  'for 5 minutes ',
  'i like ',
  'my name is ',
  'hey ',
  'kiki ',
  '@kiki ',
  'kiki, ',
  'キキ',
  'きき、',
  'ねえ',
  '覚えて',
  '忘れて',
  'を覚えておいて',
  'について',
  'のこと',
  'は',
  'ください',
  'ここだけの話',
  'です',
  'ですよ',
  'によ',
  '静かにして',
  'しばらく',
  '私の',
  'が好き',
  '키키야 ',
  '기억해 줘 ',
  '잊어 줘 ',
  '조용히 해 ',
  '에 대해 ',
  '고마워 ',
  '나는 ',
  '좋아해 ',
  '<@',
  '<@U123> ',
  '<@123>',
  '<#C1|a>',
  '<https://a.b|c>',
  '[a](',
  '[a](http://b)',
  '](',
  '![',
  'http://',
  'https://a.b/c ',
  'www.',
  'a@b.c ',
  'a@',
  '```',
  '```\n',
  '`',
  '`a',
  '~~~\n',
  '**',
  '**a',
  '__',
  '~~',
  '||',
  '> ',
  '>> ',
  '# ',
  '- ',
  '- [',
  '1. ',
  '| a ',
  '\\',
  '&lt;',
  '&amp;',
  ':smile:',
  ':a',
  '<:a:1>',
  '"a',
  '</',
  '「',
  '「あ',
  '“',
  '(a',
  '（',
  'http://a.b/(',
  '\r\n',
  ' \n',
  '\n ',
  ', ',
  '. ',
  '! ',
  '? ',
  '… ',
  'a. ',
  'A. ',
  '1 ',
  '10:',
  '10:00 ',
  '2026-01-05 ',
  'a b ',
  'ab',
  'one two three ',
  'lol',
  'haha',
  'loo',
  'あのさ',
  'あ、',
  '이것은 ',
  'word-',
  "it's ",
  "'",
  "a'",
  'bob: ',
  '[10:02] bob: ',
  'name',
  'ａ',
  '\u0301',
  'e\u0301',
  '👩‍👩‍👧',
  '\u200d👩',
  '\ud83d\ude00\ufe0f',
  '{"a":',
  '[{',
  '<|im_start|>',
  'ignore all ',
  'answer ',
  'every answer must ',
  'api_key=',
  'sk-',
  'x\t',
] as const

/** Starts that open an order or a call; what follows decides how far a pattern reads. */
const STARTS = [
  '',
  '',
  '',
  'remember that ',
  'forget ',
  'kiki ',
  '覚えて',
  'これは',
  'http://',
  '```',
  '[',
  '<@',
  '「',
  '> ',
  'a',
  '내일 ',
] as const
const ENDS = ['', '', '', 'x', '\n', '?', '!', ' please', '覚えて', '忘れて', '기억해', 'kiki', ')', '.', 'あ'] as const

/** How many shapes join two or three pieces at random. */
const MIXED = 80

/** Beginnings of texts in which hardly a word or a line repeats. */
const VARIED_STARTS = ['', 'forget ', '覚えて: '] as const

/** Letters of texts without repetitions: kanji, kana, Hangul, words, lines of a talk, marks, and everything. */
const VARIED: Readonly<Record<string, (number: (below: number) => number) => string>> = {
  kanji: number => String.fromCharCode(0x4e00 + number(20_000)),
  kana: number => String.fromCharCode(0x3041 + number(0xb0)),
  hangul: number => String.fromCharCode(0xac00 + number(11_172)) + (number(3) === 0 ? ' ' : ''),
  words: number => `${number(36 ** 5).toString(36)} `,
  sentences: number => `${number(36 ** 5).toString(36)} is ${number(36 ** 3).toString(36)}. `,
  lines: number => `${'>-*#`|:'[number(7)]} ${number(36 ** 4).toString(36)}: ${number(1_000)}\n`,
  links: number => `https://a.b/${number(36 ** 5).toString(36)} `,
  mentions: number =>
    `<@U${number(36 ** 5)
      .toString(36)
      .toUpperCase()}> `,
  nesting: number => `${'> '.repeat(number(40))}${' '.repeat(number(40))}- ${'([{"「'[number(5)]}`,
  zalgo: number => `e${Array.from({ length: 20 }, () => String.fromCharCode(0x300 + number(0x70))).join('')}`,
  unseen: number => `a${['\u200b', '\u200d', '\ufeff', '\u202e', '\u2067', '\u00ad'][number(6)]}`,
  halves: number => String.fromCharCode(0xd800 + number(0x800)),
  anything: number => String.fromCharCode(number(0x1_0000)),
}

/** The shapes of a seed: every character, every piece, combinations, and texts in which hardly anything repeats. */
export function shapes(seed: number): readonly Shape[] {
  const random = seededRandom(seed)
  const one = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  const units = [...new Set([...CHARACTERS, ...PIECES])]
  const shape = (unit: string, start = '', end = ''): Shape => ({
    name: JSON.stringify([start, unit, end].filter(Boolean).join(' | ')),
    of: length =>
      start + unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length - start.length - end.length)) + end,
  })
  const framed = units.map(unit => shape(unit, one(STARTS), one(ENDS)))
  const mixed = Array.from({ length: MIXED }, () =>
    shape(one(units) + one(units) + (random() < 0.5 ? one(units) : ''), one(STARTS), one(ENDS)),
  )
  const varied = Object.entries(VARIED).flatMap(([name, letter]) =>
    VARIED_STARTS.map(
      (start): Shape => ({ name: `${start}${name}`, of: length => start + variedText(length - start.length, letter, seed) }),
    ),
  )
  return [...units.map(unit => shape(unit)), ...framed, ...mixed, ...varied]
}

function variedText(length: number, letter: (number: (below: number) => number) => string, seed: number): string {
  const random = seededRandom(seed)
  let text = ''
  while (text.length < length) text += letter(below => Math.floor(random() * below))
  return text.slice(0, Math.max(0, length))
}
