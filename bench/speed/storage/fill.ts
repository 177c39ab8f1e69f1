/** A large log, written by the database itself. */
import type { Database } from 'kikimimi'
import { progress } from '../../base/measure.ts'

export interface Size {
  readonly messages: number
  readonly channels: number
  readonly people: number
  /** The months over which the messages are spread, until now. */
  readonly months: number
}

/** The id of a person with {@link THEIR_MESSAGES} messages in 40 channels. */
export const PERSON = 'u-forget'
export const THEIR_MESSAGES = 1_000

/** Messages of one statement. */
const BATCH = 250_000

/** Gives an empty log a partition for each of these months, as years of operation do. */
export async function addPastMonths(db: Database, months: number): Promise<void> {
  const { rows } = await db.query<{ start: Date }>(
    `select date_trunc('month', now() at time zone 'UTC' - $1 * interval '1 month') at time zone 'UTC' as start`,
    [months],
  )
  const start = rows[0]?.start ?? new Date()
  for (const table of ['message', 'trace', 'turn_facet']) {
    await db.script(`
      alter table kikimimi.${table} detach partition kikimimi.${table}_earlier;
      alter table kikimimi.${table} attach partition kikimimi.${table}_earlier for values from (minvalue) to ('${start.toISOString()}')`)
  }
  await db.query(`select kikimimi.add_months($1, now() + interval '2 months')`, [start])
}

/** Few channels and people are busy, most are quiet. Each tenth message is in a thread, each thirtieth is the bot's. Triggers do not run. */
export async function fill(db: Database, { messages, channels, people, months }: Size): Promise<void> {
  await db.query(
    `insert into kikimimi.conversation (id, platform, workspace, channel, name, visibility)
     select 'bench/w' || n % 50 || '/c' || n, 'bench', 'w' || n % 50, 'c' || n, 'channel ' || n, 'public' from generate_series(0, $1::int - 1) n`,
    [channels],
  )
  for (let from = 0; from < messages; from += BATCH) {
    await db.transaction(async () => {
      await db.query(`set local session_replication_role = replica`)
      await db.query(MESSAGES, [from, Math.min(messages, from + BATCH) - 1, messages, channels, people, months])
    })
    progress(`${from + BATCH} messages`)
  }
  await db.transaction(async () => {
    await db.query(`set local session_replication_role = replica`)
    for (const sql of REST) await db.query(sql)
    const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'author'`)
    if (rowCount > 0) for (const sql of COUNTERS) await db.query(sql)
  })
  await db.query('vacuum analyze')
}

const MESSAGES = `
  insert into kikimimi.message (conversation, channel, id, author_id, author_name, author_bot, own, missed, addressed, text, mentions, attachments,
    reactions, reply_to, at, received_at, turn)
  select channel || case when n % 10 = 0 then '/t' || n / 100000 else '' end, channel, 'm' || n,
    case when own then 'bot' else person end, case when own then 'kiki' else 'Name of ' || person end, own, own, false,
    case when n % 30 = 28 then 'mention' end,
    'message ' || n || ' says that ' || md5(n::text) || ' goes with ' || md5((n * 7)::text) || ' on ' || n % 30,
    case when n % 40 = 7 then jsonb_build_array(jsonb_build_object('id', 'u' || n % $5, 'name', 'Name of u' || n % $5)) else '[]' end, '[]',
    case when n % 50 = 3 then jsonb_build_array(jsonb_build_object('emoji', '👍', 'by', jsonb_build_array('u' || n % $5))) else '[]' end,
    case when n % 30 = 29 then 'm' || n - 1 end,
    at, at + interval '1 second', case when own then 'turn' || n end
  from (
    select n, n % 30 = 29 as own, now() - ($6::int * interval '1 month') * (1 - n::float8 / $3::bigint) as at,
      case when n % greatest($3::bigint / ${THEIR_MESSAGES}, 1) = 0 then '${PERSON}' else 'u' || floor($5::int * power(random(), 2))::bigint end as person,
      case when n % greatest($3::bigint / ${THEIR_MESSAGES}, 1) = 0 then 'bench/w' || (n / greatest($3::bigint / ${THEIR_MESSAGES}, 1)) % 40 || '/c' || (n / greatest($3::bigint / ${THEIR_MESSAGES}, 1)) % 40
        else 'bench/w' || place % 50 || '/c' || place end as channel
    from (select n, floor($4::int * power(random(), 3))::bigint as place from generate_series($1::bigint, $2::bigint) n) drawn
  ) made`

const REST = [
  `insert into kikimimi.conversation (id, platform, workspace, channel, thread, name, visibility)
   select distinct on (conversation) conversation, 'bench', split_part(conversation, '/', 2), split_part(conversation, '/', 3),
     split_part(conversation, '/', 4), 'thread', 'public' from kikimimi.message where split_part(conversation, '/', 4) <> ''
   on conflict do nothing`,
  `update kikimimi.conversation c set processed = m.seq from (select conversation, max(seq) as seq from kikimimi.message group by 1) m
   where m.conversation = c.id`,
  `insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
   select turn, conversation, received_at, 'replied', coalesce(reply_to, id), jsonb_build_object('turn', turn, 'conversation', conversation, 'messages',
     jsonb_build_array(coalesce(reply_to, id)), 'trigger', coalesce(reply_to, id), 'sections', '[]'::jsonb, 'sent', jsonb_build_array(id), 'outcome', 'replied', 'problems', '[]'::jsonb,
     'addressed', 'mention', 'ms', '{"score": 1, "decide": 2, "context": 12, "respond": 800}'::jsonb,
     'models', '[{"role": "chat", "model": "m", "ms": 800, "inputTokens": 900, "outputTokens": 60, "cost": 0.001}]'::jsonb,
     'decision', jsonb_build_object('kind', 'full', 'why', 'calls the bot by name ' || repeat(md5(id), 6)))
   from kikimimi.message where own and received_at > now() - interval '14 days'`,
  `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, answers, state, message, at)
   select 'n' || id, conversation, turn, 0, 'text', reply_to, 'sent', id, received_at from kikimimi.message where own`,
]

/** The triggers did not run. */
const COUNTERS = [
  `insert into kikimimi.author (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
   select split_part(conversation, '/', 1), author_id, kikimimi.month_of(at), max(author_name), false, array_agg(distinct lower(author_name)), count(*),
     max(seq), max(at), max((at at time zone 'UTC')::date)
   from kikimimi.message where not own group by 1, 2, 3`,
  `insert into kikimimi.latest (conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own)
   select distinct on (conversation) conversation, 'bench', seq, received_at, id, seq, received_at, own from kikimimi.message
   order by conversation, own, seq desc`,
  `insert into kikimimi.turn_count (channel, hour, turns, replies)
   select kikimimi.channel_of(conversation), kikimimi.hour_of(at), count(*), count(*) from kikimimi.trace group by 1, 2`,
]
