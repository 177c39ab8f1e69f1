import type { Database, Trace } from '../../api/index.ts'
import type { Forgetting, ForgettingStore, KeptDelivery, KeptMessage, KeptTrace, Whose } from './erasure-store.ts'

/** Rows of one page, and of one statement that writes. */
const PAGE = 1_000

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
 * Condition on messages p of the person. An erased message has no author any more and belonged to a person who asked for
 * erasure.
 */
const THEIRS = `not p.own and p.author_id in ($3, '') and ${until('p')}`

const EVER = new Date('9999-12-31T00:00:00Z')

/** The channel of a conversation id. Each part is URL-encoded, so a slash only separates parts. */
const channelIn = (id: string) =>
  `concat_ws('/', split_part(${id}, '/', 1), split_part(${id}, '/', 2), split_part(${id}, '/', 3))`

/** Erasure in a database. */
export function createSqlForgetting(db: Database): ForgettingStore {
  const prefix = ({ platform }: Pick<Forgetting, 'platform'>) => `${encodeURIComponent(platform)}/`
  const meant = (forgetting: Forgetting) => [prefix(forgetting), forgetting.before, forgetting.id]
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
         where starts_with(m.conversation, $1) and ${until('m')} and p->>'id' = $3
         union
         select c.name from kikimimi.conversation c
         where starts_with(c.id, $1) and c.visibility = 'direct'
           and exists (select 1 from kikimimi.message m where m.conversation = c.id and ${WHOSE.person})`,
        meant(forgetting),
      )
      const names = [...new Set([...forgetting.names, ...rows.map(({ name }) => name)])].filter(name => name !== '')
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
      const { rowCount } = await db.query('delete from kikimimi.forgetting where id = $1 and before = $2', [number, before])
      return rowCount > 0
    },

    async messages(whose, forgetting, after) {
      const { rows } = await db.query<KeptMessage>(
        `select m.seq, m.text, m.mentions, m.reactions, m.parts from kikimimi.message m
         where ${WHOSE[whose]} and m.seq > $4 order by m.seq limit ${PAGE}`,
        [prefix(forgetting), whose === 'bot' ? untilCleared(forgetting) : forgetting.before, forgetting.id, after],
      )
      return rows
    },

    async answers(forgetting) {
      const { rows } = await db.query<{ seq: number }>(
        `with turn as (
           select d.turn from kikimimi.delivery d
             join kikimimi.message p on p.channel = ${channelIn('d.conversation')} and p.id in (d.answers, d.target)
           where starts_with(d.conversation, $1) and ${THEIRS}
           union
           select t.turn from kikimimi.trace t, jsonb_array_elements_text(t.data->'messages') said
             join kikimimi.message p on p.id = said
           where starts_with(t.conversation, $1) and p.channel = ${channelIn('t.conversation')} and ${THEIRS}
         )
         select m.seq from kikimimi.delivery d join turn using (turn)
           join kikimimi.message m on m.channel = ${channelIn('d.conversation')} and m.id = d.message
         where m.own and m.deleted_at is null
         union
         select m.seq from kikimimi.message m join kikimimi.message p on p.channel = m.channel and p.id = m.reply_to
         where starts_with(m.conversation, $1) and m.own and m.deleted_at is null and ${THEIRS}`,
        meant(forgetting),
      )
      return rows.map(({ seq }) => seq)
    },

    async saidSince(forgetting, at) {
      const { rows } = await db.query<{ seq: number; turn: string }>(
        `select m.seq, d.turn from kikimimi.delivery d
           join kikimimi.message m on m.channel = ${channelIn('d.conversation')} and m.id = d.message
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
             mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', reply_to = null, recalled = false, at = $2, received_at = least(received_at, $2),
             edited_at = null, deleted_at = $3
           where seq = any($1)`,
          [seqs.slice(from, from + PAGE), before, at],
        )
      }
    },

    async traces(forgetting, after): Promise<readonly KeptTrace[]> {
      const { rows } = await db.query<{ turn: string; trace: Trace; theirs: boolean }>(
        `select t.turn, t.data as trace, exists (
           select 1 from jsonb_array_elements_text(t.data->'messages') said
             join kikimimi.message p on p.channel = ${channelIn('t.conversation')} and p.id = said
           where ${THEIRS}
         ) as theirs
         from kikimimi.trace t where starts_with(t.conversation, $1) and t.at <= $4 and t.turn > $5 order by t.turn limit ${PAGE}`,
        [...meant(forgetting), untilCleared(forgetting), after],
      )
      return rows
    },

    async dropTraces(turns) {
      await db.query('delete from kikimimi.trace where turn = any($1)', [turns])
    },

    async deliveries(forgetting, after): Promise<readonly KeptDelivery[]> {
      const { rows } = await db.query<KeptDelivery>(
        `select d.nonce, d.body, exists (
           select 1 from kikimimi.message p
           where p.channel = ${channelIn('d.conversation')} and p.id in (d.answers, d.target) and ${THEIRS}
         ) as theirs
         from kikimimi.delivery d where starts_with(d.conversation, $1) and d.at <= $4 and d.nonce > $5
         order by d.nonce limit ${PAGE}`,
        [...meant(forgetting), untilCleared(forgetting), after],
      )
      return rows
    },

    async dropDeliveries(nonces) {
      await db.query('delete from kikimimi.delivery where nonce = any($1)', [nonces])
    },

    async directs(forgetting) {
      const { rows } = await db.query<{ id: string; name: string }>(
        `select id, name from kikimimi.conversation where starts_with(id, $1) and visibility = 'direct'`,
        [prefix(forgetting)],
      )
      return rows
    },

    async dropDetails(forgetting) {
      await db.query('update kikimimi.conversation set details = null where starts_with(id, $1) and details is not null', [
        prefix(forgetting),
      ])
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
