import { channelOf, type Database, type Message, type Turn } from 'kikimimi'

export interface Wake {
  /** Time of the first message after the silence. */
  readonly at: Date
  /** Messages of people since then. */
  readonly talk: readonly Message[]
}

/** Number of messages after a silence in which a fact may be brought up. Later the conversation has its own topic. */
const FIRST = 5

/**
 * The conversation after a silence, if this batch is among its first messages. The history covers half an hour of one
 * conversation. The message log has the rest, also after a restart.
 */
export async function wakeOf(
  db: Database,
  { conversation, history, messages }: Pick<Turn, 'conversation' | 'history' | 'messages'>,
  { silence }: { readonly silence: number },
): Promise<Wake | undefined> {
  const last = messages.at(-1)
  const heard = history.slice(0, history.findIndex(({ id }) => id === last?.id) + 1)
  const begin = heard.findLastIndex((message, at) => {
    const before = heard[at - 1]
    return !before || message.at.getTime() - before.at.getTime() >= silence
  })
  const talk = heard.slice(Math.max(0, begin))
  const [opening] = talk
  // The bot already takes part.
  if (!opening || talk.length > FIRST || talk.some(({ own }) => own)) return undefined
  return (await wasSilent(db, channelOf(conversation), opening.at, silence)) ? { at: opening.at, talk } : undefined
}

/**
 * Whether a channel and all of its threads had messages before, but none for so long: a new thread in a lively channel wakes nothing. A
 * channel without earlier messages was not silent.
 */
async function wasSilent(db: Database, channel: string, at: Date, ms: number): Promise<boolean> {
  // The second part reads all months, and only after a silence.
  const { rows } = await db.query<{ silent: boolean }>(
    `select case when exists (select 1 from kikimimi_v1.message where channel = $1 and at > $3 and at < $2) then false
       else exists (select 1 from kikimimi_v1.message where channel = $1 and at < $2) end as silent`,
    [channel, at, new Date(at.getTime() - ms)],
  )
  return rows[0]?.silent === true
}
