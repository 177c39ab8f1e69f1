/** Whether people reacted to a remark of the bot. */
import type { Database, Message } from 'kikimimi'
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
export async function reached(db: Database, { channel, conversation, sent }: Reached): Promise<boolean> {
  const { rows: said } = await db.query<Pick<Message, 'text' | 'at' | 'reactions'> & { seq: number; author: string }>(
    `select seq, author_id as author, text, at, reactions from kikimimi_v1.message
     where channel = $1 and id = any($2::text[]) and deleted_at is null order by seq`,
    [channel, sent],
  )
  const last = said.at(-1)
  if (!last) return false
  if (said.some(({ reactions = [], author }) => reactions.some(({ by }) => by.some(one => one !== author)))) return true

  const threads = sent.map(id => `${channel}/${encodeURIComponent(id)}`)
  const { rows: later } = await db.query<Later>(
    `select conversation, text, at, mentions, reply_to as "replyTo", addressed from kikimimi_v1.message
     where conversation = any($1::text[]) and seq > $2 and not own and not author_bot and deleted_at is null order by seq limit ${READ}`,
    [[conversation, ...threads], last.seq],
  )
  const topics = topicsIn(said.map(({ text }) => text).join('\n'))
  const isAnswer = ({ text, mentions, replyTo }: Later) => {
    if (mentions.length > 0 || replyTo !== null) return false
    const own = topicsIn(text)
    return own.length === 0 || shareTopic(own, topics)
  }
  const soon = later.filter(({ at }) => at.getTime() - last.at.getTime() <= ANSWER_MS)
  return (
    later.some(({ replyTo, ...one }) => sent.includes(replyTo ?? '') || threads.includes(one.conversation)) ||
    soon.some(({ addressed }) => addressed !== null) ||
    soon.slice(0, ANSWER_MESSAGES).some(isAnswer)
  )
}

interface Later extends Pick<Message, 'text' | 'at' | 'mentions'> {
  readonly conversation: string
  readonly replyTo: string | null
  readonly addressed: string | null
}
