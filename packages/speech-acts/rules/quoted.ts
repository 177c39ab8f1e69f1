import type { Source } from './said.ts'

/**
 * A source with its speaker and the words themselves. A line of a memory section is `3 weeks ago, alice (who is asking): “…”`, or
 * `3 weeks ago, alice, answering bob’s “…”: “…”`; the speaker of what is over has a remark before the name.
 */
export function readQuoted(source: Source): Source {
  const { name, text } = source
  if (name !== undefined) return source
  const [, head, question, words] = /^([^“”]{1,300})(?:“([^“”]*)”[^“”]{0,40})?[:：] “([^“”]*)”$/.exec(text) ?? []
  if (head === undefined || words === undefined) return source
  const [age = '', ...rest] = head.split(/,\s/)
  const speakers = rest.join(', ')
  return {
    name: question === undefined ? speakers.replace(/(?<!\s)\s*[(（][^()（）]*[)）]\s*$/, '').trim() : beforeAsker(speakers),
    text: words,
    age: age.split(/[(（]/)[0]?.trim() ?? '',
    over: /[)）],/.test(head),
    ...(question !== undefined && { answers: { name: askerIn(speakers), text: question } }),
  }
}

/** The person whose question it is stands last: `alice, answering bob’s`, `alice（bobの`. */
function askerIn(speakers: string): string {
  const rest = speakers.slice(beforeAsker(speakers).length).trim()
  const asker = rest.slice(Math.max(rest.lastIndexOf(' ', rest.length - 1), rest.search(/[(（](?![^()（）]*[)）])/u)) + 1)
  return asker.replace(/(?:’s|の|의)$/u, '')
}

/** The person who answers stands first: `alice, answering bob’s`, `alice（bobの`. A number in brackets belongs to the name. */
function beforeAsker(speakers: string): string {
  const bracket = speakers.search(/[(（](?!\d)/)
  const first = bracket < 0 ? speakers : speakers.slice(0, bracket)
  const comma = first.lastIndexOf(', ')
  return (comma < 0 ? first : first.slice(0, comma)).trim()
}
