/**
 * Rich text, the form in which people write: https://docs.slack.dev/reference/block-kit/blocks/rich-text-block
 *
 * It becomes Slack's markup, with lists, quotes and code as people see them. Bold and italic are left out.
 */
import { emojiNamed } from './emoji.ts'
import { escaped } from './mrkdwn.ts'
import { type Node, nodesIn, textIn } from './nodes.ts'

/** The text of the `rich_text` blocks, in Slack's markup. Empty without such blocks. */
export function richText(blocks: unknown): string {
  return nodesIn(blocks)
    .filter(({ type }) => type === 'rich_text')
    .flatMap(({ elements }) => nodesIn(elements).map(part))
    .map(text => text.replace(/\n$/, ''))
    .join('\n')
}

function part(node: Node): string {
  const { type, border } = node
  const text = type === 'rich_text_list' ? list(node) : inline(node)
  const shown = type === 'rich_text_preformatted' ? `\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\`` : text
  return type === 'rich_text_quote' || border === 1 ? shown.replace(/^/gm, '&gt; ') : shown
}

function list({ elements, style, indent, offset }: Node): string {
  const margin = '  '.repeat(Math.min(numberIn(indent), 8))
  return nodesIn(elements)
    .map((item, index) => `${margin}${style === 'ordered' ? `${numberIn(offset) + index + 1}.` : '•'} ${inline(item)}`)
    .join('\n')
}

function inline({ elements }: Node): string {
  return nodesIn(elements).map(element).join('')
}

function element(node: Node): string {
  const { type, style } = node
  const shown = ELEMENTS[textIn(type)]?.(node) ?? escaped(textIn(node.text))
  const { code, strike } = typeof style === 'object' && style !== null ? (style as Node) : {}
  return strike === true ? `~${shown}~` : code === true ? `\`${shown}\`` : shown
}

const ELEMENTS: Readonly<Record<string, (node: Node) => string>> = {
  user: ({ user_id }) => `<@${textIn(user_id)}>`,
  channel: ({ channel_id }) => `<#${textIn(channel_id)}>`,
  usergroup: ({ usergroup_id }) => `<!subteam^${textIn(usergroup_id)}>`,
  broadcast: ({ range }) => `<!${textIn(range)}>`,
  date: ({ fallback, timestamp }) => escaped(textIn(fallback) || new Date(numberIn(timestamp) * 1_000).toISOString()),
  color: ({ value }) => textIn(value),

  link({ url, text }) {
    const target = escaped(textIn(url).replaceAll('|', '%7C'))
    return text ? `<${target}|${escaped(textIn(text).replaceAll('\n', ' '))}>` : `<${target}>`
  },

  emoji({ name, unicode }) {
    const points = textIn(unicode)
    return /^[\da-f]{2,6}(?:-[\da-f]{2,6})*$/.test(points)
      ? String.fromCodePoint(...points.split('-').map(point => Math.min(Number.parseInt(point, 16), 0x10ffff)))
      : emojiNamed(textIn(name))
  },
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value < 1e11 ? value : 0
}
