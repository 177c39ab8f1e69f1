/** Users, channels, files and messages in Slack's format, for events and responses. */
import { richTextOf } from './rich-text.ts'
import type { SharedFile, SlackChannel, SlackMessage, SlackReaction, SlackUser, Workspace } from './workspace.ts'

export function userObject(
  { id, name, bot = false, isAdmin = false, isOwner = false, isGuest = false, isStranger = false }: SlackUser,
  own: string,
) {
  const team = isStranger ? 'TELSEWHERE' : own
  return {
    id,
    team_id: team,
    name,
    deleted: false,
    color: '9f69e7',
    real_name: name,
    tz: 'Asia/Tokyo',
    tz_label: 'Japan Standard Time',
    tz_offset: 32_400,
    profile: {
      title: '',
      phone: '',
      skype: '',
      real_name: name,
      real_name_normalized: name,
      display_name: name,
      display_name_normalized: name,
      status_text: '',
      status_text_canonical: '',
      status_emoji: '',
      status_emoji_display_info: [],
      status_expiration: 0,
      avatar_hash: '',
      first_name: name,
      last_name: '',
      image_24: '',
      image_32: '',
      image_48: '',
      image_72: '',
      image_192: '',
      image_512: '',
      team,
      fields: {},
    },
    is_admin: isAdmin,
    is_owner: isOwner,
    is_primary_owner: false,
    is_restricted: isGuest,
    is_ultra_restricted: false,
    ...(isStranger && { is_stranger: true }),
    is_bot: bot,
    updated: 0,
    is_email_confirmed: true,
    is_app_user: false,
    locale: 'ja-JP',
    who_can_share_contact_card: 'EVERYONE',
  }
}

export function channelType({ kind }: SlackChannel): 'channel' | 'group' | 'im' {
  return kind === 'public' ? 'channel' : kind === 'private' ? 'group' : 'im'
}

export function channelObject({ id, name, kind, user, creator, topic, purpose, isMember, isShared, isArchived }: SlackChannel) {
  if (kind === 'direct') return { id, is_im: true, ...(user !== undefined && { user }) }
  return {
    id,
    name,
    name_normalized: name,
    is_channel: true,
    is_private: kind === 'private',
    is_shared: isShared,
    is_ext_shared: isShared,
    is_org_shared: false,
    is_pending_ext_shared: false,
    is_member: isMember,
    is_archived: isArchived,
    topic: { value: topic, creator: '', last_set: 0 },
    purpose: { value: purpose, creator: '', last_set: 0 },
    ...(creator !== undefined && { creator }),
  }
}

export function messageObject(message: SlackMessage, channel: SlackChannel, { team }: Workspace) {
  const { ts, user, text, thread_ts, parent_user_id, bot_id, edited, reactions, metadata, files, attachments } = message
  const { username, icons } = message
  const subtype = username === undefined ? message.subtype : 'bot_message'
  const isWritten = text !== '' && bot_id === undefined && (subtype === undefined || subtype === 'thread_broadcast')
  const blocks = message.blocks ?? (isWritten ? [richTextOf(text)] : undefined)
  // The types of events and of responses differ.
  const shown: object = {
    ...(subtype !== undefined && { subtype }),
    ...(blocks && { blocks }),
    ...(attachments && { attachments }),
    // Such a message has no user.
    ...(username !== undefined && { username, user: undefined, ...(icons && { icons }) }),
  }
  return {
    type: 'message' as const,
    ts,
    user,
    text,
    team,
    ...(thread_ts !== undefined && { thread_ts }),
    ...(parent_user_id !== undefined && { parent_user_id }),
    ...(bot_id !== undefined && { bot_id }),
    ...(edited && { edited }),
    ...shown,
    ...(metadata && { metadata }),
    ...(files && { files: files.map(file => sharedFile(file, { channel, user, team })) }),
    ...(reactions.length > 0 && { reactions: reactionObjects(reactions) }),
  }
}

function reactionObjects(reactions: readonly SlackReaction[]) {
  return Array.from(
    Map.groupBy(reactions, ({ name }) => name),
    ([name, all]) => {
      const users = all.map(({ user }) => user)
      return { name, users, count: users.length }
    },
  )
}

/** The types of the package do not have the short form: https://docs.slack.dev/reference/objects/file-object#slack_connect_files */
function sharedFile(file: SharedFile, where: { channel: SlackChannel; user: string; team: string }) {
  const whole = fileObject(file, where)
  return file.connected ? ({ id: file.id, file_access: 'check_file_info' } as typeof whole) : whole
}

export function fileObject(
  { id, name, mimetype, content, url_private, subtype, transcription }: SharedFile,
  { channel, user, team }: { channel: SlackChannel; user: string; team: string },
) {
  const filetype = mimetype.replace(/^.*\//, '')
  return {
    id,
    created: 0,
    timestamp: 0,
    name,
    title: name,
    mimetype,
    filetype,
    pretty_type: filetype.toUpperCase(),
    user,
    user_team: team,
    editable: false,
    size: content?.length ?? 0,
    mode: content ? ('hosted' as const) : ('external' as const),
    is_external: content === undefined,
    external_type: '',
    is_public: channel.kind === 'public',
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private,
    url_private_download: url_private,
    ...(subtype && { subtype }),
    ...(transcription && {
      transcription: { status: 'complete', locale: 'en-US', preview: { content: transcription, has_more: false } },
    }),
    media_display_type: 'unknown',
    permalink: url_private,
    permalink_public: url_private,
    is_starred: false,
    has_rich_preview: false,
    file_access: 'visible',
    channels: [channel.id],
    groups: [],
  }
}
