/** Other places of an app in Slack: its assistant threads, its Home tab, and buttons. */
import type { Delivery } from './delivery.ts'
import type { Events } from './events.ts'
import { type Arguments, type Methods, SlackRefusal } from './methods.ts'
import type { SlackBlock, SlackChannel, SlackMessage, SlackUser, Workspace } from './workspace.ts'

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
  /** The Home tab of a person, as the app has published it. */
  home(person: string): SlackView | undefined
  /** A person presses a button of the Home tab. */
  pressHome(person: string, action: string): Promise<boolean>
  /** The forms that the app has opened, oldest first. */
  readonly forms: readonly SlackView[]
  /**
   * A person submits a form with one value in each field: a text, the value of an entry, or the name of a channel. Slack shows an error
   * where an entry does not exist or a field is empty that is not optional; this throws.
   */
  submit(person: string, form: SlackView, values: Readonly<Record<string, string>>): Promise<boolean>
  /** The suggested prompts and the title of an assistant thread. */
  pane(thread: string): SlackPane
  /** A person presses a button of a message. Resolves with whether the app has acknowledged; otherwise Slack shows an error. */
  press(person: string, channel: string, ts: string, action: string, value?: string): Promise<boolean>
  /** A person chooses an entry of the menu of a message. */
  useMenu(person: string, channel: string, ts: string, callbackId: string): Promise<boolean>
}

/** A view of the app: its Home tab or a form. */
export interface SlackView {
  readonly type: 'home' | 'modal'
  readonly callback_id?: string
  readonly private_metadata?: string
  readonly blocks: readonly SlackBlock[]
}

/** What the app has set for an assistant thread. */
export interface SlackPane {
  prompts?: readonly { readonly title: string; readonly message: string }[]
  title?: string
}

/** What the app has shown besides messages. */
export interface Shown {
  readonly homes: Map<string, SlackView>
  readonly forms: SlackView[]
  readonly panes: Map<string, SlackPane>
  /** Trigger ids that can open a form. */
  readonly triggers: Set<string>
}

/** Methods for the places of an app besides messages. */
export function createViews(workspace: Workspace, { homes, forms, panes, triggers }: Shown): Methods {
  function viewIn({ view = '{}' }: Arguments, type: SlackView['type']): SlackView {
    const given: SlackView = JSON.parse(view)
    if (given.type !== type || !Array.isArray(given.blocks) || given.blocks.length > 100)
      throw new SlackRefusal('invalid_arguments')
    return given
  }
  const paneOf = (args: Arguments) => {
    const thread = args.thread_ts ?? ''
    const found = panes.get(thread) ?? {}
    panes.set(thread, found)
    return found
  }
  return {
    'views.publish'(args) {
      if (!workspace.users.has(args.user_id ?? '')) throw new SlackRefusal('user_not_found')
      homes.set(args.user_id ?? '', viewIn(args, 'home'))
      return { ok: true }
    },
    'views.open'(args) {
      if (!triggers.delete(args.trigger_id ?? '')) throw new SlackRefusal('expired_trigger_id')
      forms.push(viewIn(args, 'modal'))
      return { ok: true }
    },
    'assistant.threads.setSuggestedPrompts'(args) {
      paneOf(args).prompts = JSON.parse(args.prompts ?? '[]')
      return { ok: true }
    },
    'assistant.threads.setTitle'(args) {
      paneOf(args).title = args.title ?? ''
      return { ok: true }
    },
  }
}

/** A block with one field. */
interface Field {
  readonly block_id: string
  readonly optional?: boolean
  readonly element: {
    readonly type: string
    readonly options?: readonly { readonly value: string }[]
    readonly initial_option?: { readonly value: string }
    readonly initial_value?: string
  }
}

/** What Slack sends for a field. */
function filledIn(block: SlackBlock, value: string | undefined, channelId: (name: string) => string) {
  const { block_id, optional, element } = block as Field
  const { type, options = [], initial_option, initial_value } = element
  const chosen = value ?? initial_option?.value ?? initial_value
  if (chosen === undefined && optional !== true) throw new Error(`Slack: the field ${block_id} is empty.`)
  if (type === 'plain_text_input') return { type, value: chosen ?? null }
  if (type === 'conversations_select') return { type, selected_conversation: channelId(chosen ?? '') }
  const selected_option = options.find(option => option.value === chosen)
  if (!selected_option) throw new Error(`Slack: the field ${block_id} has no entry ${chosen}.`)
  return { type, selected_option }
}

export interface SurfacesOptions {
  readonly workspace: Workspace
  readonly events: Events
  readonly delivery: Delivery
  /** A new address for responses to a person. */
  readonly respondTo: (user: SlackUser, channel: SlackChannel) => string
  readonly shown: Shown
}

export function createSurfaces({ workspace, events, delivery, respondTo, shown }: SurfacesOptions): Surfaces {
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

    home: person => shown.homes.get(workspace.user(person).id),
    forms: shown.forms,
    pane: thread => shown.panes.get(thread) ?? {},

    pressHome(person, action) {
      const user = workspace.user(person)
      const trigger_id = `trigger-${nextTs()}`
      shown.triggers.add(trigger_id)
      return delivery.interaction({
        type: 'block_actions',
        trigger_id,
        user: { id: user.id, username: user.name, name: user.name, team_id: team },
        container: { type: 'view' },
        view: shown.homes.get(user.id),
        actions: [{ type: 'button', action_id: action, block_id: 'b1', action_ts: nextTs() }],
      })
    },

    submit(person, form, values) {
      const user = workspace.user(person)
      const fields = form.blocks.map(block => {
        const name = String(block.block_id)
        const filled = filledIn(block, values[name], channel => workspace.channel(channel).id)
        return [name, { [name]: filled }]
      })
      return delivery.interaction({
        type: 'view_submission',
        user: { id: user.id, username: user.name, name: user.name, team_id: team },
        view: { ...form, state: { values: Object.fromEntries(fields) } },
      })
    },

    useMenu(person, name, ts, callback_id) {
      const channel = workspace.channel(name)
      const user = workspace.user(person)
      return delivery.interaction({
        type: 'message_action',
        callback_id,
        user: { id: user.id, username: user.name, name: user.name, team_id: team },
        channel: { id: channel.id, name },
        message_ts: ts,
        message: { type: 'message', ts, ...threadOf(name, ts) },
        response_url: respondTo(user, channel),
      })
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
