/**
 * What a message shows besides its text, in Slack's markup: attachments (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments)
 * and blocks (https://docs.slack.dev/reference/block-kit/blocks).
 */
import type { MessagePart } from 'kikimimi/platform'
import { type Node, nodesIn, textIn, textOf } from './nodes.ts'
import { richText } from './rich-text.ts'

/** The parts of a message. Its `rich_text` blocks are its text, and no part. */
export function partsOf({ blocks, attachments }: { readonly blocks?: unknown; readonly attachments?: unknown }): MessagePart[] {
  const own = nodesIn(blocks).filter(({ type }) => type !== 'rich_text')
  return [blockCard(own), ...nodesIn(attachments).map(attached)].filter(part => part.title || part.text || part.url)
}

/** Names and addresses of the files of forwarded messages. */
export function forwardedFiles(attachments: unknown): readonly Node[] {
  return nodesIn(attachments).flatMap(({ files }) => nodesIn(files))
}

/** The blocks of an app as one card, whose title is the first header. */
function blockCard(blocks: readonly Node[]): MessagePart {
  const header = blocks.find(({ type }) => type === 'header')
  const lines = blocks.filter(block => block !== header).flatMap(linesOf)
  return part({ kind: 'card', title: textOf(header?.text), text: lines.join('\n') })
}

function attached(attachment: Node): MessagePart {
  const { title, title_link, author_name, service_name, from_url, original_url, footer, pretext, text, fallback } = attachment
  const url = textIn(title_link) || textIn(from_url) || textIn(original_url)
  if (attachment.is_share === true || attachment.is_msg_unfurl === true || nodesIn(attachment.message_blocks).length > 0) {
    const said = forwarded(attachment) || textIn(text) || textIn(fallback)
    return part({ kind: 'forward', title: textIn(footer), author: textIn(author_name), text: said, url })
  }
  const card = blockCard(nodesIn(attachment.blocks))
  const fields = nodesIn(attachment.fields).map(({ title, value }) => named(textIn(title), textIn(value)))
  const lines = [textIn(pretext), textIn(text), ...fields, card.text ?? '', textIn(footer)].filter(line => line !== '')
  const heading = textIn(title) || card.title || ''
  const isEmpty = heading === '' && lines.length === 0
  const author = textIn(author_name) || textIn(service_name)
  return part({ kind: 'card', title: heading, author, text: isEmpty ? preview(fallback) : lines.join('\n'), url })
}

/** The forwarded message itself, if Slack sends it in full. */
function forwarded({ message_blocks }: Node): string {
  return nodesIn(message_blocks)
    .map(({ message }) => blocksText(typeof message === 'object' && message !== null && 'blocks' in message && message.blocks))
    .filter(text => text !== '')
    .join('\n')
}

function blocksText(blocks: unknown): string {
  return [richText(blocks), ...nodesIn(blocks).flatMap(linesOf)].filter(line => line !== '').join('\n')
}

/** Slack writes `[no preview available]` where an app gives no fallback. */
function preview(fallback: unknown): string {
  const text = textIn(fallback)
  return text === '[no preview available]' ? '' : text
}

function linesOf(block: Node): readonly string[] {
  return (LINES[textIn(block.type)]?.(block) ?? []).filter(line => line !== '')
}

const LINES: Readonly<Record<string, (block: Node) => readonly string[]>> = {
  header: ({ text }) => [textOf(text)],
  markdown: ({ text }) => [textIn(text)],
  section: ({ text, fields, accessory }) => [textOf(text), ...nodesIn(fields).map(field), ...nodesIn([accessory]).map(control)],
  context: ({ elements }) => [joined(nodesIn(elements).map(control))],
  actions: ({ elements }) => [joined(nodesIn(elements).map(control))],
  image: ({ title, alt_text }) => [textOf(title) || textIn(alt_text)],
  video: ({ title, description, alt_text }) => [textOf(title) || textIn(alt_text), textOf(description)],
  table: ({ rows }) => (Array.isArray(rows) ? rows : []).map(cells => nodesIn(cells).map(cell).join(' | ')),
}

/** A text, the alternative text of an image, or the label of a button. */
function control({ type, text, alt_text }: Node): string {
  if (type === 'image') return textIn(alt_text)
  return type === 'button' ? `[${textOf(text)}]` : textOf(text)
}

function cell(node: Node): string {
  return node.type === 'rich_text' ? richText([node]) : textOf(node)
}

/** Apps write the name of a field in bold, above its value. */
function field(given: Node): string {
  const [name = '', ...value] = textOf(given).split('\n')
  return value.length === 0 ? name : named(name.replace(/^\*|\*$/g, ''), value.join(' '))
}

function named(name: string, value: string): string {
  return name === '' ? value : `${name.replace(/(?<!\s)\s*:\s*$/, '')}: ${value}`
}

function joined(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join(' ')
}

/** Without the empty fields. */
function part({ kind, ...fields }: MessagePart): MessagePart {
  return { kind, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) }
}
