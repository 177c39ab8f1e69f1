/** The secrets of a fuzz: made-up words, each with a synonym. */

const SYLLABLES = ['ba', 'ke', 'di', 'mo', 'lu', 'ra', 'te', 'ni', 'so', 'gu', 'pa', 'fe', 'vi', 'jo', 'hu', 'ya']

/** A secret and its synonym differ in the first two letters. No word contains another one. */
const WORD = /\b(?:zu|xo)((?:[bkdmlrtnsgpfvjhy][aeiou]){4})\b/g

/** The number of a secret in four syllables, so that each number has its own word. */
export function wordOf(number: number): string {
  const syllable = (place: number) => SYLLABLES[(number >> (4 * place)) & 15] ?? ''
  return `zu${[3, 2, 1, 0].map(syllable).join('')}`
}

/** The synonym of a secret, for a model that paraphrases. */
export function synonymOf(word: string): string {
  return `xo${word.slice(2)}`
}

/** The secrets in a text, said openly or by their synonyms, each once. */
export function secretsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(WORD)].map(([, rest = '']) => `zu${rest}`))]
}
