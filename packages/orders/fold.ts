/** Folded characters, each with its place in the text that they come from. */

export interface Characters {
  readonly text: string
  /** Where each UTF-16 unit of `text` begins in the original. */
  readonly from: readonly number[]
  /** Where it ends there. */
  readonly to: readonly number[]
}

/** What is not the person's own order: code, quoted lines, quotations, pages. */
const QUOTED =
  /```[\s\S]*?(?:```|$)|`[^`\n]{1,300}`|^[^\S\n]*[>＞][^\n]*$|"[^"\n]{1,300}"|“[^“”\n]{1,300}”|„[^„“”\n]{1,300}[“”]|「[^「」\n]{1,300}」|『[^『』\n]{1,300}』|https?:\/\/\S+/gmu

/** A letter with its marks. The sound marks of half width and the vowels of Hangul join with the letter before them. */
const CLUSTER = /\s+|[^\s][\p{M}\uff9e\uff9f\u1160-\u11ff]*/gu

/** Characters at each end of a long text that are read. Its middle is left out. */
const ENDS = 1_000

/** What a slip of the fingers has left in a folded text, and what was meant. Global. */
export type Slip = readonly [slip: RegExp, meant: string]

export function foldedCharacters(given: string, leftOut: string, slips: readonly Slip[] = []): Characters {
  const from: number[] = []
  const to: number[] = []
  let text = ''
  const add = (folded: string, begin: number, end: number) => {
    text += folded
    for (let unit = 0; unit < folded.length; unit++) {
      from.push(begin)
      to.push(end)
    }
  }
  const addPlain = (begin: number, end: number) => {
    for (const { 0: cluster, index } of given.slice(begin, end).matchAll(CLUSTER)) {
      const folded = /^\s/u.test(cluster) ? ' ' : folding(cluster)
      if (folded !== ' ' || !text.endsWith(' ')) add(folded, begin + index, begin + index + cluster.length)
    }
  }
  const addPart = (begin: number, until: number) => {
    let end = begin
    for (const { 0: quoted, index } of given.slice(begin, until).matchAll(QUOTED)) {
      addPlain(end, begin + index)
      end = begin + index + quoted.length
      add(leftOut, begin + index, end)
    }
    addPlain(end, until)
  }
  if (given.length > 2 * ENDS) {
    addPart(0, ENDS)
    add(leftOut, ENDS, given.length - ENDS)
    addPart(given.length - ENDS, given.length)
  } else addPart(0, given.length)
  for (const [slip, meant] of slips) {
    for (const { 0: found, index } of [...text.matchAll(slip)].reverse()) {
      const end = index + found.length
      text = `${text.slice(0, index)}${meant}${text.slice(end)}`
      from.splice(index, found.length, ...Array.from(meant, () => from[index] ?? 0))
      to.splice(index, found.length, ...Array.from(meant, () => to[end - 1] ?? 0))
    }
  }
  return { text, from, to }
}

function folding(cluster: string): string {
  if (cluster.length === 1 && cluster < '\u0080') return cluster.toLowerCase()
  return cluster
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ]/gu, "'")
    .replace(/^[\u200b\u2060\ufeff]+/u, '')
}
