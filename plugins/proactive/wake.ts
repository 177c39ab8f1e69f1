import type { Database, Message, Turn } from 'kikimimi'

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
  const before = await lastSaidBefore(db, conversation, opening)
  // A channel without earlier messages was not silent.
  const silent = before !== undefined && opening.at.getTime() - before.getTime() >= silence
  return silent ? { at: opening.at, talk } : undefined
}

/** In the channel and all of its threads: a new thread in a lively channel wakes nothing. */
async function lastSaidBefore(
  db: Database,
  { platform, workspace, channel }: Turn['conversation'],
  { at }: Message,
): Promise<Date | undefined> {
  const { rows } = await db.query<{ at: Date | null }>(
    `select max(said.at) as at from kikimimi_v1.conversation c cross join lateral (
       select m.at from kikimimi_v1.message m where m.conversation = c.id and m.at < $4 order by m.seq desc limit 1
     ) said
     where c.platform = $1 and c.workspace = $2 and c.channel = $3`,
    [platform, workspace, channel, at],
  )
  return rows[0]?.at ?? undefined
}
