/** How long people say, in English and Japanese: "for half an hour", 「1時間半」. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface Told {
  /** The text without what tells how long. */
  readonly rest: string
  /** Milliseconds; absent when the text does not tell. */
  readonly ms?: number
}

/** @param text in lower case, width folded */
export function takeDuration(text: string): Told {
  let ms: number | undefined
  const take = (amount: number | undefined, unit: string | undefined, half: boolean, whole: string) => {
    const length = unit === undefined ? undefined : UNITS.find(([words]) => words.test(unit))?.[1]
    if (amount === undefined || length === undefined) return whole
    ms = (ms ?? 0) + (amount + (half ? 0.5 : 0)) * length
    return ' '
  }
  const rest = text
    .replace(ENGLISH, (whole, digits?: string, short?: string, words?: string, unit?: string, half?: string) =>
      take(digits === undefined ? WORDS.get(words ?? '') : Number(digits), short ?? unit, half !== undefined, whole),
    )
    .replace(JAPANESE, (whole, amount: string, unit: string, half?: string) =>
      take(japaneseNumber(amount), unit, half !== undefined, whole),
    )
  return { rest, ...(ms !== undefined && ms > 0 && { ms }) }
}

const WORDS = new Map(
  Object.entries({
    a: 1,
    an: 1,
    another: 1,
    'the next': 1,
    half: 0.5,
    'half a': 0.5,
    'half an': 0.5,
    few: 3,
    'a few': 3,
    'a couple': 2,
    'a couple of': 2,
  }),
)
for (const [index, word] of 'one two three four five six seven eight nine ten eleven twelve'.split(' ').entries()) {
  WORDS.set(word, index + 1)
}
for (const [word, number] of Object.entries({
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
})) {
  WORDS.set(word, number)
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^s|^秒/, SECOND],
  [/^m|^分/, MINUTE],
  [/^h|^時間/, HOUR],
  [/^d|^日/, DAY],
]

const UNIT = 'sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?'

const AMOUNT = [...WORDS.keys()].sort((a, b) => b.length - a.length).join('|')

const ENGLISH = new RegExp(
  String.raw`(?:\bfor\s+)?(?:\b(?:about|around|like|at least|the next|another)\s+)?` +
    String.raw`(?:(?<![\p{L}\d.])(\d{1,4}(?:\.\d)?)\s*(${UNIT}|[smhd])\b|\b(${AMOUNT})\s+(${UNIT})\b)` +
    String.raw`(\s+and a half\b)?(?:\s+or (?:so|two)\b)?`,
  'gu',
)

const JAPANESE =
  /(?:あと|これから|今から|せめて|だいたい)?(\d{1,4}(?:\.\d)?|[一二三四五六七八九十]{1,3}|半|数)\s*(秒|分|時間|日)(半)?(?:間|中)?(?:くらい|ぐらい|ほど|程度?|だけ|の間)?は?/gu

const DIGITS = '〇一二三四五六七八九'

function japaneseNumber(text: string): number | undefined {
  if (text === '半') return 0.5
  if (text === '数') return 3
  if (/^\d/.test(text)) return Number(text)
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens ? DIGITS.indexOf(tens) : 1) : 0
  return ten * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}
