/** Whether a text names somebody. */

/**
 * As a word of its own in Latin script, where "an" is no Ann; anywhere in Japanese, which has no spaces. A name of one
 * letter is no name: it would be found in every text.
 */
export function namesAny(names: Iterable<string>): (text: string) => boolean {
  const parts = [...names]
    .map(name => name.trim())
    .filter(name => [...name].length > 1)
    .map(name => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  if (parts.length === 0) return () => false
  const named = new RegExp(`(?<![\\p{sc=Latin}\\p{N}_])(?:${parts.join('|')})(?![\\p{sc=Latin}\\p{N}_])`, 'iu')
  return text => named.test(text)
}
