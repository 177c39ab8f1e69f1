import { nameMatcher } from 'kikimimi'

/** Whether a text names somebody, in capitals or not: a topic, a note, are soon made again. */
export function namesAny(names: Iterable<string>): (text: string) => boolean {
  const matcher = nameMatcher([...names].map(name => name.toLowerCase()))
  return text => matcher.test(text.toLowerCase())
}
