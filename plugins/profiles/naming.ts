import { fold, nameMatcher } from 'kikimimi'

/**
 * Returns a test whether a text contains a name, in any capitals. A topic or a note that is deleted wrongly is soon made
 * again.
 */
export function namesAny(names: Iterable<string>): (text: string) => boolean {
  const matcher = nameMatcher([...names].map(fold))
  return text => matcher.test(fold(text))
}
