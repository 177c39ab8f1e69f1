/** The words that were learned, with who said what they mean. */
import {
  type Conversation,
  channelOf,
  type Database,
  type ForgottenPerson,
  MessageLog,
  type Person,
  type PluginContext,
} from 'kikimimi'
import { type Definition, definitionsIn, keyOf } from './definitions.ts'

/** A word as somebody explained it. */
export interface Word {
  readonly id: number
  readonly channel: string
  readonly message: string
  readonly word: string
  readonly meaning: string
  readonly person: string | null
  readonly author: string
  readonly authorName: string
  readonly at: Date
}

/** What one person can explain in a place; older entries go. */
const OF_PERSON = 100
/** Entries that are read at once. */
const MOST = 200

export type Words = ReturnType<typeof createWords>

export function createWords({ db, bot, use }: Pick<PluginContext, 'bot' | 'db' | 'use'>) {
  const log = use(MessageLog)
  return {
    /** Stores definitions of a conversation, of which the messages must still say what they said. */
    async learn(conversation: string, channel: string, definitions: readonly Definition[]): Promise<void> {
      for (const definition of definitions) await learnOne({ db, log }, conversation, channel, definition)
    },

    /**
     * Words of a channel that everybody who reads the conversation may read, the latest first.
     *
     * @param only words by their keys, or those that a text can have; absent: all
     */
    async find(
      { id }: Conversation,
      channel: string,
      only: { readonly key?: string; readonly within?: string } = {},
    ): Promise<readonly Word[]> {
      const { rows } = await db.query<Word>(FIND, [id, channel, only.key ?? null, only.within ?? null, MOST])
      return rows
    },

    async drop(ids: readonly number[]): Promise<void> {
      if (ids.length > 0) await db.query('select words.drop($1)', [ids])
    },

    /** Reads again the messages of words that have changed: what they no longer say is forgotten. */
    async renew(): Promise<void> {
      const { rows: stale } = await db.query<{ id: number }>('select id from words.word where stale order by id limit $1', [MOST])
      for (const { id } of stale) {
        const { rows: sources } = await db.query<Source>(SOURCES, [id])
        const read = sources.map(({ conversation, first, last }) =>
          log.read({ readers: 'operator', conversations: [conversation], after: first - 1, before: last + 1, limit: MOST }),
        )
        const messages = (await Promise.all(read)).flat()
        const last = messages.at(-1)
        const found = last ? definitionsIn([last], messages, bot.personaIn(last.conversation).names) : []
        await db.transaction(async () => {
          // An edit locks the message before what was made of it.
          const isUnchanged = await log.unchanged(messages)
          await this.drop([id])
          if (last && isUnchanged) await this.learn(last.conversation.id, channelOf(last.conversation), found)
        })
      }
    },

    async forget({ platform, id, before }: ForgottenPerson): Promise<void> {
      const { rows } = await db.query<Pick<Word, 'id'>>(
        `select id from words.word where starts_with(channel, $1) and at <= $2 and $3 in (author, person)`,
        [`${encodeURIComponent(platform)}/`, before, id],
      )
      await this.drop(rows.map(row => row.id))
    },
  }
}

async function learnOne(
  { db, log }: { readonly db: Database; readonly log: MessageLog },
  conversation: string,
  channel: string,
  definition: Definition,
): Promise<void> {
  const { word, meaning, person, said, question } = definition
  const read = question ? [question, said] : [said]
  const found = await log.read({ readers: 'operator', messages: read.map(({ id }) => ({ channel, id })), limit: read.length })
  const seq = found.find(({ id }) => id === said.id)?.seq
  const isThere = read.every(({ id, text }) => found.some(one => one.id === id && one.text === text))
  if (seq === undefined || !isThere) return
  await db.transaction(async () => {
    if (!(await log.unchanged(found))) return
    // One at a time, so that an entry and its sources belong together.
    await db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`words ${channel} ${keyOf(word)} ${said.author.id}`])
    const values = [conversation, seq, keyOf(word), said.author.id]
    const { rows: ids } = await db.query<{ id: number; at: Date | null; place: string; visibility: string }>(ID, values)
    const { id, at, place, visibility } = ids[0] ?? {}
    if (at && at > said.at) return
    await db.query(`select kikimimi_v1.made_from('words', $1, $2, $3, $3)`, [
      ...[String(id), found.map(one => one.conversation.id), found.map(one => one.seq)],
    ])
    await db.query(KEEP, [
      ...[id, place, visibility, channel, said.id, word, keyOf(word), meaning, person ?? null],
      ...[said.author.id, said.author.name, said.at],
    ])
    const { rows: old } = await db.query<{ id: number }>(
      'select id from words.word where author = $1 and place = $2 order by at desc, id desc offset $3',
      [said.author.id, place, OF_PERSON],
    )
    if (old.length > 0) await db.query('select words.drop($1)', [old.map(row => row.id)])
  })
}

const ID = `
  select coalesce(w.id, nextval('words.word_id')) as id, w.at, p.place, p.visibility
  from kikimimi_v1.place_of($1, null, $2) p
  left join words.word w on w.place = p.place and w.visibility = p.visibility and w.key = $3 and w.author = $4`

const KEEP = `
  insert into words.word (id, place, visibility, channel, message, word, key, meaning, person, author, author_name, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (place, visibility, key, author) do update set message = excluded.message, word = excluded.word,
    meaning = excluded.meaning, person = excluded.person, author_name = excluded.author_name, at = excluded.at, stale = false`

const FIND = `
  with told as (
    select array_agg(place) as places, array_agg(visibility) as visibilities
    from (select distinct place, visibility from words.word where channel = $2) one
  )
  select w.id, w.channel, w.message, w.word, w.meaning, w.person, w.author, w.author_name as "authorName", w.at
  from told cross join lateral kikimimi_v1.readable($1, told.places, told.visibilities) r
  join words.word w on w.place = r.place and w.visibility = r.visibility
  where w.channel = $2 and not w.stale and ($3::text is null or w.key = $3) and ($4::text is null or position(w.key in $4) > 0)
  order by w.at desc, w.id desc limit $5`

interface Source {
  readonly conversation: string
  readonly first: number
  readonly last: number
}

const SOURCES = `
  select conversation, first, last from kikimimi_v1.source where owner = 'words' and thing = $1::bigint::text order by first`

/** What a person can take back: their own words, and their own nicknames. */
export function ownOf(words: readonly Word[], { id }: Person): readonly Word[] {
  return words.filter(({ author, person }) => author === id || person === id)
}
