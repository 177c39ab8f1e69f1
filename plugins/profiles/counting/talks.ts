/**
 * Follows the messages of a person until a silence. Topics are found in the log when the conversation has ended: a running
 * conversation is not "last time", and deleted messages do not count.
 */
import type { BotIdentity, Database, LoggedMessage, LogIndex, MessageLog, PersonaPlace } from 'kikimimi'
import type { Heard } from './count.ts'
import { TOPICS, topicsOf } from './topics.ts'

/** The conversation of a person has ended after this time without messages. */
export const SILENCE_MS = 30 * 60_000

/** Conversations per transaction, and number of last messages that are read of each. */
const BATCH = 50
const MESSAGES = 200

interface Talk {
  readonly platform: string
  readonly person: string
  readonly conversation: string
  readonly first: number
  readonly last: number
  readonly place: number
  readonly last_at: Date
  readonly due: Date
}

/** Marks an ended conversation. */
const OVER = new Date(0)

type Key = Pick<Talk, 'platform' | 'person' | 'conversation'>

/** Extends running conversations and begins new ones. Call it in a transaction. */
export async function followTalks(db: Database, heard: readonly Heard[]): Promise<void> {
  const keyOf = ({ platform, person, conversation }: Key) => JSON.stringify([platform, person, conversation])
  const news = Map.groupBy(heard, keyOf)
  const { rows: known } = await db.query<Talk>(
    `select t.* from profiles.talk t
     join jsonb_to_recordset($1) as n(platform text, person text, conversation text) using (platform, person, conversation)
     where t.due > 'epoch'`,
    [JSON.stringify([...news.values()].map(([one]) => one))],
  )
  const open = new Map(known.map(talk => [keyOf(talk), talk]))
  const talks: Talk[] = []
  for (const [key, said] of news) {
    let talk = open.get(key)
    // Messages of catch-up may be older than earlier ones.
    for (const { seq, place, ...row } of said.toSorted((a, b) => Number(a.at) - Number(b.at) || a.seq - b.seq)) {
      const at = row.at.getTime()
      const goesOn = talk?.place === place && at - talk.last_at.getTime() < SILENCE_MS
      if (talk && goesOn) {
        const [first, last] = [Math.min(talk.first, seq), Math.max(talk.last, seq)]
        const lastAt = Math.max(talk.last_at.getTime(), at)
        talk = { ...talk, first, last, last_at: new Date(lastAt), due: new Date(lastAt + SILENCE_MS) }
        continue
      }
      if (talk) talks.push({ ...talk, due: OVER })
      const { platform, person, conversation } = row
      talk = { platform, person, conversation, first: seq, last: seq, place, last_at: row.at, due: new Date(at + SILENCE_MS) }
    }
    if (talk) talks.push(talk)
  }
  await db.query(
    `insert into profiles.talk (platform, person, conversation, first, last, place, last_at, due)
     select platform, person, conversation, first, last, place, last_at, due
     from jsonb_to_recordset($1) as n(
       platform text, person text, conversation text, first bigint, last bigint, place int, last_at timestamptz, due timestamptz)
     on conflict (platform, person, conversation, first) do update set last = excluded.last, last_at = excluded.last_at,
       due = excluded.due`,
    [JSON.stringify(talks)],
  )
}

/** The counts. Whoever writes them holds the index, so that one writes at a time. */
export interface Counts {
  readonly db: Database
  readonly counts: Pick<LogIndex, 'hold'>
}

export interface TopicDeps extends Counts {
  readonly messages: MessageLog
  /** Tells the names of the bot, which are no topics. */
  readonly personaIn: BotIdentity['personaIn']
}

/** Finds the topics of ended conversations. Returns whether there may be more. */
export function findTopics({ db, messages, counts, personaIn }: TopicDeps, now: Date): Promise<boolean> {
  return db.transaction(async () => {
    await counts.hold()
    const { rows: talks } = await db.query<Talk & { readonly where: PersonaPlace }>(
      `select t.*, json_build_object('workspace', c.workspace, 'channel', c.channel, 'name', c.name, 'visibility', c.visibility) as "where"
       from (select * from profiles.talk where due <= $1 order by due, first limit $2) t
         join kikimimi_v1.conversation c on c.id = t.conversation order by t.due, t.first`,
      [now, BATCH],
    )
    if (talks.length === 0) return false
    const said = await saidIn(messages, talks)
    // Edited or deleted just now: the next run reads them again.
    if (!(await messages.unchanged([...said.values()].flatMap(({ theirs }) => theirs)))) return false
    const found = talks.flatMap(one => {
      const { where, ...talk } = one
      const { theirs = [], others = [] } = said.get(one) ?? {}
      const people = [...others, ...theirs.flatMap(({ mentions }) => mentions.map(({ name }) => name))]
      const words = topicsOf(
        theirs.map(({ text }) => text),
        { limit: TOPICS, except: [...personaIn(where).names, ...people] },
      )
      return words.length > 0 ? { ...talk, topics: words } : []
    })
    await db.query(
      `update profiles.activity a set topics = n.topics, topics_in = n.conversation, topics_first = n.first, topics_last = n.last,
         topics_at = n.last_at
       from (
         select distinct on (platform, person, place) * from jsonb_to_recordset($1) as t(
           platform text, person text, place int, topics jsonb, conversation text, first bigint, last bigint, last_at timestamptz)
         order by platform, person, place, last_at desc, first desc
       ) n
       where (a.platform, a.person, a.place) = (n.platform, n.person, n.place) and (a.topics_at is null or a.topics_at <= n.last_at)`,
      [JSON.stringify(found)],
    )
    await db.query(
      `delete from profiles.talk t using jsonb_to_recordset($1) as n(platform text, person text, conversation text, first bigint)
       where (t.platform, t.person, t.conversation, t.first) = (n.platform, n.person, n.conversation, n.first)`,
      [JSON.stringify(talks)],
    )
    return talks.length === BATCH
  })
}

interface Said {
  /** Their last messages. */
  readonly theirs: readonly LoggedMessage[]
  /** Names of all people who wrote there meanwhile. */
  readonly others: readonly string[]
}

/** Messages that are read at once: the last ones of a busy channel. */
const READ = 5_000

async function saidIn(log: MessageLog, talks: readonly Talk[]): Promise<ReadonlyMap<Key, Said>> {
  const said = new Map<Key, Said>()
  for (const [conversation, each] of Map.groupBy(talks, one => one.conversation)) {
    const after = Math.min(...each.map(({ first }) => first)) - 1
    const before = Math.max(...each.map(({ last }) => last)) + 1
    const messages = await log.read({ readers: 'operator', conversations: [conversation], after, before, limit: READ })
    for (const talk of each) {
      const meanwhile = messages.filter(({ seq }) => seq >= talk.first && seq <= talk.last)
      said.set(talk, {
        theirs: meanwhile.filter(({ author, own }) => !own && author.id === talk.person).slice(-MESSAGES),
        others: [...new Set(meanwhile.map(({ author }) => author.name))],
      })
    }
  }
  return said
}

/** The largest number of ended conversations that `endedBy` counts. */
const ENDED = 1_000

/** How many conversations have ended whose topics are to be found. */
export async function endedBy(db: Database, now: Date): Promise<number> {
  const { rows } = await db.query<{ ended: number }>(
    `select count(*)::int as ended from (select 1 from profiles.talk where due <= $1 limit ${ENDED}) ended`,
    [now],
  )
  return rows[0]?.ended ?? 0
}
