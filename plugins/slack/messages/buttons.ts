/** Buttons under answers of the bot. https://docs.slack.dev/reference/block-kit/blocks */
import type { types } from '@slack/bolt'
import { splitText } from 'kikimimi'
import type { Handle } from 'kikimimi/platform'

type Block = types.KnownBlock

/** Begins the action id of each button. The name of its command follows. */
export const BUTTON = 'kiki:'

/** The action id of Slack's own pair of buttons. Its value is the name of the command. */
export const FEEDBACK = `${BUTTON}feedback`

/** The longest text of a section. */
const SECTION = 3_000

const plain = (text: string) => ({ type: 'plain_text' as const, text, emoji: true })

/**
 * The blocks of a message: its text, and its buttons below. Helpful and not helpful are Slack's own feedback buttons. Without buttons
 * the list is empty, and Slack shows the text alone.
 */
export function blocksOf(markup: string, handles: readonly Handle[] = []): Block[] {
  if (handles.length === 0) return []
  const of = (command: string) => handles.find(one => one.command === command)
  const [helpful, unhelpful] = [of('helpful'), of('unhelpful')]
  const buttons = handles.filter(one => !(helpful && unhelpful && (one === helpful || one === unhelpful)))
  return [
    ...splitText(markup, SECTION).map((text): Block => ({ type: 'section', text: { type: 'mrkdwn', text }, expand: true })),
    {
      type: 'actions',
      elements: buttons.map(({ command, label, emoji }) => ({
        type: 'button',
        action_id: `${BUTTON}${command}`,
        text: plain(`${emoji} ${label}`),
      })),
    },
    ...(helpful && unhelpful ? [feedback(helpful, unhelpful)] : []),
  ]
}

function feedback(helpful: Handle, unhelpful: Handle): Block {
  const choice = ({ command, label }: Handle) => ({ text: { type: 'plain_text' as const, text: label }, value: command })
  const element = {
    type: 'feedback_buttons' as const,
    action_id: FEEDBACK,
    positive_button: choice(helpful),
    negative_button: choice(unhelpful),
  }
  return { type: 'context_actions', elements: [element] }
}
