/** Reads a text as a row of tags: one letter for each word or phrase that a language knows. */
import type { OrderText } from '@kikimimi/orders'

export interface Row {
  /**
   * One letter for each part: `x` an unknown word, `,` `:` `?` signs, `.` the end of a sentence. Words that change nothing, such as
   * "please", have no letter.
   */
  readonly tags: string
  /** Begin and end of each part in the text. */
  readonly spans: readonly (readonly [from: number, to: number])[]
}

/** Stands for the name of the bot. A character of private use. */
const NAME = '\uE012'

/** Sources of patterns of words, by their tag. `_`: words that change nothing. */
export type Lexicon = Readonly<Record<string, string>>

const SIGNS = [
  [':', /:/y],
  ['?', /[?？]/y],
  ['.', /!|[.;](?=\s|$|\P{ASCII})|[。！；]/uy],
  [',', /[,、()（）【】…—–]|-(?=\s)/y],
] as const
const NOTHING = /[^\p{L}\p{N}?？:.!;。！；,、()（）【】…—–\uE011]/uy

/** Characters at each end of a long text that are read. What is between them is one unknown word. */
const ENDS = 250

/**
 * At each place the longest known phrase counts, and the first of equally long ones. The names of the bot change nothing.
 *
 * @param unit what an unknown word is
 */
export function rowsOf(lexicon: Lexicon, unit: RegExp): (said: OrderText, names: readonly string[]) => Row {
  const known = Object.entries(lexicon).map(([tag, source]) => [tag, new RegExp(source, 'uy')] as const)
  const kinds = [...known, ...SIGNS, ['_', /[.!;-]/y], ['_', NOTHING], ['x', unit], ['x', /./suy]] as const
  return (said, names) => {
    const calls = names.filter(name => name !== '').map(name => RegExp.escape(name.normalize('NFKC').toLowerCase()))
    const call = new RegExp(`(?<![a-z\\d])@?(?:${calls.join('|') || '(?!)'})(?:さん|ちゃん|くん)?(?![a-z\\d])`, 'gu')
    const text = said.text.replace(call, found => NAME.repeat(found.length))
    const parts: (readonly [tag: string, from: number, to: number])[] = []
    for (let at = 0, to = at; at < text.length; at = to) {
      if (at >= ENDS && at < text.length - ENDS && text.length > 2 * ENDS) {
        to = text.length - ENDS
        parts.push(['x', at, to])
        continue
      }
      let tag = ''
      for (const [kind, pattern] of kinds) {
        if (tag !== '' && kind === 'x') break
        pattern.lastIndex = at
        if (pattern.test(text) && pattern.lastIndex > to) [tag, to] = [kind, pattern.lastIndex]
      }
      const isBreak = tag === '_' && text[at] === ' ' && said.slice(at - 1, to + 1).original.includes('\n')
      if (isBreak) tag = '.'
      const [last = '.'] = parts.at(-1) ?? []
      // Signs that follow each other are one.
      if (tag !== '_' && !(SIGN.test(tag) && SIGN.test(last))) parts.push([tag, at, to])
    }
    while (SIGN.test(parts.at(-1)?.[0] ?? '') && parts.at(-1)?.[0] !== '?') parts.pop()
    return { tags: parts.map(([tag]) => tag).join(''), spans: parts.map(([, from, to]) => [from, to]) }
  }
}

const SIGN = /^[,.:?]$/
