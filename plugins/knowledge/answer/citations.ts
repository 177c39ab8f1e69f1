/** The numbers of passages in an answer. */

export interface Cited {
  /** The answer, with new numbers from 1 on, and without numbers of passages that were not given. */
  readonly text: string
  /** Indexes of the passages that it cites, in the order of the new numbers. */
  readonly passages: readonly number[]
}

/** Code, which keeps its brackets; or numbers in brackets: `[1]`, `[2, 3]`, `［1］`, `【1】`. */
const CODE_OR_NUMBERS =
  /```[\s\S]*?(?:```|$)|`[^`\n]*`|(?<space>[ \t]?)[[［【](?<numbers>\d{1,2}(?:[ \t]?[,、，][ \t]?\d{1,2}){0,9})[\]］】](?!\()/g

/** @param given the number of passages that were given */
export function cited(answer: string, given: number): Cited {
  const passages: number[] = []
  const text = answer.replace(CODE_OR_NUMBERS, (...match) => {
    const { space, numbers }: Record<string, string | undefined> = match.at(-1)
    if (numbers === undefined) return String(match[0])
    const known = [...new Set(numbers.split(/[,、，]/).map(number => Number(number) - 1))].filter(at => at >= 0 && at < given)
    for (const at of known) if (!passages.includes(at)) passages.push(at)
    return known.length === 0 ? '' : `${space}${known.map(at => `[${passages.indexOf(at) + 1}]`).join('')}`
  })
  return { text, passages }
}
