/** Other places of an app in Slack: its assistant threads, its Home tab, and buttons. */
import type { Delivery } from './delivery.ts'
import type { Events } from './events.ts'
import type { SlackChannel, SlackMessage, SlackUser, Workspace } from './workspace.ts'

export interface Surfaces {
  /**
   * A person opens a new conversation with the app in the assistant container: a thread in the direct messages, whose first message
   * is the app's. Resolves with that message.
   */
  openAssistant(person: string): Promise<SlackMessage>
  /** A person looks at another channel, `looksAt`, beside an assistant thread. */
  assistantContext(person: string, thread: string, looksAt: string): Promise<void>
  /** A person opens the app's Home, or its messages. */
  openHome(person: string, tab?: 'home' | 'messages'): Promise<void>
  /** A person presses a button of a message. Resolves with whether the app has acknowledged; otherwise Slack shows an error. */
  press(person: string, channel: string, ts: string, action: string, value?: string): Promise<boolean>
}

export interface SurfacesOptions {
  readonly workspace: Workspace
  readonly events: Events
  readonly delivery: Delivery
  /** A new address for responses to a person. */
  readonly respondTo: (user: SlackUser, channel: SlackChannel) => string
}

export function createSurfaces({ workspace, events, delivery, respondTo }: SurfacesOptions): Surfaces {
  const { bot, team, nextTs } = workspace
  const threadOf = (name: string, ts: string) => {
    const thread_ts = workspace.channel(name).messages.find(message => message.ts === ts)?.thread_ts
    return thread_ts === undefined ? {} : { thread_ts }
  }
  const thread = (person: string, thread_ts: string, channel_id?: string) => ({
    user_id: workspace.user(person).id,
    context: channel_id === undefined ? {} : { channel_id, team_id: team, enterprise_id: null },
    channel_id: workspace.channel(`@${person}`).id,
    thread_ts,
  })

  return {
    async openAssistant(person) {
      const channel = workspace.channel(`@${person}`)
      const ts = nextTs()
      const notice = { user: bot.id, bot_id: bot.botId, subtype: 'assistant_app_thread' as const, text: 'New Assistant Thread' }
      const root = workspace.post(channel, { ...notice, ts, thread_ts: ts })
      await delivery.event(events.said(channel, root))
      const assistant_thread = thread(person, ts)
      await delivery.event({ type: 'assistant_thread_started', assistant_thread, event_ts: nextTs() })
      return root
    },

    async assistantContext(person, ts, looksAt) {
      const assistant_thread = thread(person, ts, workspace.channel(looksAt).id)
      await delivery.event({ type: 'assistant_thread_context_changed', assistant_thread, event_ts: nextTs() })
    },

    async openHome(person, tab = 'home') {
      const { id: channel } = workspace.channel(`@${person}`)
      await delivery.event({ type: 'app_home_opened', user: workspace.user(person).id, channel, tab, event_ts: nextTs() })
    },

    press(person, name, ts, action, value) {
      const { id: channel } = workspace.channel(name)
      const user = workspace.user(person)
      return delivery.interaction({
        type: 'block_actions',
        user: { id: user.id, username: user.name, name: user.name, team_id: team },
        container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false, ...threadOf(name, ts) },
        channel: { id: channel, name },
        response_url: respondTo(user, workspace.channel(name)),
        actions: [
          {
            type: 'button',
            action_id: action,
            block_id: 'b1',
            text: { type: 'plain_text', text: action },
            action_ts: nextTs(),
            ...(value !== undefined && { value }),
          },
        ],
      })
    },
  }
}
