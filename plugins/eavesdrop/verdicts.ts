/** What a model's answer of one word says. Whatever is in doubt says nothing. */

/** By priority: when several are named, the first counts. */
export const STATES = ['ENDING', 'MISUNDERSTANDING', 'CONFLICT', 'ACTIVE'] as const

export type State = (typeof STATES)[number]

export function stateIn(answer: string): State | undefined {
  const words = wordsOf(answer)
  return STATES.find(state => words.includes(state))
}

/** A clear YES comes first, and nothing takes it back. */
export function verdictIn(answer: string): boolean | undefined {
  const words = wordsOf(answer)
  if (words[0] === 'YES') return words.includes('NO') || words.includes('NOT') ? undefined : true
  return words.includes('NO') && !words.includes('YES') ? false : undefined
}

/** Whether two talks are the same. */
export function samenessIn(answer: string): boolean | undefined {
  const words = wordsOf(answer)
  const same = words.includes('SAME')
  return same === words.includes('DIFFERENT') ? undefined : same
}

/** Characters of an answer that are read. */
const READ = 4_000

function wordsOf(answer: string): readonly string[] {
  return (
    answer
      .slice(0, READ)
      .normalize('NFKC')
      .toUpperCase()
      .match(/[A-Z]+/g) ?? []
  )
}
