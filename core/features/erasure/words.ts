/** Finds the author of words: runs that are long enough to be recognized. */

const CJK = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}`

/** A letter of a script without spaces, or a whole word of one that has them. */
const UNIT = new RegExp(String.raw`[[${CJK}]&&[\p{L}\p{M}ー]]|[[\p{L}\p{M}\p{N}]--[${CJK}]]+`, 'gv')
const LETTER = new RegExp(`^[${CJK}]`, 'v')

/** Eight letters without spaces, or four words, or a mixture of the same length. */
const LONG = 8
const WORD = 2

/** The shortest runs of a text that are long enough, with anything between the words. */
export function runsOf(text: string): string[] {
  const units: readonly string[] = text.normalize('NFKC').toLowerCase().match(UNIT) ?? []
  const joined = units.join(' ')
  const runs: string[] = []
  let [weight, to, start, end] = [0, 0, 0, -1]
  for (const unit of units) {
    for (; weight < LONG && to < units.length; to++) {
      const next = units[to] ?? ''
      weight += weightOf(next)
      end += 1 + next.length
    }
    if (weight < LONG) break
    runs.push(joined.slice(start, end))
    weight -= weightOf(unit)
    start += 1 + unit.length
  }
  return runs
}

/** The weights of units, by their first UTF-16 code unit, found out once for each. */
const weights = new Uint8Array(0x1_0000)

function weightOf(unit: string): number {
  const code = unit.charCodeAt(0)
  const known = weights[code] ?? 0
  if (known > 0) return known
  const weight = LETTER.test(unit) ? 1 : WORD
  // The first half of a pair of surrogates does not tell the script.
  if ((code & 0xf800) !== 0xd800) weights[code] = weight
  return weight
}

/** The hash of a run, 53 bits. Only hashes are kept of a person with many messages. */
export function hashOf(run: string): number {
  // cyrb53, public domain.
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}

/** A shorter text is no quotation, because different people write it. */
const QUOTE = 12

/** The parts of a text that count as quotations in another text: the whole text, and each of its lines. */
export function quotesOf(text: string): string[] {
  const parts = [text, ...text.split('\n')].map(part => part.trim())
  return [...new Set(parts)].filter(part => part.length >= QUOTE)
}

export interface Quotes {
  add(quote: string, seq: number): void
  /** The quotes that a text contains, and when each was first written. */
  in(text: string): readonly { readonly quote: string; readonly seq: number }[]
  /** Removes a quote that another person wrote first. */
  drop(quote: string): void
}

/** Finds any number of quotes in a text, with a rolling hash of their beginnings. */
export function createQuotes(): Quotes {
  const byBeginning = new Map<number, Map<string, number>>()
  const beginning = (quote: string) => {
    let hash = 0
    for (let at = 0; at < QUOTE; at++) hash = (Math.imul(hash, BASE) + quote.charCodeAt(at)) | 0
    return hash
  }
  return {
    add(quote, seq) {
      const hash = beginning(quote)
      const known = byBeginning.get(hash) ?? new Map<string, number>()
      byBeginning.set(hash, known)
      if (!known.has(quote)) known.set(quote, seq)
    },

    in(text) {
      const found: { quote: string; seq: number }[] = []
      let hash = 0
      for (let end = 0; end < text.length; end++) {
        const left = end < QUOTE ? 0 : Math.imul(text.charCodeAt(end - QUOTE), BASE_LEFT)
        hash = (Math.imul(hash, BASE) + text.charCodeAt(end) - left) | 0
        const quotes = end < QUOTE - 1 ? undefined : byBeginning.get(hash)
        if (quotes === undefined) continue
        for (const [quote, seq] of quotes) if (text.startsWith(quote, end - QUOTE + 1)) found.push({ quote, seq })
      }
      return found
    },

    drop: quote => void byBeginning.get(beginning(quote))?.delete(quote),
  }
}

const BASE = 1_000_003

/** The value of a character when it leaves the beginning. */
const BASE_LEFT = Array.from({ length: QUOTE }).reduce<number>(power => Math.imul(power, BASE), 1)
