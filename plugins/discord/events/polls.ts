/** Votes of polls. */
import { type Client, GatewayDispatchEvents, type GatewayMessagePollVoteDispatchData } from 'discord.js'
import type { MessagePart, PlatformContext } from 'kikimimi/platform'
import type { Take } from './channel-queue.ts'

export function listenToPolls({ ws }: Client, ctx: Pick<PlatformContext, 'edit' | 'history'>, take: Take): void {
  /** Discord tells the answer alone, so the counts are kept with the message. */
  const count = (by: 1 | -1) => (data: GatewayMessagePollVoteDispatchData) => {
    void take({ ...data, id: data.message_id }, async place => {
      const { text, parts = [] } = (await ctx.history(place)).find(({ id }) => id === data.message_id) ?? {}
      if (text !== undefined)
        await ctx.edit(place, data.message_id, { text, parts: parts.map(one => counted(one, data.answer_id, by)) })
    })
  }
  ws.on(GatewayDispatchEvents.MessagePollVoteAdd, count(1))
  ws.on(GatewayDispatchEvents.MessagePollVoteRemove, count(-1))
}

/** Answers have the numbers 1, 2, 3 in their order. */
function counted(part: MessagePart, answer: number, by: 1 | -1): MessagePart {
  if (part.kind !== 'poll' || part.text === undefined) return part
  const lines = part.text.split('\n').map((line, index) => {
    return index + 1 === answer ? line.replace(/(?<!\d)\d+$/, votes => String(Math.max(0, Number(votes) + by))) : line
  })
  return { ...part, text: lines.join('\n') }
}
