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
  // The person who asked stands after the person who answered, in brackets or after a comma.
  const speaker = question === undefined ? speakers : speakers.replace(/\s*(?:[（(](?![^()（）]*[)）])|,\s[^,]*$).*$/u, '')
  return {
    name: speaker.replace(/(?<!\s)\s*[(（][^()（）]*[)）]\s*$/, '').trim(),
    text: words,
    age: age.replace(/\s*[(（].*$/, ''),
    over: /[)）],/.test(head),
    ...(question !== undefined && { answers: { text: question } }),
  }
}
