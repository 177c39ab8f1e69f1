/** The `rich_text` block that Slack makes of everything that people write. */
import type { RichTextBlock, RichTextElement } from '@slack/types'

/** @param markup the text in Slack's markup */
export function richTextOf(markup: string): RichTextBlock {
  const elements = markup.split(/(<[^<>\n]+>)/).filter(piece => piece !== '')
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: elements.map(elementOf) }] }
}

function elementOf(piece: string): RichTextElement {
  const [, sign = '', target = '', label] = /^<([@#!]?)([^|]+)(?:\|(.*))?>$/.exec(piece) ?? []
  if (sign === '@') return { type: 'user', user_id: target }
  if (sign === '#') return { type: 'channel', channel_id: target }
  if (sign === '!' && (target === 'here' || target === 'channel' || target === 'everyone')) {
    return { type: 'broadcast', range: target }
  }
  if (sign === '' && target !== '')
    return { type: 'link', url: plain(target), ...(label !== undefined && { text: plain(label) }) }
  return { type: 'text', text: plain(piece) }
}

function plain(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
