/** A turn of the bot as a situation: read from the database when it is played, so that what was deleted or forgotten is in no case. */
import {
  type Conversation,
  channelOf,
  type Database,
  type LoggedMessage,
  type MessageLog,
  type Person,
  type Trace,
} from 'kikimimi'
import type { Line, Situation } from './stage.ts'

export interface TurnPlace {
  readonly trace: Pick<Trace, 'messages' | 'conversation'>
  readonly at: Date
  readonly conversation: Conversation
}

/** Messages before the turn that the bot has in view: more than working memory holds. */
const HISTORY = 60

/** Nothing for a turn that is no longer kept. */
export async function findTurn(db: Database, turn: string): Promise<TurnPlace | undefined> {
  const { rows } = await db.query<
    Omit<Conversation, 'thread'> & { readonly data: Trace; readonly at: Date; readonly thread: string | null }
  >(
    `select t.data, t.at, c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility
     from kikimimi_v1.trace t join kikimimi_v1.conversation c on c.id = t.conversation where t.turn = $1`,
    [turn],
  )
  const [row] = rows
  if (!row) return undefined
  const { data, at, thread, ...place } = row
  return { trace: data, at, conversation: { ...place, ...(thread !== null && { thread }) } }
}

/** Nothing if a message of the turn is deleted or forgotten. Files are not in it. */
export async function situationOf(
  log: MessageLog,
  { trace: { messages: ids }, at, conversation }: TurnPlace,
  me: Person,
): Promise<Situation | undefined> {
  const channel = channelOf(conversation)
  const messages = ids.map(id => ({ channel, id }))
  const batch = await log.read({ readers: 'operator', messages, limit: ids.length })
  const [first] = batch
  if (!first || batch.length < ids.length) return undefined
  const before = { conversations: [conversation.id], before: first.seq }
  const history = await log.read({ readers: 'operator', ...before, limit: HISTORY })
  const lines = (of: readonly LoggedMessage[]) => of.map(message => lineOf(message, me))
  return { conversation, me, history: lines(history), batch: lines(batch), at }
}

function lineOf({ id, author, own, text, mentions, replyTo, at }: LoggedMessage, me: Person): Line {
  return { id, author: own ? me : author, text, at, mentions, ...(replyTo !== undefined && { replyTo: { id: replyTo } }) }
}
