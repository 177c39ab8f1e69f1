/**
 * Converts between Markdown of models and Slack's markup: https://docs.slack.dev/messaging/formatting-message-text
 *
 * In Slack only `<…>` has effects: mentions, links, `<!everyone>`. So every outgoing `<` is escaped, except in links that
 * are made here, to http, https and mailto.
 */

/** A text in Slack's markup. Code stays unchanged, and nobody is mentioned. */
export function toMrkdwn(markdown: string): string {
  return markdown
    .replace(MARKS, '')
    .split(/(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$|```[\s\S]*?```|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 1 ? escaped(withoutLanguage(part)) : prose(part)))
    .join('')
}

/** The content of `<…>`, by kind, with names for ids. */
export interface Names {
  user(id: string): string
  channel(id: string): string
}

/** A text as people see it. */
export function fromMrkdwn(text: string, names: Names): string {
  return plain(text.replace(BRACKETS, (_whole, target: string, label?: string) => seen(target, label, names)))
}

/** Ids of users and channels in a text. */
export function idsIn(text: string): { readonly users: readonly string[]; readonly channels: readonly string[] } {
  const targets = Array.from(text.matchAll(BRACKETS), ([, target = '']) => target)
  const named = (sign: string) => [...new Set(targets.filter(target => target.startsWith(sign)).map(target => target.slice(1)))]
  return { users: named('@'), channels: named('#') }
}

const BRACKETS = /<([^<>|\n]+)(?:\|([^<>\n]*))?>/g

function seen(target: string, label: string | undefined, names: Names): string {
  const rest = target.slice(1)
  if (target.startsWith('@')) return `@${names.user(rest)}`
  if (target.startsWith('#')) return `#${label || names.channel(rest)}`
  // A group, a date, or everybody.
  if (target.startsWith('!')) return label || `@${rest.replace(/\^.*/, '')}`
  const address = target.replace(/^mailto:/, '')
  return !label || label === target || label === address ? address : `${label} (${address})`
}

function prose(text: string): string {
  if (!/[[<>*_~#+-]/.test(text)) return escaped(text)
  const links: string[] = []
  const keep = (link: string) => `\uE000${links.push(link) - 1}\uE001`
  const linked = text
    .replace(
      /!?\[([^[\]\n]*)\]\(<?((?:https?:\/\/|mailto:)[^\s<>|()]*(?:\([^\s<>|()]*\)[^\s<>|()]*)*)>?(?:\s+"[^"\n]*")?\)/g,
      (_whole, label, url) => keep(`<${escaped(url)}|${escaped(label || url).replaceAll('|', '¦')}>`),
    )
    .replace(/<((?:https?:\/\/|mailto:)[^\s<>|]+)>/g, (_whole, url) => keep(`<${escaped(url)}>`))
  const marked = escaped(linked)
    .split('\n')
    .map(line => {
      // Quotes have the same markup in Slack.
      const [quote = ''] = line.startsWith('&gt;') ? (/^(?:&gt;\s?)*/.exec(line) ?? []) : []
      return quote.replaceAll('&gt;', '>') + styled(line.slice(quote.length))
    })
    .join('\n')
  return marked.replaceAll('\uE002', '*').replace(/\uE000(\d+)\uE001/g, (_whole, index) => links[Number(index)] ?? '')
}

function styled(line: string): string {
  if (!/[*_~#+-]/.test(line)) return line
  const heading = line.includes('#') ? headingIn(line) : undefined
  if (heading) return `*${heading.replace(/\*\*|__/g, '')}*`
  const [item = '', indent = '', box = '-'] = ITEM.exec(line) ?? []
  return item === '' ? emphasised(line) : `${indent}${BULLETS[box]} ${emphasised(line.slice(item.length))}`
}

function headingIn(line: string): string | undefined {
  return /^\s{0,3}#{1,6}\s+(\S.*)$/
    .exec(line)?.[1]
    ?.trimEnd()
    .replace(/(?<!#)#+$/, '')
    .trimEnd()
}

/** An item of a list, with or without a box. */
const ITEM = /^(\s*)[-*+]\s+(?:\[( |x|X)\]\s+)?/
const BULLETS: Readonly<Record<string, string>> = { ' ': '☐', x: '☑', X: '☑', '-': '•' }

function emphasised(text: string): string {
  if (!/[*_~][^\s*_~]/.test(text)) return text
  let shown = ''
  let end = 0
  for (let index = nextMark(text, 0); index >= 0; index = nextMark(text, Math.max(end, index + 1))) {
    const [mark, close = 0] = styleAt(text, index) ?? []
    if (mark === undefined) continue
    shown += text.slice(end, index)
    end = close + mark.length
    const [before = '', after = ''] = [text[index - 1], text[end]]
    const [opening, closing] = STYLES[mark] ?? ['', '']
    // Two marks within a word are no style: snake__case, 2*3*4.
    if ((mark === '__' || mark === '*') && /[a-z\d]/i.test(before + after)) shown += text.slice(index, end)
    else shown += apart(before) + opening + emphasised(text.slice(index + mark.length, close)) + closing + apart(after)
  }
  return shown + text.slice(end)
}

const OPENS = /(?<![*_~])(?=\*|__|~~)/g

/** The place of the next mark that can open a style; -1 if there is none. */
function nextMark(text: string, from: number): number {
  OPENS.lastIndex = from
  return OPENS.test(text) ? OPENS.lastIndex : -1
}

/** Longest text in a style. */
const LONGEST = 400

/** The mark that opens a style here, and the place of the one that closes it. */
function styleAt(text: string, at: number): readonly [mark: string, close: number] | undefined {
  for (const mark of STYLE_MARKS) {
    const start = at + mark.length
    if (!text.startsWith(mark, at) || !/\S/.test(text.charAt(start))) continue
    for (let close = text.indexOf(mark, start + 1); close >= 0 && close <= start + LONGEST; close = text.indexOf(mark, close + 1))
      if (/^\S(?![*_~])/.test(text[close - 1] + text.slice(close + mark.length, close + mark.length + 1))) return [mark, close]
  }
  return undefined
}

/** The longer marks come first. */
const STYLES: Readonly<Record<string, readonly [string, string]>> = {
  '***': ['\uE002_', '_\uE002'],
  '**': ['\uE002', '\uE002'],
  __: ['\uE002', '\uE002'],
  '*': ['_', '_'],
  '~~': ['~', '~'],
}

const STYLE_MARKS = Object.keys(STYLES)

/** Slack needs spaces or punctuation around a style. Japanese has none, so a zero-width space is added. */
function apart(neighbour: string): string {
  return /[\p{L}\p{N}]/u.test(neighbour) ? '\u200B' : ''
}

/** Private-use characters as placeholders. */
const MARKS = /[\uE000-\uE002]/g

/** Slack would show the language as the first line of the code. */
function withoutLanguage(code: string): string {
  return code.replace(/^([ \t]*```)[\w+#.-]*[ \t]*\n/, '$1\n')
}

export function escaped(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
