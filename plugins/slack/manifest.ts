/** The manifest of the bot's Slack app: https://docs.slack.dev/reference/app-manifest */
import { NEEDED, WANTED } from './web-api/scopes.ts'

/**
 * The manifest. docs/slack.md shows the same.
 *
 * @param address where people install the app by OAuth, such as `https://kiki.example.com`. Absent: in one workspace, from the page of
 *   the app
 */
export function manifest(name: string, address?: string) {
  const isDistributed = address !== undefined
  return {
    display_information: { name, description: DESCRIPTION },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      agent_view: { agent_description: DESCRIPTION, suggested_prompts: PROMPTS },
      bot_user: { display_name: name, always_online: true },
      shortcuts: SHORTCUTS,
      slash_commands: [
        { command: `/${name}`, description: 'Ask the bot', usage_hint: 'help, or what did I miss?', should_escape: true },
      ],
    },
    oauth_config: {
      ...(isDistributed && { redirect_urls: [`${address}/slack/oauth_redirect`] }),
      scopes: { bot: [...NEEDED, ...Object.keys(WANTED)].sort() },
    },
    settings: {
      event_subscriptions: { bot_events: EVENTS },
      interactivity: { is_enabled: true },
      org_deploy_enabled: isDistributed,
      socket_mode_enabled: true,
      token_rotation_enabled: isDistributed,
    },
  }
}

const DESCRIPTION = 'Listens, remembers, and speaks when it has something to give.'

/** Entries of the menu of a message, for the commands of the plugins remember and reply. */
const SHORTCUTS = [
  { name: 'Remember this', type: 'message', callback_id: 'kiki:remember-this', description: 'The bot remembers the message' },
  {
    name: 'Explain this',
    type: 'message',
    callback_id: 'kiki:explain-this',
    description: 'The bot explains the message to you alone',
  },
]

/** What the assistant pane suggests before the bot does. */
const PROMPTS = [
  { title: 'What did I miss?', message: 'What did I miss?' },
  { title: 'What do you know about me?', message: 'What do you know about me?' },
]

const EVENTS = [
  ...['app_home_opened', 'app_mention', 'app_uninstalled', 'assistant_thread_context_changed', 'assistant_thread_started'],
  ...['channel_archive', 'channel_deleted', 'channel_left', 'channel_rename', 'channel_shared'],
  ...['channel_unarchive', 'channel_unshared'],
  ...['group_archive', 'group_deleted', 'group_left', 'group_rename', 'group_unarchive', 'member_joined_channel'],
  ...['message.channels', 'message.groups', 'message.im', 'message.mpim', 'reaction_added', 'reaction_removed'],
  ...['subteam_created', 'subteam_members_changed', 'subteam_updated', 'tokens_revoked', 'user_change'],
]

/** The address of the page that creates the app. */
export function appLink(name: string): string {
  return `https://api.slack.com/apps?new_app=1&manifest_json=${encodeURIComponent(JSON.stringify(manifest(name)))}`
}
