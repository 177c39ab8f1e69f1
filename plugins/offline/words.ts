/** The words of a text that carry its topic, each with a weight; Japanese is cut by dictionary, English is stemmed. */
export function contentWords(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const segment of cut(text.normalize('NFKC').toLowerCase())) {
    if (STOP.has(segment)) continue
    const word = isLatin(segment) ? stem(segment) : japanese(segment)
    if (word !== undefined) words.set(word, WEAK.has(word) ? 0.4 : 1)
  }
  return words
}

/** The words of a text, as they stand in it. */
export function cut(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
}

/** Whether two words speak of the same: 食 and 食べ物, 好き and 大好き. */
export function related(one: string, other: string): boolean {
  if (one === other) return true
  if (isLatin(one) || isLatin(other)) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return long.startsWith(short) || (short.length > 1 && long.endsWith(short))
}

export function isJapanese(text: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{N}]/u.test(word)
}

function stem(word: string): string {
  const base = IRREGULAR.get(word) ?? word
  if (base.length < 4) return base
  const stripped = base
    .replace(/['’]s$/, '')
    .replace(/s$/, '')
    .replace(/(?:ing|ed)$/, '')
    .replace(/e$/, '')
  return stripped.length < 3 ? base : stripped
}

/** Hiragana alone is grammar, unless it is long. */
function japanese(segment: string): string | undefined {
  if (!isJapanese(segment)) return undefined
  return /^[\p{Script=Hiragana}ー]+$/u.test(segment) && segment.length < 3 ? undefined : segment
}

const list = (words: string) => words.split(' ')

const IRREGULAR = new Map(
  list('ate:eat eaten:eat bought:buy saw:see seen:see came:come met:meet made:make took:take drank:drink wrote:write').map(
    pair => {
      const [form = '', base = ''] = pair.split(':')
      return [form, base] as const
    },
  ),
)

/** Words of asking and grammar. */
const STOP = new Set(
  list(
    'a an the and or but if so as at by for from in into of on to up with about than then this that these those there here ' +
      'i me my mine you your yours we our us he him his she her it its they them their who whom whose what which when where why ' +
      "how many much i'm i've i’m i’ve is are was were be been am do does did don't has had have can could will would shall " +
      "should may might must not no yes ok just very really also too any anyone some someone please hey hi hello well again what's say said tell told think know remember remind " +
      'っていう ください でした ました ません なんて ちょっと みたい けれど だから それで そして しかし どんな どうして 何 何だ 誰 私 僕 俺 君 達 言 思 覚 覚え 教 知',
  ),
)

/** Words that many lines share, and that tell little alone. */
const WEAK = new Set(
  list(
    'called named name names get got go going went like want time today yesterday tomorrow ' +
      'day week 名前 話 今 今日 昨日 明日 先週 今週 来週 前 後 日 時 月 年 人 方 物 事 時間',
  ).map(word => (isLatin(word) ? stem(word) : word)),
)
