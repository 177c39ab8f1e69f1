/** What the methods of the Web API have in common. */
import type { WebAPICallResult } from '@slack/web-api'
import type { SlackChannel, SlackMessage, Workspace } from './workspace.ts'

/** The arguments of a call, as the form carries them. */
export type Arguments = Readonly<Record<string, string>>
export type Method = (args: Arguments, scopes: readonly string[]) => WebAPICallResult
export type Methods = Readonly<Record<string, Method>>

/** What a method answers when it says no: HTTP 200 with `ok: false`. */
export class SlackRefusal extends Error {}

/** Throws when the bot may not know of the channel: a private one is none to who is not in it. */
export function channelOf(workspace: Workspace, { channel = '', channel_id = channel }: Arguments): SlackChannel {
  const found = workspace.channels.get(channel_id)
  if (!found || (!found.isMember && found.kind !== 'public')) throw new SlackRefusal('channel_not_found')
  return found
}

/** Throws when the bot is not in it, too. */
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

/** The cursor is the place in the list. */
export function pageOf<T>(all: readonly T[], { cursor = '0', limit = '100' }: Arguments) {
  const end = Number(cursor) + Number(limit)
  const hasMore = end < all.length
  return { page: all.slice(Number(cursor), end), hasMore, response_metadata: { next_cursor: hasMore ? String(end) : '' } }
}
