/** Actions of people in Slack, and the events that the app gets for them. */
import type { Commands } from './commands.ts'
import type { Delivery } from './delivery.ts'
import type { Events } from './events.ts'
import { messageOf } from './methods.ts'
import { richTextOf } from './rich-text.ts'
import type {
  ChannelKind,
  SlackAttachment,
  SlackBlock,
  SlackChannel,
  SlackFile,
  SlackGroup,
  SlackMessage,
  SlackUser,
  Workspace,
} from './workspace.ts'

export interface SlackSaid {
  /** Name of a user, who is created when there is none of this name. */
  readonly author: string
  /** Name of a channel, which is created when there is none of this name. `@alice`: alice's direct messages with the bot. */
  readonly channel: string
  /** As people type it: `<`, `>` and `&` are escaped, and `@name` and `#name` stay as they are. */
  readonly text: string
  /** `ts` of the message whose thread it belongs to. */
  readonly thread?: string
  /** Also shown in the channel. */
  readonly broadcast?: boolean
  /** Mentions the bot. */
  readonly mention?: boolean
  /** `ts` of the message. Default: a new one. The same `ts` twice is the same message. */
  readonly ts?: string
  /** The author is another app. */
  readonly bot?: boolean
  readonly files?: readonly SlackFile[]
  /** Default: `rich_text` with the text, if a person writes. */
  readonly blocks?: readonly SlackBlock[]
  /** Cards, unfurled links, or shared messages. */
  readonly attachments?: readonly SlackAttachment[]
  /** The text is Slack's own markup, `<@U1>` and all. */
  readonly raw?: boolean
  /** Delivers no event: for messages written while the app is offline. */
  readonly quietly?: boolean
}

export interface Telling {
  /** Leaves out `previous_message`, which Slack sends although its documentation does not mention it. */
  readonly briefly?: boolean
}

export interface People {
  /** Resolves when the app has acknowledged the event, or after 3 s. A mention is delivered as two events, as Slack does. */
  say(said: SlackSaid): Promise<SlackMessage>
  edit(channel: string, ts: string, text: string, how?: Telling): Promise<void>
  delete(channel: string, ts: string, how?: Telling): Promise<void>
  /** A person shares a message in another channel, with a comment. Resolves with the new message. */
  share(
    author: string,
    message: { readonly channel: string; readonly ts: string },
    to: string,
    text?: string,
  ): Promise<SlackMessage>
  /** Slack shows previews of the links of a message, some time after it was written. */
  unfurl(channel: string, ts: string, attachments: readonly SlackAttachment[], how?: Telling): Promise<void>
  pin(author: string, channel: string, ts: string): Promise<void>
  /** The app has not asked for the event of it. */
  unpin(channel: string, ts: string): void
  setTopic(author: string, channel: string, topic: string): Promise<void>
  setPurpose(author: string, channel: string, purpose: string): Promise<void>
  /** `name` is Slack's, without colons. */
  react(author: string, channel: string, ts: string, name: string): Promise<void>
  unreact(author: string, channel: string, ts: string, name: string): Promise<void>
  /** Uses a slash command. {@link SlackEmulator.seen} shows the response. */
  command(author: string, channel: string, command: string, text: string): Promise<void>
  /** Returns a channel by name, and creates it when there is none. */
  channel(name: string, kind?: ChannelKind): SlackChannel
  rename(channel: string, name: string): Promise<void>
  /** Converts a public channel to a private one. */
  makePrivate(channel: string): Promise<void>
  /** Shares a channel with another organization. `quietly`: without an event. */
  connect(channel: string, how?: { readonly quietly?: boolean }): Promise<void>
  /** Ends the sharing. */
  disconnect(channel: string): Promise<void>
  /** A guest is added to a channel. */
  invite(guest: string, channel: string): Promise<void>
  archive(channel: string): Promise<void>
  unarchive(channel: string): Promise<void>
  deleteChannel(channel: string): Promise<void>
  /** Adds the bot to a channel. */
  join(channel: string, inviter?: string): Promise<void>
  /** Removes the bot from a channel. */
  leave(channel: string): Promise<void>
  renameUser(name: string, to: string): Promise<void>
  /** Creates a user group, or changes its members. `quietly`: without an event. */
  group(handle: string, members: readonly string[], how?: { readonly quietly?: boolean }): Promise<SlackGroup>
  renameGroup(handle: string, to: string): Promise<void>
  /** Returns a user by name, and creates the user when there is none. */
  user(name: string): SlackUser
}

export interface PeopleOptions {
  readonly workspace: Workspace
  readonly events: Events
  readonly delivery: Delivery
  readonly commands: Commands
}

export function createPeople({ workspace, events, delivery, commands }: PeopleOptions): People {
  const { bot } = workspace
  const tell = delivery.event

  /** Something happens in a channel, and people see it there. */
  async function happens(channel: SlackChannel, notice: Parameters<Workspace['post']>[1]): Promise<void> {
    await tell(events.said(channel, workspace.post(channel, notice)))
  }

  const people: People = {
    async say({ author, channel: name, text, mention = false, bot: isBot = false, raw = false, ...said }) {
      const user = workspace.user(author, isBot)
      const channel = workspace.channel(name)
      const escaped = raw ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      const message = workspace.post(channel, {
        user: user.id,
        text: mention ? `<@${bot.id}> ${escaped}` : escaped,
        ...(said.files && { files: said.files }),
        ...(said.blocks && { blocks: said.blocks }),
        ...(said.attachments && { attachments: said.attachments }),
        ...(said.ts !== undefined && { ts: said.ts }),
        ...(said.thread !== undefined && { thread_ts: said.thread }),
        ...(said.broadcast && { subtype: 'thread_broadcast' }),
        ...(isBot && { bot_id: `B${user.id.slice(1)}` }),
      })
      if (said.quietly) return message
      const origin = { team: workspace.team, isShared: channel.isShared }
      const told = [tell(events.said(channel, message), origin)]
      if (mention && channel.kind !== 'direct') told.push(tell(events.mentioned(channel, message), origin))
      await Promise.all(told)
      return message
    },

    async edit(name, ts, text, { briefly } = {}) {
      const channel = workspace.channel(name)
      const message = messageOf(channel, ts)
      const before = { ...message }
      message.text = text
      delete message.blocks
      message.edited = { user: message.user, ts: workspace.nextTs() }
      await tell(events.changed(channel, message, briefly ? undefined : before))
    },

    async delete(name, ts, { briefly } = {}) {
      const channel = workspace.channel(name)
      const message = messageOf(channel, ts)
      channel.messages.splice(channel.messages.indexOf(message), 1)
      await tell(events.deleted(channel, message, briefly ? undefined : message))
    },

    share(author, { channel: from, ts }, to, text = '') {
      const channel = workspace.channel(from)
      const message = messageOf(channel, ts)
      const url = `${workspace.origin}/archives/${channel.id}/p${ts.replace('.', '')}`
      const shared = {
        ...{ is_share: true, is_msg_unfurl: true, ts, from_url: url, channel_id: channel.id, fallback: message.text },
        ...{ author_id: message.user, author_name: workspace.users.get(message.user)?.name ?? message.user },
        ...{ text: message.text, footer: `Posted in #${channel.name}` },
        message_blocks: [{ message: { blocks: message.blocks ?? [richTextOf(message.text)] } }],
      }
      return people.say({ author, channel: to, text, attachments: [shared] })
    },

    async unfurl(name, ts, attachments, { briefly } = {}) {
      const channel = workspace.channel(name)
      const message = messageOf(channel, ts)
      const before = { ...message }
      message.attachments = attachments
      await tell(events.changed(channel, message, briefly ? undefined : before))
    },

    async pin(author, name, ts) {
      const channel = workspace.channel(name)
      const { user, text } = messageOf(channel, ts)
      const { id } = workspace.user(author)
      channel.pins.push(ts)
      const pinned = { author_id: user, author_name: workspace.users.get(user)?.name ?? user, text, fallback: text, ts }
      const notice = { user: id, subtype: 'pinned_item' as const, text: `<@${id}> pinned a message to this channel.` }
      await happens(channel, { ...notice, attachments: [pinned] })
    },

    unpin(name, ts) {
      const { pins } = workspace.channel(name)
      pins.splice(pins.indexOf(ts), 1)
    },

    async setTopic(author, name, topic) {
      const channel = workspace.channel(name)
      const { id } = workspace.user(author)
      channel.topic = topic
      await happens(channel, { user: id, subtype: 'channel_topic', topic, text: `<@${id}> set the channel topic: ${topic}` })
    },

    async setPurpose(author, name, purpose) {
      const channel = workspace.channel(name)
      const { id } = workspace.user(author)
      channel.purpose = purpose
      const text = `<@${id}> set the channel description: ${purpose}`
      await happens(channel, { user: id, subtype: 'channel_purpose', purpose, text })
    },

    async react(author, name, ts, reaction) {
      const channel = workspace.channel(name)
      const message = messageOf(channel, ts)
      const user = workspace.user(author)
      message.reactions.push({ name: reaction, user: user.id })
      await tell(events.reacted('reaction_added', { channel, message, user, reaction }))
    },

    async unreact(author, name, ts, reaction) {
      const channel = workspace.channel(name)
      const message = messageOf(channel, ts)
      const user = workspace.user(author)
      const at = message.reactions.findIndex(one => one.name === reaction && one.user === user.id)
      if (at >= 0) message.reactions.splice(at, 1)
      await tell(events.reacted('reaction_removed', { channel, message, user, reaction }))
    },

    command: (author, name, command, text) => commands.run(workspace.user(author), workspace.channel(name), command, text),

    channel: (name, kind) => workspace.channel(name, kind),

    async rename(name, to) {
      const channel = workspace.channel(name)
      channel.name = to
      await tell(events.renamed(channel))
    },

    async makePrivate(name) {
      const channel = workspace.channel(name)
      channel.kind = 'private'
      const text = 'made this channel *private*. Now, it can only be viewed or joined by invitation.'
      await happens(channel, { user: 'UADMIN', subtype: 'channel_convert_to_private', text })
    },

    async connect(name, { quietly = false } = {}) {
      const channel = workspace.channel(name)
      channel.isShared = true
      if (!quietly) await tell(events.shared(channel))
    },

    async disconnect(name) {
      const channel = workspace.channel(name)
      channel.isShared = false
      await tell(events.shared(channel))
    },

    async invite(guest, name) {
      const user = workspace.user(guest)
      user.isGuest = true
      await tell(events.joined(workspace.channel(name), user))
    },

    async archive(name) {
      const channel = workspace.channel(name)
      channel.isArchived = true
      await tell(events.archived(channel))
    },

    async unarchive(name) {
      const channel = workspace.channel(name)
      channel.isArchived = false
      await tell(events.unarchived(channel))
    },

    async deleteChannel(name) {
      const channel = workspace.channel(name)
      workspace.delete(channel)
      await tell(events.channelDeleted(channel))
    },

    async join(name, inviter) {
      const channel = workspace.channel(name)
      channel.isMember = true
      await tell(events.joined(channel))
      if (inviter === undefined) return
      const { id } = workspace.user(inviter)
      const text = `<@${bot.id}> has joined the channel`
      await happens(channel, { user: bot.id, subtype: 'channel_join', inviter: id, text })
    },

    async leave(name) {
      const channel = workspace.channel(name)
      channel.isMember = false
      await tell(events.left(channel))
    },

    user: name => workspace.user(name),

    async renameUser(name, to) {
      const user = workspace.user(name)
      user.name = to
      await tell(events.userChanged(user))
    },

    async group(handle, members, { quietly = false } = {}) {
      const known = workspace.groups.find(one => one.handle === handle)
      const group = known ?? { id: `S${workspace.groups.length + 1}`, handle, name: `The ${handle}`, users: [] }
      if (!known) workspace.groups.push(group)
      group.users = members.map(name => workspace.user(name).id)
      if (!quietly) await tell(events.groupChanged('subteam_members_changed', group))
      return group
    },

    async renameGroup(handle, to) {
      const group = workspace.groups.find(one => one.handle === handle)
      if (!group) throw new Error(`There is no user group ${handle}.`)
      group.handle = to
      await tell(events.groupChanged('subteam_updated', group))
    },
  }
  return people
}
