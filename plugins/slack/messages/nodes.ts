/** Blocks and attachments in Slack's format. Apps and people can put anything into them, so every field is read with care. */

/** An object whose fields may be anything. */
export type Node = Readonly<Record<string, unknown>>

/** The objects of a list; nothing for another value. */
export function nodesIn(value: unknown): readonly Node[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'object' && one !== null) : []
}

/** The string; empty for another value. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The text of a text object such as `{ type: 'mrkdwn', text }`, or of a string. */
export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'text' in value ? textIn(value.text) : textIn(value)
}
