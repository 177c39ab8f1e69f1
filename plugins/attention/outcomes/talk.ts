/** Messages of the log, as the signs and the votes need them. */
import { type Message, MessageLog, type PluginContext } from 'kikimimi'

const DAY = 24 * 60 * 60_000

/** The messages around a decision, oldest first, those of the thread that the answer opened included. */
export async function talkAround(
  ctx: Pick<PluginContext, 'use'>,
  { channel, conversation, sent }: { readonly channel: string; readonly conversation: string; readonly sent: readonly string[] },
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly Message[]> {
  const log = ctx.use(MessageLog)
  // The months of these messages: a missed one was said before.
  const months = { since: new Date(from.getTime() - 8 * DAY), until: new Date(to.getTime() + 2 * DAY) }
  const query = { readers: 'operator', ...months, limit: 500 } as const
  const answers = sent.length > 0 ? await log.read({ ...query, messages: sent.map(id => ({ channel, id })) }) : []
  const conversations = [...new Set([conversation, ...answers.map(answer => answer.conversation.id)])]
  return log.read({ ...query, conversations, receivedSince: from, receivedUntil: to, first: true })
}
