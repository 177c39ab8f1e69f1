import type { Database, Trace } from '../../api/index.ts'
import { fold, foldedNames } from '../../base/text/fold.ts'
import { nounPattern, tellingNames } from '../../base/text/telling-names.ts'
import type { Forgetting, ForgettingStore, KeptDelivery, KeptMessage, KeptPrompts, Whose } from './erasure-store.ts'

/** Rows of one page, and of one statement that writes. */
const PAGE = 1_000

/** Turns whose prompts are read at once. Each can have some hundred kilobytes. */
const PROMPTS = 50

/**
 * Condition on a message: received until $2. A missed message is received later than it was written, so its own time
 * counts.
 */
const until = (m: string) => `(${m}.received_at <= $2 or (${m}.missed and ${m}.at <= $2))`

/**
 * Conditions on messages m of the platform $1, where $3 is the person. Messages of the bot count until the log is cleared.
 */
const WHOSE: Readonly<Record<Whose, string>> = {
  person: `starts_with(m.conversation, $1) and ${until('m')} and not m.own and m.author_id = $3`,
  others: `starts_with(m.conversation, $1) and ${until('m')} and not m.own and m.author_id <> $3 and m.deleted_at is null`,
  bot: `starts_with(m.conversation, $1) and m.received_at <= $2 and m.own and m.author_id <> $3 and m.deleted_at is null`,
}

/**
 * The messages of the person, $3, with those that this erasure has erased since $4: an erased message has no author any more, and
 * belonged to a person who asked for erasure.
 */
const THEIRS = `theirs as materialized (
  select p.channel, p.id from kikimimi.message p
  where p.author_id = $3 and not p.own and starts_with(p.conversation, $1) and ${until('p')}
  union
  select p.channel, p.id from kikimimi.message p
  where p.deleted_at >= $4 and p.author_id = '' and not p.own and starts_with(p.conversation, $1) and ${until('p')}
)`

/** The turns that read a message of the person. */
const THEIR_TURNS = `
  select t.turn from theirs p
    join kikimimi.trace t on t.data->'messages' @> jsonb_build_array(p.id) and kikimimi.channel_of(t.conversation) = p.channel`

/** A log with more messages is searched in two passes: see {@link ForgettingStore.near}. */
const SHORT = 100_000

/** Messages in the week after one of the person that probably quote or name them. */
const FOLLOWING = 30

const UNFINISHED = `'writing', 'pending', 'sending', 'unwanted'`

const EVER = new Date('9999-12-31T00:00:00Z')

/** Condition on messages m that mention the person $3. */
const MENTIONED = `m.mentions <> '[]' and m.mentions @> jsonb_build_array(jsonb_build_object('id', $3::text))`

/** So many messages of others are looked at for words that are names. */
const LOOKED_AT = 20_000

/**
 * The names of $5 that another person has, that others wrote before the person came, or that they write as a noun: $7. $6: the names, folded;
 * $8 and $9 fold a text. $4: the platform, as conversation ids begin.
 */
const OF_OTHERS = `
  with first as materialized (
    select min(m.seq) as seq from kikimimi.message m where ${WHOSE.person}
  ), said as materialized (
    (select m.seq, translate(m.text, $8, $9) as text from kikimimi.message m, first
     where ${WHOSE.others} and m.seq < first.seq and not (${MENTIONED}) order by m.seq desc limit ${LOOKED_AT})
    union all
    (select m.seq, translate(m.text, $8, $9) from kikimimi.message m, first
     where ${WHOSE.others} and m.seq > first.seq order by m.seq desc limit ${LOOKED_AT})
  ), taken as materialized (
    select distinct folded from kikimimi.author a, unnest(a.names) called, translate(called, $8, $9) folded
    where a.platform = $4 and a.id <> $3 and folded = any($6::text[])
  )
  select n.name from unnest($5::text[], $6::text[], $7::text[]) as n(name, folded, noun), first
  where n.folded in (select folded from taken)
    or exists (select 1 from kikimimi.message m, jsonb_array_elements(m.mentions) p
      where m.mentions <> '[]' and m.mentions @> jsonb_build_array(jsonb_build_object('name', n.name)) and starts_with(m.conversation, $1) and ${until('m')}
        and p->>'name' = n.name and p->>'id' <> $3)
    or exists (select 1 from said where position(n.folded in said.text) > 0 and (said.seq < first.seq or said.text ~ n.noun))`

/** Erasure in a database. */
export function createSqlForgetting(db: Database): ForgettingStore {
  const prefix = ({ platform }: Pick<Forgetting, 'platform'>) => `${encodeURIComponent(platform)}/`
  const meant = (forgetting: Forgetting) => [prefix(forgetting), forgetting.before, forgetting.id]
  const theirs = (forgetting: Forgetting) => [...meant(forgetting), forgetting.beganAt ?? EVER]
  const untilCleared = ({ clearedAt = EVER }: Forgetting) => clearedAt

  return {
    ask: ({ platform, id }, before, also) =>
      db.transaction(async () => {
        const { rows } = await db.query<{ id: number }>(
          `insert into kikimimi.forgetting (platform, person, before) values ($1, $2, $3)
           on conflict (platform, person) do update set before = excluded.before, cleared_at = null, attempts = 0
           returning id`,
          [platform, id, before],
        )
        for (const row of rows) await also(row.id)
      }),

    async asked() {
      const { rows } = await db.query<Row>(`select ${COLUMNS} from kikimimi.forgetting order by id`)
      return rows.map(toForgetting)
    },

    async erased(platform, people) {
      const { rows } = await db.query<{ id: string; at: Date }>(
        `select p.id, t.at from unnest($2::text[]) as p(id)
         join kikimimi.tombstone t on t.key = kikimimi.tombstone_key('person', $1, p.id)`,
        [platform, people],
      )
      return new Map(rows.map(({ id, at }) => [id, at]))
    },

    async find(number) {
      const { rows } = await db.query<Row>(`select ${COLUMNS} from kikimimi.forgetting where id = $1`, [number])
      return rows.map(toForgetting)[0]
    },

    async failed(number) {
      await db.query('update kikimimi.forgetting set attempts = attempts + 1, trying = false where id = $1', [number])
    },

    async gatherNames(forgetting) {
      const { rows } = await db.query<{ name: string }>(
        `select m.author_name as name from kikimimi.message m where ${WHOSE.person}
         union
         select p->>'name' from kikimimi.message m, jsonb_array_elements(m.mentions) p
         where ${MENTIONED} and starts_with(m.conversation, $1) and ${until('m')} and p->>'id' = $3
         union
         select c.name from kikimimi.conversation c
         where c.id in (select m.conversation from kikimimi.message m where ${WHOSE.person}) and c.visibility = 'direct'`,
        meant(forgetting),
      )
      const had = rows.map(({ name }) => name.trim()).filter(name => name !== '')
      const candidates = [...had, forgetting.id]
      const { from, to } = foldedNames(candidates)
      const { rows: others } = await db.query<{ name: string }>(OF_OTHERS, [
        ...meant(forgetting),
        encodeURIComponent(forgetting.platform),
        candidates,
        candidates.map(fold),
        candidates.map(nounPattern),
        from,
        to,
      ])
      const telling = tellingNames(forgetting.id, had, new Set(others.map(({ name }) => name)))
      const names = [...new Set([...forgetting.names, ...telling])]
      await db.query('update kikimimi.forgetting set names = $2::text[], trying = true where id = $1', [forgetting.number, names])
      return names
    },

    async began(number, at) {
      await db.query('update kikimimi.forgetting set began_at = coalesce(began_at, $2) where id = $1', [number, at])
    },

    async cleared({ number, before }, at) {
      const { rowCount } = await db.query(
        'update kikimimi.forgetting set cleared_at = $3, attempts = 0 where id = $1 and before = $2',
        [number, before, at],
      )
      return rowCount > 0
    },

    async done({ number, before }) {
      const { rows } = await db.query(
        `with done as (delete from kikimimi.forgetting where id = $1 and before = $2 returning id),
           words as (delete from kikimimi.forgotten_words w using done where w.forgetting = done.id)
         select id from done`,
        [number, before],
      )
      return rows.length > 0
    },

    async near(forgetting) {
      const { rows: size } = await db.query<{ short: boolean }>(
        `select coalesce(max(seq) - min(seq) < ${SHORT}, true) as short from kikimimi.message`,
      )
      if (size[0]?.short) return undefined
      const { rows: messages } = await db.transaction(async () => {
        // Postgres expects few messages in a conversation, and would sort all of a busy one to take the first.
        await db.query('set local enable_sort = off')
        return db.query<{ seq: number }>(
          `with said as materialized (
           select m.seq, m.conversation, m.channel, m.id, m.at - interval '2 days' as since, m.received_at + interval '8 days' as until
           from kikimimi.message m where ${WHOSE.person}
         )
         select n.seq from said cross join lateral (
           select f.seq from kikimimi.message f
           where f.conversation = said.conversation and f.seq > said.seq and f.at between said.since and said.until order by f.seq limit ${FOLLOWING}
         ) n
         union select m.seq from said join kikimimi.message m
           on m.channel = said.channel and m.reply_to = said.id and m.own and m.at between said.since and said.until
         union select m.seq from kikimimi.message m where ${MENTIONED} and starts_with(m.conversation, $1)
         union select m.seq from kikimimi.message m
           where m.reactions <> '[]' and starts_with(m.conversation, $1)
             and m.reactions @> jsonb_build_array(jsonb_build_object('by', jsonb_build_array($3::text)))
         order by 1`,
          meant(forgetting),
        )
      })
      const { rows: conversations } = await db.query<{ id: string }>(
        `select distinct m.conversation as id from kikimimi.message m where ${WHOSE.person}`,
        meant(forgetting),
      )
      return { messages: messages.map(({ seq }) => seq), conversations: conversations.map(({ id }) => id) }
    },

    async keepWords(seqs, { number }) {
      await db.query(
        `insert into kikimimi.forgotten_words (forgetting, seq, text, parts)
         select $1, seq, text, parts from kikimimi.message where seq = any($2) and deleted_at is null
         on conflict do nothing`,
        [number, seqs],
      )
    },

    async keptWords({ number }, after) {
      const { rows } = await db.query<Pick<KeptMessage, 'seq' | 'text' | 'parts'>>(
        `select seq, text, parts from kikimimi.forgotten_words where forgetting = $1 and seq > $2 order by seq limit ${PAGE}`,
        [number, after],
      )
      return rows
    },

    async countOwn(forgetting) {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from kikimimi.message m where ${WHOSE.bot}`,
        meant(forgetting),
      )
      return rows[0]?.count ?? 0
    },

    async messages(whose, forgetting, after, among) {
      const place = among === undefined ? [] : [among]
      const { rows } = await db.query<KeptMessage>(
        `select m.seq, m.text, m.mentions, m.reactions, m.parts from kikimimi.message m
         where ${WHOSE[whose]} and m.seq > $4 ${place.length > 0 ? 'and m.seq = any($5)' : ''} order by m.seq limit ${PAGE}`,
        [prefix(forgetting), whose === 'bot' ? untilCleared(forgetting) : forgetting.before, forgetting.id, after, ...place],
      )
      return rows
    },

    async answers(forgetting) {
      const { rows } = await db.query<{ seq: number }>(
        `with ${THEIRS}, turn as (
           select d.turn from theirs p join kikimimi.delivery d on d.answers = p.id and kikimimi.channel_of(d.conversation) = p.channel
           union
           select d.turn from theirs p join kikimimi.delivery d on d.target = p.id and kikimimi.channel_of(d.conversation) = p.channel
           union ${THEIR_TURNS}
         )
         select m.seq from turn join kikimimi.delivery d using (turn)
           join kikimimi.message m on m.channel = kikimimi.channel_of(d.conversation) and m.id = d.message
         where m.own and m.deleted_at is null
         union
         select m.seq from theirs p join kikimimi.message m on m.channel = p.channel and m.reply_to = p.id
         where m.own and m.deleted_at is null`,
        theirs(forgetting),
      )
      return rows.map(({ seq }) => seq)
    },

    async saidSince(forgetting, at) {
      const { rows } = await db.query<{ seq: number; turn: string }>(
        `select m.seq, d.turn from kikimimi.delivery d
           join kikimimi.message m on m.channel = kikimimi.channel_of(d.conversation) and m.id = d.message
         where starts_with(m.conversation, $1) and m.received_at >= $2 and m.own and m.deleted_at is null`,
        [prefix(forgetting), at],
      )
      return rows
    },

    rewrite: (seqs, to) =>
      db.transaction(async () => {
        const { rows } = await db.query<KeptMessage>(
          `select seq, text, mentions, reactions, parts from kikimimi.message where seq = any($1) and deleted_at is null
           order by seq for update`,
          [seqs],
        )
        const news = rows.map(to)
        await db.query(
          `update kikimimi.message m set text = n.text, mentions = n.mentions::jsonb, reactions = n.reactions::jsonb,
             parts = n.parts::jsonb
           from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as n(seq, text, mentions, reactions, parts)
           where m.seq = n.seq`,
          [
            news.map(({ seq }) => seq),
            news.map(({ text }) => text),
            news.map(({ mentions }) => JSON.stringify(mentions)),
            news.map(({ reactions }) => JSON.stringify(reactions)),
            news.map(({ parts }) => JSON.stringify(parts)),
          ],
        )
        return news.length
      }),

    async erase(seqs, { before }, at) {
      for (let from = 0; from < seqs.length; from += PAGE) {
        await db.query(
          `update kikimimi.message set author_id = '', author_name = '', author_bot = false, addressed = null, refused = null, text = '',
             mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', reply_to = null, recalled = false, received_at = least(received_at, $2),
             edited_at = null, deleted_at = $3
           where seq = any($1)`,
          [seqs.slice(from, from + PAGE), before, at],
        )
      }
    },

    async turns(forgetting) {
      const { rows } = await db.query<{ turn: string }>(
        `with ${THEIRS}, turn as (${THEIR_TURNS}) select distinct turn from turn`,
        theirs(forgetting),
      )
      return rows.map(({ turn }) => turn)
    },

    async traces(forgetting, after) {
      const { rows } = await db.query<{ turn: string; trace: Trace }>(
        `select t.turn, t.data as trace from kikimimi.trace t
         where starts_with(t.conversation, $1) and t.at <= $2 and t.turn > $3 order by t.turn limit ${PAGE}`,
        [prefix(forgetting), untilCleared(forgetting), after],
      )
      return rows
    },

    async prompts(forgetting, after) {
      const { rows } = await db.query<KeptPrompts>(
        `select turn, jsonb_agg(data) as prompts from kikimimi.prompt
         where starts_with(conversation, $1) and at <= $2 and turn > $3 group by turn order by turn limit ${PROMPTS}`,
        [prefix(forgetting), untilCleared(forgetting), after],
      )
      return rows
    },

    async dropPrompts(turns) {
      await db.query('delete from kikimimi.prompt where turn = any($1)', [turns])
    },

    async dropTraces(turns) {
      await db.query('delete from kikimimi.trace where turn = any($1)', [turns])
    },

    async deliveries(forgetting, after): Promise<readonly KeptDelivery[]> {
      const { rows } = await db.query<KeptDelivery>(
        // A finished delivery has no text.
        `with ${THEIRS}
         select nonce, body, bool_or(theirs) as theirs from (
           select d.nonce, d.body, d.at, true as theirs from theirs p
             join kikimimi.delivery d on d.answers = p.id and kikimimi.channel_of(d.conversation) = p.channel
           union all
           select d.nonce, d.body, d.at, true from theirs p
             join kikimimi.delivery d on d.target = p.id and kikimimi.channel_of(d.conversation) = p.channel
           union all
           select d.nonce, d.body, d.at, false from kikimimi.delivery d
           where d.state in (${UNFINISHED}) and starts_with(d.conversation, $1)
         ) d where d.at <= $5 and d.nonce > $6 group by nonce, body order by nonce limit ${PAGE}`,
        [...theirs(forgetting), untilCleared(forgetting), after],
      )
      return rows
    },

    async dropDeliveries(nonces) {
      await db.query('delete from kikimimi.delivery where nonce = any($1)', [nonces])
    },

    async directs(forgetting, conversations) {
      const { rows } = await db.query<{ id: string; name: string }>(
        `select id, name from kikimimi.conversation
         where starts_with(id, $1) and visibility = 'direct' and ($2::text[] is null or id = any($2))`,
        [prefix(forgetting), conversations ?? null],
      )
      return rows
    },

    async dropDetails(forgetting, conversations) {
      let last = ''
      for (let count = PAGE; count === PAGE; ) {
        const { rows } = await db.query<{ id: string }>(
          `with next as (
             select id from kikimimi.conversation
             where starts_with(id, $1) and details is not null and id > $3 and ($2::text[] is null or id = any($2))
             order by id limit ${PAGE} for no key update
           )
           update kikimimi.conversation c set details = null from next where c.id = next.id returning c.id`,
          [prefix(forgetting), conversations ?? null, last],
        )
        count = rows.length
        // As the database orders them.
        const { rows: end } = await db.query<{ last: string }>('select max(id) as last from unnest($1::text[]) as id', [
          rows.map(({ id }) => id),
        ])
        last = end[0]?.last ?? last
      }
    },

    async unname(ids) {
      await db.query(`update kikimimi.conversation set name = '' where id = any($1)`, [ids])
    },
  }
}

interface Row {
  readonly id: number
  readonly platform: string
  readonly person: string
  readonly before: Date
  readonly names: readonly string[]
  readonly began_at: Date | null
  readonly cleared_at: Date | null
  readonly attempts: number
}

const COLUMNS = 'id, platform, person, before, names, began_at, cleared_at, attempts'

function toForgetting({ id: number, person: id, began_at, cleared_at, ...row }: Row): Forgetting {
  return { ...row, number, id, ...(began_at && { beganAt: began_at }), ...(cleared_at && { clearedAt: cleared_at }) }
}
