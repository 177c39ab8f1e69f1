/** Replaces names in a text by signs, so that the model reads the same sentence for every name. */

export interface Names {
  /** The names of the bot. */
  readonly names: readonly string[]
  /** The names of the other people in the conversation. */
  readonly people?: readonly string[]
}

export const BOT = '⌂'
export const PERSON = '⍟'

const LATIN = /[\p{sc=Latin}\p{N}_]/u
const KATAKANA = /[\p{sc=Katakana}ー]/u
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}]/u
const WORDS = new Intl.Segmenter('ja', { granularity: 'word' })
/** Number of characters on each side that the word breaker reads. */
const NEAR = 12

/** @param text in lower case and folded width */
export function markNames(text: string, { names, people = [] }: Names): string {
  const marks = [...names.map(name => [fold(name), BOT] as const), ...people.map(name => [fold(name), PERSON] as const)]
  return marks
    .filter(([name]) => name !== '')
    .sort(([one], [other]) => other.length - one.length)
    .reduce((said, [name, sign]) => mark(said, name, sign), text)
}

function mark(text: string, name: string, sign: string): string {
  let marked = ''
  let from = 0
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (at < from) continue
    const end = at + name.length + stretched(text, at + name.length)
    if (!standsAlone(text, at, end)) continue
    marked += `${text.slice(from, at)}${sign}`
    from = end
  }
  return marked + text.slice(from)
}

/** Length of a stretched end: kikiii, キキー. */
function stretched(text: string, end: number): number {
  const last = text[end - 1] ?? ''
  return (
    new RegExp(`^(?:${LATIN.test(last) ? `${last}{2,}` : ''}|[ー〜~]+)(?![\\p{sc=Katakana}])`, 'u').exec(
      text.slice(end, end + NEAR),
    )?.[0].length ?? 0
  )
}

function standsAlone(text: string, at: number, end: number): boolean {
  const [first, last] = [text[at] ?? '', text[end - 1] ?? '']
  const [before, after] = [text[at - 1] ?? '', text[end] ?? '']
  if (before === '#' || (LATIN.test(first) && LATIN.test(before))) return false
  if (LATIN.test(last) && LATIN.test(after) && !/^s\b/.test(text.slice(end, end + 2))) return false
  if (LATIN.test(last) && /^[./\\-][a-z0-9]/.test(text.slice(end, end + 2))) return false
  if (KATAKANA.test(first) && KATAKANA.test(before)) return false
  if (KATAKANA.test(last) && KATAKANA.test(after)) return false
  return (!UNSPACED.test(first) || breaksAt(text, at)) && (!UNSPACED.test(last) || breaksAt(text, end))
}

function breaksAt(text: string, at: number): boolean {
  const left = text.slice(Math.max(0, at - NEAR), at)
  const right = text.slice(at, at + NEAR)
  return left === '' || right === '' || WORDS.segment(left + right).containing(left.length)?.index === left.length
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().trim()
}
