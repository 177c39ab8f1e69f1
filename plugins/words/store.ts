/** The words that were learned, with who said what they mean. */
import type { Conversation, Database, ForgottenPerson, Message, Person, PersonaPlace, PluginContext } from 'kikimimi'
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

export function createWords({ db, bot }: Pick<PluginContext, 'bot' | 'db'>) {
  return {
    /** Stores definitions of a conversation, of which the messages must still say what they said. */
    async learn(conversation: string, channel: string, definitions: readonly Definition[]): Promise<void> {
      for (const definition of definitions) await learnOne(db, conversation, channel, definition)
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
        const { rows } = await db.query<LogRow & { readonly place: PersonaPlace }>(SOURCES, [id])
        const messages = rows.map(messageOf)
        const last = rows.at(-1)
        const found = last ? definitionsIn(messages.slice(-1), messages, bot.personaIn(last.place).names) : []
        await db.transaction(async () => {
          // An edit locks the message before what was made of it.
          await db.query('select seq from kikimimi_v1.lock_messages($1)', [rows.map(({ seq }) => seq)])
          await this.drop([id])
          if (last) await this.learn(last.conversation, last.channel, found)
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

function learnOne(db: Database, conversation: string, channel: string, definition: Definition): Promise<void> {
  const { word, meaning, person, said, question } = definition
  const read = question ? [question, said] : [said]
  return db.transaction(async () => {
    const { rows } = await db.query<{ id: string; seq: number; conversation: string; text: string }>(LOCK, [
      channel,
      read.map(({ id }) => id),
      conversation,
    ])
    const isThere = read.every(({ id, text }) => rows.some(row => row.id === id && row.text === text))
    const seq = rows.find(({ id }) => id === said.id)?.seq
    if (!isThere || seq === undefined) return
    // One at a time, so that an entry and its sources belong together.
    await db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`words ${channel} ${keyOf(word)} ${said.author.id}`])
    const values = [conversation, seq, keyOf(word), said.author.id]
    const { rows: ids } = await db.query<{ id: number; at: Date | null; place: string; visibility: string }>(ID, values)
    const { id, at, place, visibility } = ids[0] ?? {}
    if (at && at > said.at) return
    const seqs = rows.map(row => row.seq)
    await db.query(`select kikimimi_v1.made_from('words', $1, $2, $3, $3)`, [String(id), rows.map(row => row.conversation), seqs])
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

const LOCK = `
  select m.id, m.seq, m.conversation, l.text from kikimimi_v1.message m
  cross join lateral kikimimi_v1.lock_messages(array[m.seq]) l
  where m.channel = $1 and m.id = any($2) and m.deleted_at is null and not m.being_forgotten
    and not kikimimi_v1.is_forgetting($3) order by m.seq`

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
  select w.id, w.channel, w.message, w.word, w.meaning, w.person, w.author, w.author_name as "authorName", w.at
  from kikimimi_v1.audience($1) a cross join words.word w
  cross join lateral kikimimi_v1.told_to(a.workspace, a.places, a.closed, w.place, w.visibility)
  where w.channel = $2 and not w.stale and ($3::text is null or w.key = $3) and ($4::text is null or position(w.key in $4) > 0)
  order by w.at desc, w.id desc limit $5`

/** A message of the log. */
export interface LogRow {
  readonly seq: number
  readonly conversation: string
  readonly channel: string
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly author_bot: boolean
  readonly text: string
  readonly mentions: Message['mentions']
  readonly reply_to: string | null
  readonly at: Date
}

const SOURCES = `
  select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.text, m.mentions, m.reply_to, m.at,
    json_build_object('workspace', c.workspace, 'channel', c.channel, 'name', c.name, 'visibility', c.visibility) as place
  from kikimimi_v1.source s join kikimimi_v1.conversation c on c.id = s.conversation join kikimimi_v1.message m on m.conversation = s.conversation and m.seq between s.first and s.last
  where s.owner = 'words' and s.thing = $1::bigint::text and m.deleted_at is null and not m.being_forgotten order by m.seq`

/** What a person can take back: their own words, and their own nicknames. */
export function ownOf(words: readonly Word[], { id }: Person): readonly Word[] {
  return words.filter(({ author, person }) => author === id || person === id)
}

export function messageOf(row: LogRow): Message {
  return {
    ...{ id: row.id, author: { id: row.author_id, name: row.author_name, ...(row.author_bot && { bot: true }) }, text: row.text },
    ...{
      at: row.at,
      mentions: row.mentions,
      attachments: [],
      own: false,
      ...(row.reply_to !== null && { replyTo: row.reply_to }),
    },
  }
}
