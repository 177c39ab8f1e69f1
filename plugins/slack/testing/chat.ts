/** Methods that post messages. */
import type { ChatPostMessageResponse } from '@slack/web-api'
import type { Events, SlackEvent } from './events.ts'
import { type Arguments, joinedChannelOf, type Methods, messageOf, SlackRefusal } from './methods.ts'
import { messageObject } from './objects.ts'
import type { SlackBlock, SlackChannel, SlackMessage, Workspace } from './workspace.ts'

export interface ChatOptions {
  readonly workspace: Workspace
  readonly events: Events
  /** Whether message metadata is stored. */
  readonly keepsMetadata: boolean
  /** Sends the app the event of its own call. */
  readonly emit: (event: SlackEvent) => void
}

/** Longest text of a message. */
const LONGEST = 40_000
/** Largest number of blocks, and longest text of a section. */
const MOST_BLOCKS = 50
const SECTION = 3_000

/** The blocks of a message. */
function blocksIn({ blocks }: Arguments): SlackBlock[] {
  const given = blocks === undefined ? [] : JSON.parse(blocks)
  const isValid = Array.isArray(given) && given.length <= MOST_BLOCKS && given.every(isBlock)
  if (!isValid) throw new SlackRefusal('invalid_blocks')
  return given
}

/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
function isBlock({ type, text, elements }: { type?: unknown; text?: { text?: unknown }; elements?: unknown }): boolean {
  if (type === 'section') return typeof text?.text === 'string' && text.text.length > 0 && text.text.length <= SECTION
  return (type === 'actions' || type === 'context_actions') && Array.isArray(elements) && elements.length > 0
}

export function createChat({ workspace, events, emit, keepsMetadata }: ChatOptions): Methods {
  const { bot } = workspace

  function own(args: Arguments, refusal: string): { channel: SlackChannel; message: SlackMessage } {
    const channel = joinedChannelOf(workspace, args)
    const message = messageOf(channel, args.ts)
    if (message.user !== bot.id) throw new SlackRefusal(refusal)
    return { channel, message }
  }

  return {
    /** Without the scope, Slack ignores the name and the picture: https://docs.slack.dev/reference/methods/chat.postMessage#authorship */
    'chat.postMessage'(args, scopes): ChatPostMessageResponse {
      const channel = joinedChannelOf(workspace, args)
      const { text = '', thread_ts, metadata, username, icon_url: icon } = args
      const blocks = blocksIn(args)
      if (channel.isArchived) throw new SlackRefusal('is_archived')
      if (text === '') throw new SlackRefusal('no_text')
      if (text.length > LONGEST) throw new SlackRefusal('msg_too_long')
      // A thread stays when its first message is deleted.
      if (thread_ts !== undefined && !channel.messages.some(one => one.thread_ts === thread_ts)) {
        messageOf(channel, thread_ts, 'thread_not_found')
      }
      const message = workspace.post(channel, {
        user: bot.id,
        bot_id: bot.botId,
        ...(scopes.includes('chat:write.customize') &&
          username && { username, ...(icon !== undefined && { icons: { image_48: icon } }) }),
        text,
        ...(blocks.length > 0 && { blocks }),
        ...(thread_ts !== undefined && { thread_ts }),
        ...(keepsMetadata && metadata !== undefined && { metadata: JSON.parse(metadata) }),
      })
      // A post ends the thinking status.
      if (thread_ts !== undefined) workspace.statuses.delete(`${channel.id}/${thread_ts}`)
      emit(events.said(channel, message))
      return { ok: true, channel: channel.id, ts: message.ts, message: messageObject(message, channel, workspace) }
    },

    'chat.update'(args) {
      const { channel, message } = own(args, 'cant_update_message')
      if ((args.text ?? '').length > LONGEST) throw new SlackRefusal('msg_too_long')
      if ((args.text ?? '') === '') throw new SlackRefusal('no_text')
      const before = { ...message }
      message.text = args.text ?? ''
      if (args.blocks !== undefined) message.blocks = blocksIn(args)
      message.edited = { user: bot.id, ts: workspace.nextTs() }
      emit(events.changed(channel, message, before))
      return { ok: true, channel: channel.id, ts: message.ts, text: message.text }
    },

    'chat.delete'(args) {
      const { channel, message } = own(args, 'cant_delete_message')
      channel.messages.splice(channel.messages.indexOf(message), 1)
      emit(events.deleted(channel, message, message))
      return { ok: true, channel: channel.id, ts: message.ts }
    },

    'chat.postEphemeral'(args) {
      joinedChannelOf(workspace, args)
      return { ok: true, message_ts: workspace.nextTs() }
    },

    'reactions.add'(args) {
      const channel = joinedChannelOf(workspace, args)
      const message = messageOf(channel, args.timestamp)
      const reaction = args.name ?? ''
      if (!/^[\p{L}\p{N}_+'-]+(?:::skin-tone-[2-6])?$/u.test(reaction)) throw new SlackRefusal('invalid_name')
      if (message.reactions.some(({ name, user }) => name === reaction && user === bot.id))
        throw new SlackRefusal('already_reacted')
      message.reactions.push({ name: reaction, user: bot.id })
      emit(events.reacted('reaction_added', { channel, message, user: bot, reaction }))
      return { ok: true }
    },

    'assistant.threads.setStatus'(args) {
      const key = `${joinedChannelOf(workspace, args).id}/${args.thread_ts}`
      if (args.status) workspace.statuses.set(key, args.status)
      else workspace.statuses.delete(key)
      return { ok: true }
    },
  }
}
