/** Common parts of the Web API methods. */
import type { WebAPICallResult } from '@slack/web-api'
import type { SlackChannel, SlackMessage, Workspace } from './workspace.ts'

/** Arguments of a call, from the form. */
export type Arguments = Readonly<Record<string, string>>
export type Method = (args: Arguments, scopes: readonly string[]) => WebAPICallResult
export type Methods = Readonly<Record<string, Method>>

/** An error of a method: HTTP 200 with `ok: false`. */
export class SlackRefusal extends Error {}

/** Throws if the bot may not know the channel: private channels are hidden from non-members. */
export function channelOf(workspace: Workspace, { channel = '', channel_id = channel }: Arguments): SlackChannel {
  const found = workspace.channels.get(channel_id)
  if (!found || (!found.isMember && found.kind !== 'public')) throw new SlackRefusal('channel_not_found')
  return found
}

/** Throws also if the bot is no member. */
export function joinedChannelOf(workspace: Workspace, args: Arguments): SlackChannel {
  const found = channelOf(workspace, args)
  if (!found.isMember) throw new SlackRefusal('not_in_channel')
  return found
}

export function messageOf(channel: SlackChannel, ts: string | undefined, missing = 'message_not_found'): SlackMessage {
  const found = channel.messages.find(message => message.ts === ts)
  if (!found) throw new SlackRefusal(missing)
  return found
}

/** The cursor is the position in the list. */
export function pageOf<T>(all: readonly T[], { cursor = '0', limit = '100' }: Arguments) {
  const end = Number(cursor) + Number(limit)
  const hasMore = end < all.length
  return { page: all.slice(Number(cursor), end), hasMore, response_metadata: { next_cursor: hasMore ? String(end) : '' } }
}
