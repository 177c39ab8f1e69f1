/** What the plugins have kept of a large log, written by the database itself. */
import attention from '@kikimimi/attention'
import facts from '@kikimimi/facts'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import reflection from '@kikimimi/reflection'
import { type Database, systemClock } from 'kikimimi'
import { migrate } from '../../../core/storage/database/migrate.ts'
import { progress } from '../../base/measure.ts'
import { fill as fillFacts } from '../../quality/recall/scale.ts'
import { PERSON } from './fill.ts'

/** Messages that the index of the facts plugin has. */
const INDEXED = 20_000

/** @param factCount facts of `bench:scale`, with vectors */
export async function fillPlugins(db: Database, factCount: number): Promise<void> {
  for (const { definition } of [attention, facts, memorySummary, profiles, reflection])
    if (definition.migrations) await migrate(db, definition.name, definition.migrations, systemClock)
  progress(`${factCount} facts`)
  await fillFacts(db, factCount)
  for (const [what, statements] of Object.entries(TABLES)) {
    progress(`tables of ${what}`)
    await db.transaction(async () => {
      await db.query(`set local session_replication_role = replica`)
      for (const sql of statements) await db.query(sql)
    })
  }
  await db.query('update kikimimi.follower set seq = (select max(seq) from kikimimi.message)')
  await db.query('vacuum analyze')
}

const WORDS_EACH = 8

/** The marks of plugins are of these. */
const CHANNELS = `(select conversation, seq from kikimimi.latest where split_part(conversation, '/', 4) = '')`

/** The words of a message are drawn like those of a fact. */
const FACTS = [
  `insert into facts.scope (workspace, channel, place, visibility, realm)
   select array_to_string((string_to_array(id, '/'))[1:2], '/'), id, id, 'public', workspace_number + 1
   from (select id, substr(workspace, 2)::int as workspace_number from kikimimi.conversation where thread is null) c on conflict do nothing`,
  `select setval('facts.realm', 1000)`,
  `insert into facts.person (workspace, id, name)
   select distinct on (1, 2) array_to_string((string_to_array(m.channel, '/'))[1:2], '/'), m.author_id, m.author_name
   from (select channel, author_id, author_name, own from kikimimi.message order by seq desc limit ${INDEXED}) m where not own`,
  `create table public.said as
   select nextval(pg_get_serial_sequence('facts.item', 'id')) as item, m.*, s.id as scope, s.realm from (
     (select seq, channel, id, author_id, at, own from kikimimi.message order by seq desc limit ${INDEXED})
     union select seq, channel, id, author_id, at, own from kikimimi.message where author_id = '${PERSON}'
   ) m join facts.scope s on s.place = m.channel and s.visibility = 'public' where not own`,
  `create table public.spoken as
   with word as (select token, row_number() over (order by items desc) - 1 as n from facts.token where realm = 1),
     size as (select count(*) as words from word)
   select d.item, w.token from (
     select item, floor(power(words, random())) - 1 as n from public.said, size, generate_series(1, ${WORDS_EACH})
   ) d join word w on w.n = d.n`,
  `insert into facts.item (id, kind, scope, at, tokens, words)
   select s.item, 'message', s.scope, s.at, t.tokens, ${WORDS_EACH} from public.said s join (
     select item, string_agg(decode(substr(hex, 7, 2) || substr(hex, 5, 2) || substr(hex, 3, 2) || substr(hex, 1, 2), 'hex'), '') as tokens
     from (select item, lpad(to_hex(token), 8, '0') as hex from public.spoken) h group by item
   ) t using (item)`,
  `insert into facts.message (item, seq, conversation, channel, id, author, sitting, line, asks)
   select item, seq, channel, channel, id, author_id, item, 0, false from public.said where item in (select id from facts.item)`,
  `insert into facts.posting (token, realm, item, scope, fact)
   select distinct p.token, s.realm, s.item, s.scope, false from public.spoken p join public.said s using (item)`,
  `delete from facts.token`,
  `insert into facts.token (token, realm, items) select token, realm, count(*) from facts.posting group by token, realm`,
  `delete from facts.extent`,
  `insert into facts.extent (realm, items, words)
   select s.realm, count(*), sum(i.words) from facts.item i join facts.scope s on s.id = i.scope group by s.realm`,
  `update facts.corpus set items = (select count(*) from facts.item), words = (select sum(words) from facts.item)`,
  // Each tenth message is the source of a fact.
  `insert into facts.fact_source (item, channel, message, author)
   select item % (select count(*) from facts.fact) + 1, channel, id, author_id from public.said where item % 10 = 0 on conflict do nothing`,
  `drop table public.said, public.spoken`,
]

const MEMORIES = [
  `insert into memory_summary.memory (id, kind, workspace, channel, name, place, visibility, active_at, began, recent, history, updated_at)
   select distinct on (w.id) w.id, 'workspace', w.id, '', '', w.id || '/', 'public', now(), 0, repeat('what happened lately. ', 30),
     repeat('what happened before. ', 60), now()
   from (select array_to_string((string_to_array(id, '/'))[1:2], '/') as id from kikimimi.conversation where thread is null) w`,
  `insert into memory_summary.memory (id, kind, workspace, channel, name, place, visibility, active_at, began, recent, history, updated_at)
   select c.id, case when c.thread is null then 'channel' else 'thread' end, array_to_string((string_to_array(c.id, '/'))[1:2], '/'),
     kikimimi.channel_of(c.id), c.name, kikimimi.channel_of(c.id), 'public', l.received_at, 0, repeat('what happened lately. ', 30),
     repeat('what happened before. ', 60), now()
   from kikimimi.conversation c join kikimimi.latest l on l.conversation = c.id
   where c.thread is null or l.received_at > now() - interval '7 days'`,
  `insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
   select 'memory-summary', conversation, conversation, 'public', seq, false from ${CHANNELS} l`,
  `insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
   select 'memory-summary-threads', m.id, m.id, 'public', l.seq, false
   from memory_summary.memory m join kikimimi.latest l on l.conversation = m.id where m.kind = 'thread'`,
  `insert into memory_summary.speaker (memory, person, recent, history)
   select distinct channel, author_id, false, true from kikimimi.message
   where (at > now() - interval '3 days' or author_id = '${PERSON}') and not own`,
  `insert into kikimimi.source (owner, thing, conversation, first, last)
   select 'memory_summary', part || ' ' || m.id, m.id, 1, l.seq from memory_summary.memory m join kikimimi.latest l on l.conversation = m.id,
     unnest(array['recent', 'history']) part`,
]

const PROFILES = [
  `insert into profiles.place (workspace, channel, place, visibility, name)
   select array_to_string((string_to_array(id, '/'))[1:2], '/'), id, id, 'public', name from kikimimi.conversation where thread is null`,
  `insert into profiles.activity (platform, person, place, name, messages, mentions, seen_at)
   select 'bench', m.author_id, p.id, max(m.author_name), count(*), 0, max(m.at)
   from kikimimi.message m join profiles.place p on p.place = m.channel
   where (m.at > now() - interval '3 days' or m.author_id = '${PERSON}') and not m.own group by m.author_id, p.id`,
  `insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
   select 'profiles', conversation, conversation, 'public', seq, false from ${CHANNELS} l on conflict do nothing`,
]

const REFLECTION = [
  `insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
   select 'reflection', conversation, conversation, 'public', seq, false from ${CHANNELS} l`,
]

const ATTENTION = [
  `insert into attention.outcome (turn, conversation, channel, message, author, at, spoke, addressed, sent, signs, probability, weights, prompt, counted_at)
   select t.turn, t.conversation, m.channel, m.id, m.author_id, t.at, true, true, array(select jsonb_array_elements_text(t.data->'sent')),
     '{}', 0.9, 'w', 'p', t.at
   from kikimimi.trace t join kikimimi.message m on m.channel = kikimimi.channel_of(t.conversation) and m.id = t.trigger`,
]

const TABLES = { facts: FACTS, 'memory-summary': MEMORIES, profiles: PROFILES, reflection: REFLECTION, attention: ATTENTION }
