/** A turn of the bot as a situation: read from the database when it is played, so that what was deleted or forgotten is in no case. */
import type { Conversation, Database, Person, Trace } from 'kikimimi'
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
  db: Database,
  { trace: { messages }, at, conversation }: TurnPlace,
  me: Person,
): Promise<Situation | undefined> {
  const { rows } = await db.query<Row>(
    `with batch as (
       select min(seq) as first, max(seq) as last from kikimimi_v1.message where conversation = $1 and id = any($2)
     )
     (${COLUMNS} where m.conversation = $1 and m.seq < (select first from batch) and m.deleted_at is null
       order by m.seq desc limit ${HISTORY})
     union all
     (${COLUMNS} where m.conversation = $1 and m.id = any($2) and m.deleted_at is null order by m.seq)`,
    [conversation.id, messages],
  )
  const lines = rows.toSorted((one, other) => one.seq - other.seq).map(row => ({ row, line: lineOf(row, me) }))
  const batch = lines.filter(({ row }) => messages.includes(row.id)).map(({ line }) => line)
  if (batch.length < messages.length || batch.length === 0) return undefined
  const history = lines.filter(({ row }) => !messages.includes(row.id)).map(({ line }) => line)
  return { conversation, me, history, batch, at }
}

interface Row {
  readonly seq: number
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean | null
  readonly own: boolean
  readonly text: string
  readonly mentions: readonly Person[]
  readonly reply_to: string | null
  readonly at: Date
}

const COLUMNS = `select m.seq, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.text, m.mentions, m.reply_to, m.at
  from kikimimi_v1.message m`

function lineOf({ id, author_id, author_name, author_bot, own, text, mentions, reply_to, at }: Row, me: Person): Line {
  const author = own ? me : { id: author_id, name: author_name, ...(author_bot && { bot: true }) }
  return { id, author, text, at, mentions, ...(reply_to !== null && { replyTo: { id: reply_to } }) }
}
