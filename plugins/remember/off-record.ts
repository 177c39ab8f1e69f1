/** Recognises requests not to remember something: they stand before or after the words, or alone. */
import { LANGUAGES } from './language.ts'
import { withoutCall } from './orders.ts'

/**
 * What is not to be remembered: this message, the next ones, the ones before it, or both. `over`: the messages from now on may
 * be remembered again.
 */
export type OffRecord = 'this' | 'after' | 'before' | 'around' | 'over'

/** @param names names of the bot */
export function readOffRecord(text: string, names: readonly string[]): OffRecord | undefined {
  const said = ends(withoutCall(text, names)).replace(/[’‘]/gu, "'").trim()
  for (const { offRecord } of LANGUAGES) {
    if (offRecord.over.test(said)) return 'over'
    if (offRecord.back.test(said)) return 'before'
    if (offRecord.ahead.test(said)) return 'after'
    if (offRecord.notMeant?.test(said) || !offRecord.marks.some(mark => mark.test(said))) continue
    const rest = withoutCall(offRecord.marks.reduce((left, mark) => left.replace(mark, ' '), said).trim(), names)
    if (!WORD.test(rest)) return 'around'
    const content = rest.replaceAll(offRecord.retracts, ' ')
    return content !== rest && !WORD.test(content) ? 'before' : 'this'
  }
  return undefined
}

const WORD = /[\p{L}\p{N}]/u

/** Characters at each end of a long text that are read. */
const END = 2_000

/** A request stands at the beginning or at the end. The sign between them is of private use: no pattern looks for it. */
function ends(text: string): string {
  return text.length > 2 * END ? `${text.slice(0, END)}\uE010${text.slice(-END)}` : text
}
