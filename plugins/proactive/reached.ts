/** Whether people reacted to a remark of the bot. */
import type { LoggedMessage, MessageLog } from 'kikimimi'
import { shareTopic, topicsIn } from './topic.ts'

export interface Reached {
  readonly channel: string
  readonly conversation: string
  /** Ids of the sent messages. */
  readonly sent: readonly string[]
}

/** Number of later messages that are examined. A reply after more messages refers to something else. */
const READ = 200

/** A message counts as an answer within this time, and among this number of first messages. */
const ANSWER_MS = 5 * 60_000
const ANSWER_MESSAGES = 3

/**
 * Answers: a reply, a thread under the remark, a reaction, a mention soon after it, or a next message with the same topic
 * or no topic.
 */
export async function reached(log: MessageLog, { channel, conversation, sent }: Reached): Promise<boolean> {
  const messages = sent.map(id => ({ channel, id }))
  const said = await log.read({ readers: 'operator', messages, limit: READ })
  const last = said.at(-1)
  if (!last) return false
  if (said.some(({ reactions = [], author }) => reactions.some(({ by }) => by.some(one => one !== author.id)))) return true

  const threads = sent.map(id => `${channel}/${encodeURIComponent(id)}`)
  const later = await log.read({
    ...{ readers: 'operator', conversations: [conversation, ...threads], people: true },
    ...{ after: last.seq, first: true, limit: READ },
  })
  const topics = topicsIn(said.map(({ text }) => text).join('\n'))
  const isAnswer = ({ text, mentions, replyTo }: LoggedMessage) => {
    if (mentions.length > 0 || replyTo !== undefined) return false
    const own = topicsIn(text)
    return own.length === 0 || shareTopic(own, topics)
  }
  const soon = later.filter(({ at }) => at.getTime() - last.at.getTime() <= ANSWER_MS)
  return (
    later.some(({ replyTo, ...one }) => sent.includes(replyTo ?? '') || threads.includes(one.conversation.id)) ||
    soon.some(({ addressed }) => addressed !== undefined) ||
    soon.slice(0, ANSWER_MESSAGES).some(isAnswer)
  )
}
