/** Reactions that are added and removed. */
import {
  type APIPartialEmoji,
  type Client,
  GatewayDispatchEvents,
  type GatewayMessageReactionAddDispatchData,
  type GatewayMessageReactionRemoveAllDispatchData,
  type GatewayMessageReactionRemoveDispatchData,
  type GatewayMessageReactionRemoveEmojiDispatchData,
} from 'discord.js'
import type { PlatformContext } from 'kikimimi/platform'
import type { Place } from '../messages/conversations.ts'
import type { Take } from './channel-queue.ts'
import type { Members } from './members.ts'

export function listenToReactions(
  { ws }: Client,
  ctx: Pick<PlatformContext, 'history' | 'log' | 'reaction'>,
  members: Pick<Members, 'told'>,
  take: Take,
): void {
  /** Discord does not name the people, so the recorded reactions are removed. */
  async function clear(place: Place, message: string, emoji?: string): Promise<void> {
    const { reactions = [] } = (await ctx.history(place)).find(({ id }) => id === message) ?? {}
    for (const known of reactions) {
      if (emoji !== undefined && known.emoji !== emoji) continue
      for (const by of known.by) await ctx.reaction(place, message, { emoji: known.emoji, by, removed: true })
    }
    if (reactions.length === 0)
      ctx.log.debug('reactions were cleared from a message that is not remembered', { messageId: message })
  }

  ws.on(GatewayDispatchEvents.MessageReactionAdd, (data: GatewayMessageReactionAddDispatchData) => {
    const emoji = written(data.emoji)
    const { message_id: message, user_id: by } = data
    members.told(data.guild_id, by, data.member)
    if (emoji !== undefined) void take({ ...data, id: message }, place => ctx.reaction(place, message, { emoji, by }))
  })
  ws.on(GatewayDispatchEvents.MessageReactionRemove, (data: GatewayMessageReactionRemoveDispatchData) => {
    const emoji = written(data.emoji)
    const { message_id: message, user_id: by } = data
    const removed = true
    if (emoji !== undefined) void take({ ...data, id: message }, place => ctx.reaction(place, message, { emoji, by, removed }))
  })
  ws.on(GatewayDispatchEvents.MessageReactionRemoveAll, (data: GatewayMessageReactionRemoveAllDispatchData) => {
    void take({ ...data, id: data.message_id }, place => clear(place, data.message_id))
  })
  ws.on(GatewayDispatchEvents.MessageReactionRemoveEmoji, (data: GatewayMessageReactionRemoveEmojiDispatchData) => {
    const emoji = written(data.emoji)
    if (emoji !== undefined) void take({ ...data, id: data.message_id }, place => clear(place, data.message_id, emoji))
  })
}

/** The notation of people: `👍`, `:party:`. A deleted emoji of a server has no name. */
function written({ id, name }: APIPartialEmoji): string | undefined {
  if (name === null) return undefined
  return id === null ? name : `:${name}:`
}
