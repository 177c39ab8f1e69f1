/**
 * Follows the messages of a person until a silence. Topics are found in the log when the conversation has ended: a running
 * conversation is not "last time", and deleted messages do not count.
 */
import type { BotIdentity, Database, PersonaPlace } from 'kikimimi'
import { type HeardRow, lockCounts } from './log.ts'
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
export async function followTalks(db: Database, rows: readonly HeardRow[], placeOf: (row: HeardRow) => number): Promise<void> {
  const keyOf = ({ platform, person, conversation }: Key) => JSON.stringify([platform, person, conversation])
  const news = Map.groupBy(rows, ({ author_id, ...row }) => keyOf({ ...row, person: author_id }))
  const { rows: known } = await db.query<Talk>(
    `select t.* from profiles.talk t
     join jsonb_to_recordset($1) as n(platform text, person text, conversation text) using (platform, person, conversation)
     where t.due > 'epoch'`,
    [JSON.stringify([...news.values()].map(([row]) => ({ ...row, person: row?.author_id })))],
  )
  const open = new Map(known.map(talk => [keyOf(talk), talk]))
  const talks: Talk[] = []
  for (const [key, said] of news) {
    let talk = open.get(key)
    // Messages of catch-up may be older than earlier ones.
    for (const row of said.toSorted((a, b) => Number(a.at) - Number(b.at) || a.seq - b.seq)) {
      const place = placeOf(row)
      const at = row.at.getTime()
      const goesOn = talk?.place === place && at - talk.last_at.getTime() < SILENCE_MS
      if (talk && goesOn) {
        const [first, last] = [Math.min(talk.first, row.seq), Math.max(talk.last, row.seq)]
        const lastAt = Math.max(talk.last_at.getTime(), at)
        talk = { ...talk, first, last, last_at: new Date(lastAt), due: new Date(lastAt + SILENCE_MS) }
        continue
      }
      if (talk) talks.push({ ...talk, due: OVER })
      const { platform, author_id: person, conversation, seq } = row
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

/**
 * Finds the topics of ended conversations. Returns whether there may be more.
 *
 * @param personaIn tells the names of the bot, which are no topics
 */
export function findTopics(db: Database, now: Date, personaIn: BotIdentity['personaIn']): Promise<boolean> {
  return db.transaction(async () => {
    await lockCounts(db)
    const { rows: talks } = await db.query<Talk & { readonly where: PersonaPlace }>(
      `select t.*, json_build_object('workspace', c.workspace, 'channel', c.channel, 'name', c.name, 'visibility', c.visibility) as "where"
       from (select * from profiles.talk where due <= $1 order by due, first limit $2) t
         join kikimimi_v1.conversation c on c.id = t.conversation order by t.due, t.first`,
      [now, BATCH],
    )
    if (talks.length === 0) return false
    const said = await saidIn(db, talks)
    const found = talks.flatMap(({ where, ...talk }, at) => {
      const messages = said.get(at) ?? []
      const people = messages.flatMap(({ mentions, others }) => [...others, ...mentions.map(({ name }) => name)])
      const words = topicsOf(
        messages.map(({ text }) => text),
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
  readonly text: string
  /** Names of all people who wrote there meanwhile. */
  readonly others: readonly string[]
  readonly mentions: readonly { readonly name: string }[]
}

/**
 * By the index of the conversation in the list. The rows are locked, so that a parallel deletion or edit is either seen
 * here or
 * sees the topics.
 */
async function saidIn(db: Database, talks: readonly Talk[]): Promise<Map<number, Said[]>> {
  const { rows } = await db.query<Said & { talk: number }>(
    `with n as materialized (
       select n.*, array(
         select distinct author_name from kikimimi_v1.message m where m.conversation = n.conversation and m.seq between n.first and n.last
       ) as others
       from rows from (jsonb_to_recordset($1) as (person text, conversation text, first bigint, last bigint)) with ordinality
         as n(person, conversation, first, last, position)
     ), theirs as materialized (
       select n.position, n.others, m.seq
       from n join kikimimi_v1.message m on m.conversation = n.conversation and m.seq between n.first and n.last and m.author_id = n.person
       where not m.being_forgotten
     )
     select t.position - 1 as talk, l.text, t.others, l.mentions
     from kikimimi_v1.lock_messages(array(select seq from theirs)) l join theirs t using (seq) order by seq`,
    [JSON.stringify(talks)],
  )
  const said = Map.groupBy(rows, ({ talk }) => Number(talk))
  return new Map([...said].map(([talk, messages]) => [talk, messages.slice(-MESSAGES)]))
}
