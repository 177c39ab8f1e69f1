/** Words by which people say that something has changed, or ask how it was before. */
import { kindOf, tokenId, tokensOf } from './tokens.ts'

const CHANGE =
  /変更|変わ(?:った|り|る)|替わ|代わ(?:った|り)|引っ?越|移行|移転|移った|異動|転職|交代|延期|延長|今は|いまは|になった|やめた|辞めた|ではなく|じゃなく|\b(?:moved|now|changed|switched|replaced|no longer|not any ?more|instead of|migrated|rescheduled|postponed|stopped|quit|became)\b/i

const BEFORE =
  /以前|前は|前の|昔|元々|もともと|かつて|\b(?:before|previous(?:ly)?|formerly|used to|originally|earlier|in the past|old (?:one|version))\b/i

/** Whether a fact says that something is otherwise than it was. */
export function saysChange(text: string): boolean {
  return CHANGE.test(text.normalize('NFKC'))
}

/** Whether a question is about what was, too. */
export function asksForHistory(text: string): boolean {
  return BEFORE.test(text.normalize('NFKC'))
}

/** The words that two texts have in common, and their share of the shorter one; numbers and words of change aside. */
export function overlap(one: string, other: string): { readonly words: number; readonly share: number } {
  const [some, others] = [subject(one), subject(other)]
  const words = [...some].filter(token => others.has(token)).length
  return { words, share: words / Math.max(1, Math.min(some.size, others.size)) }
}

function subject(text: string): Set<number> {
  const words = tokensOf(text.normalize('NFKC').replace(new RegExp(CHANGE, 'gi'), ' ').replace(/\d+/g, ' '))
  return new Set(words.map(tokenId).filter(token => kindOf(token) === 'word'))
}
