/** What the bot may do in a channel. https://discord.com/developers/docs/topics/permissions */
import { PermissionFlagsBits } from 'discord-api-types/v10'
import { type Answer, Refusal, tooEarly } from './answers.ts'
import { isThread } from './data.ts'
import type { Channel, World } from './world.ts'

const NAMES = [
  ...(['SendMessages', 'SendMessagesInThreads', 'ReadMessageHistory', 'AddReactions', 'CreatePublicThreads'] as const),
  ...(['SendPolls', 'Connect', 'Speak', 'ManageWebhooks'] as const),
]
export type Permission = (typeof NAMES)[number]
export const PERMISSIONS = Object.fromEntries(NAMES.map(name => [name, PermissionFlagsBits[name]])) as Readonly<
  Record<Permission, bigint>
>

/** A thread has the permissions of its channel. */
export function may({ channels }: World, channel: Channel, permission: Permission): boolean {
  const { denied } = channels.get(channel.parent ?? '') ?? channel
  return !(denied & PERMISSIONS[permission])
}

export function demand(world: World, channel: Channel, ...permissions: readonly Permission[]): void {
  if (!permissions.every(one => may(world, channel, one))) throw new Refusal(403, 50013, 'Missing Permissions')
}

/** The refusal of a message of the bot. Nothing if it may be posted. */
export function checkPost(world: World, channel: Channel): Answer | undefined {
  if (channel.isClosed) throw new Refusal(403, 50007, 'Cannot send messages to this user')
  demand(world, channel, isThread(channel) ? 'SendMessagesInThreads' : 'SendMessages')
  if (channel.isLocked) throw new Refusal(403, 160005, 'This thread is locked')
  const last = [...channel.messages.values()].findLast(({ author }) => author.id === world.bot.id)
  const left = last ? Date.parse(last.timestamp) + channel.slowModeMs - Date.now() : 0
  if (left <= 0) return undefined
  return tooEarly(left, { code: 20016, message: 'This action cannot be performed due to slowmode rate limit' })
}

export function checkOpen({ archived }: Channel): void {
  if (archived) throw new Refusal(400, 50083, 'Thread is archived')
}
