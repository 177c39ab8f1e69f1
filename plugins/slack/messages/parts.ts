/**
 * What a message shows besides its text, in Slack's markup: its blocks, and attachments
 * (https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments).
 */
import type { MessagePart } from 'kikimimi/platform'
import { linesOf, named } from './blocks.ts'
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
  const lines = blocks.filter(block => block !== header).flatMap(block => linesOf(block))
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
  return [richText(blocks), ...nodesIn(blocks).flatMap(block => linesOf(block))].filter(line => line !== '').join('\n')
}

/** Slack writes `[no preview available]` where an app gives no fallback. */
function preview(fallback: unknown): string {
  const text = textIn(fallback)
  return text === '[no preview available]' ? '' : text
}

/** Without the empty fields. */
function part({ kind, ...fields }: MessagePart): MessagePart {
  return { kind, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')) }
}
