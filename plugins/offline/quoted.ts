import type { Source } from './recall.ts'

/**
 * A source with its speaker and the words themselves. A line of a memory section is `3 weeks ago, alice (who is asking): “…”`; the
 * speaker of what is over has a remark before the name.
 */
export function readQuoted({ name, text }: Source): Source & { readonly over?: boolean } {
  const [, head, words] = name === undefined ? (/^([^“]*?)[:：] “(.*)”$/.exec(text) ?? []) : []
  if (head === undefined || words === undefined) return name === undefined ? { text } : { name, text }
  const speaker = head
    .slice(head.search(/,\s(?!.*,\s)/) + 1)
    .replace(/(?<!\s)\s*[(（][^()（）]*[)）]\s*$/, '')
    .trim()
  return { name: speaker, text: words, over: /[)）],/.test(head) }
}
