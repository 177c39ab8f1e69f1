/**
 * Between the Markdown that models write and Slack's own markup: https://docs.slack.dev/messaging/formatting-message-text
 *
 * In Slack only `<…>` does anything: mentions, links, `<!everyone>`. So on the way out every `<` is escaped, and the
 * only ones that stand are those of links made here, to http, https and mailto.
 */

/** A text as Slack takes it. Code stays as it is, and nobody is mentioned. */
export function toMrkdwn(markdown: string): string {
  return markdown
    .replace(MARKS, '')
    .split(/(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$|```[\s\S]*?```|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 1 ? escaped(withoutLanguage(part)) : prose(part)))
    .join('')
}

/** What stands in `<…>`, by kind. The names are for who sees only ids. */
export interface Names {
  user(id: string): string
  channel(id: string): string
}

/** A text as people see it. */
export function fromMrkdwn(text: string, names: Names): string {
  return plain(text.replace(BRACKETS, (_whole, target: string, label?: string) => seen(target, label, names)))
}

/** The users and channels that a text names by their ids. */
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
  // A group, a date, or all who are here.
  if (target.startsWith('!')) return label || `@${rest.replace(/\^.*/, '')}`
  const address = target.replace(/^mailto:/, '')
  return !label || label === target || label === address ? address : `${label} (${address})`
}

function prose(text: string): string {
  const links: string[] = []
  const keep = (link: string) => `\uE000${links.push(link) - 1}\uE001`
  const linked = text
    .replace(
      /!?\[([^\]\n]*)\]\(<?((?:https?:\/\/|mailto:)[^\s<>|()]*(?:\([^\s<>|()]*\)[^\s<>|()]*)*)>?(?:\s+"[^"\n]*")?\)/g,
      (_whole, label, url) => keep(`<${escaped(url)}|${escaped(label || url).replaceAll('|', '¦')}>`),
    )
    .replace(/<((?:https?:\/\/|mailto:)[^\s<>|]+)>/g, (_whole, url) => keep(`<${escaped(url)}>`))
  const marked = linked
    .split('\n')
    .map(line => {
      // A quotation is one in Slack too.
      const [, quote = '', rest = ''] = /^((?:>\s?)*)(.*)$/s.exec(line) ?? []
      return quote + styled(escaped(rest))
    })
    .join('\n')
  return marked.replace(/\uE000(\d+)\uE001/g, (_whole, index) => links[Number(index)] ?? '')
}

function styled(line: string): string {
  const heading = /^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1]
  if (heading) return `*${heading.replace(/\*\*|__/g, '')}*`
  const item = line.replace(
    /^(\s*)[-*+]\s+(?:\[( |x|X)\]\s+)?/,
    (_whole, indent, box) => `${indent}${box ? (box === ' ' ? '☐' : '☑') : '•'} `,
  )
  return emphasised(item).replaceAll('\uE002', '*')
}

function emphasised(text: string): string {
  return text.replace(
    /(?<![*_~])(\*\*\*|\*\*|__|\*|~~)(?=\S)(.+?)(?<=\S)\1(?![*_~])/gu,
    (whole: string, mark: string, inner: string, at: number) => {
      const [before = '', after = ''] = [text.slice(0, at).at(-1), text[at + whole.length]]
      // Two of them within a word are no style: snake__case, 2*3*4.
      if ((mark === '__' || mark === '*') && /[a-z\d]/i.test(before + after)) return whole
      const [open, close] = STYLES[mark] ?? ['', '']
      return apart(before) + open + emphasised(inner) + close + apart(after)
    },
  )
}

const STYLES: Readonly<Record<string, readonly [string, string]>> = {
  '***': ['\uE002_', '_\uE002'],
  '**': ['\uE002', '\uE002'],
  __: ['\uE002', '\uE002'],
  '*': ['_', '_'],
  '~~': ['~', '~'],
}

/** Slack sees a style only between spaces or punctuation; Japanese has none. A space of no width will do. */
function apart(neighbour: string): string {
  return /[\p{L}\p{N}]/u.test(neighbour) ? '\u200B' : ''
}

/** Signs of our own. */
const MARKS = /[\uE000-\uE002]/g

/** Slack would show the name of the language as the first line of the code. */
function withoutLanguage(code: string): string {
  return code.replace(/^([ \t]*```)[\w+#.-]*[ \t]*\n/, '$1\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
