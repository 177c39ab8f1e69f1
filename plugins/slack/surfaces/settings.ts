/** The form of the Home tab in which admins change options, as `/kiki settings` does. */
import type { types } from '@slack/bolt'
import { nodesIn, textIn } from '../messages/nodes.ts'
import type { texts } from '../texts.ts'

/** Slack shows no more entries in a list. */
const ENTRIES = 100

const SCOPES = ['everywhere', 'here'] as const

/** What a person has chosen: the channel, and the command. */
export interface Chosen {
  readonly channel: string
  readonly command: string
}

/** @param options the names of the options */
export function settingsFields(say: ReturnType<typeof texts>, options: readonly string[]): types.KnownBlock[] {
  const plain = (text: string) => ({ type: 'plain_text' as const, text })
  const scopes = SCOPES.map(value => ({ text: plain(say(`home.settings.${value}`)), value }))
  return [
    {
      type: 'input',
      block_id: 'option',
      label: plain(say('home.settings.option')),
      element: {
        type: 'static_select',
        action_id: 'option',
        options: options.slice(0, ENTRIES).map(value => ({ text: plain(value), value })),
      },
    },
    {
      type: 'input',
      block_id: 'value',
      optional: true,
      label: plain(say('home.settings.value')),
      element: { type: 'plain_text_input', action_id: 'value', max_length: 500 },
    },
    {
      type: 'input',
      block_id: 'channel',
      label: plain(say('home.settings.channel')),
      element: {
        type: 'conversations_select',
        action_id: 'channel',
        filter: { include: ['public', 'private'], exclude_bot_users: true },
      },
    },
    {
      type: 'input',
      block_id: 'scope',
      label: plain(say('home.settings.scope')),
      element: { type: 'radio_buttons', action_id: 'scope', options: scopes, ...(scopes[0] && { initial_option: scopes[0] }) },
    },
  ]
}

/** Nothing for a form that is not as Slack sends it. A direct message is no channel: everybody is an admin of their own. */
export function chosenIn(values: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Chosen | undefined {
  const field = (name: string) => nodesIn([values[name]?.[name]])[0] ?? {}
  const selected = (name: string) => textIn(nodesIn([field(name).selected_option])[0]?.value)
  const [option, value, channel] = [
    selected('option'),
    textIn(field('value').value).trim(),
    textIn(field('channel').selected_conversation),
  ]
  if (!/^[\w.-]+$/.test(option) || !/^[CG]\w+$/.test(channel)) return undefined
  const change = value === '' ? ['reset', option] : [option, value]
  return { channel, command: ['settings', ...change, ...(selected('scope') === 'here' ? ['here'] : [])].join(' ') }
}
