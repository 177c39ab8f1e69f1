/** Many turns of a large log, written by the database itself. */
import type { Database } from 'kikimimi'
import { progress } from '../../base/measure.ts'

export interface Turns {
  /** A turn of each of the last messages. */
  readonly turns: number
  /** Number of messages, as {@link fill} has made them. */
  readonly messages: number
}

/** Turns of one statement. */
const BATCH = 100_000

/** Triggers do not run: the index and the counters are filled here, in sets of rows. */
export async function fillTurns(db: Database, { turns, messages }: Turns): Promise<void> {
  for (let from = 0; from < turns; from += BATCH) {
    await db.transaction(async () => {
      await db.query('set local session_replication_role = replica')
      await db.query(TURNS, [from, Math.min(turns, from + BATCH) - 1, turns, messages])
    })
    progress(`${from + BATCH} turns`)
  }
  for (const sql of INDEX) {
    await db.transaction(async () => {
      await db.query('set local session_replication_role = replica')
      await db.query(sql)
    })
    progress(sql.slice(0, 60))
  }
}

const TURNS = `
  with said as (
    select n, m.conversation, m.channel, m.id, m.author_id, m.received_at as at,
      n % 12 = 0 as replied, n % 97 = 0 as failed
    from generate_series($1::bigint, $2::bigint) n
    join kikimimi.message m on m.seq = (select min(seq) from kikimimi.message) + $4::bigint - $3::bigint + n
  ), made as (
    select *, case when failed then 'failed' when replied then 'replied' else 'silent' end as outcome, jsonb_build_object(
      'turn', 'many' || n, 'conversation', conversation, 'messages', jsonb_build_array(id), 'trigger', id, 'sections',
      (select jsonb_agg(jsonb_build_object('title', 'section ' || s, 'plugin', 'facts', 'tokens', 100 * s, 'kept', true)) from generate_series(1, 6) s),
      'outcome', case when failed then 'failed' when replied then 'replied' else 'silent' end, 'sent', '[]'::jsonb,
      'score', jsonb_build_object('points', n % 100, 'parts', jsonb_build_array(jsonb_build_object('plugin', 'judge-rules', 'points', n % 100, 'why', 'asks a question'))),
      'decision', jsonb_build_object('kind', case when replied then 'full' else 'silent' end, 'plugin', case when n % 7 = 0 then 'quiet' else 'judge-rules' end,
        'why', case when n % 7 = 0 then 'was asked to be quiet' when n % 90001 = 0 then 'a seldom reason' else 'asks a question ' || n % 100 || ' · below 60' end),
      'models', case when replied then jsonb_build_array(jsonb_build_object('role', 'chat', 'model', case when n % 100000 < 20 then 'seldom' else 'usual' end,
        'ms', 200 + n % 9000, 'inputTokens', 900, 'outputTokens', 60, 'attempts', 1, 'cost', 0.0004 * (n % 40))) else '[]'::jsonb end,
      'problems', case when failed then '[{"plugin": "reply", "stage": "respond", "message": "MODEL_UNAVAILABLE"}]'::jsonb else '[]'::jsonb end,
      'ms', jsonb_build_object('score', 1, 'decide', 2, 'context', 12, 'respond', case when replied then 200 + n % 9000 else 0 end)) as data
    from said
  )
  insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data, facets)
  select 'many' || n, conversation, at, outcome, id, data, array(
    select distinct kikimimi_v1.facet(kind, value) as facet from (
      values ('channel', channel), ('person', split_part(channel, '/', 1) || '/' || author_id), ('outcome', outcome),
        ('reason', kikimimi.reason_of(data)), ('week', kikimimi.week_hour_of(at)::text), ('error', failed::text),
        ('plugin', 'judge-rules'), ('plugin', data->'decision'->>'plugin'), ('plugin', case when failed then 'reply' end),
        ('model', data->'models'->0->>'model'), ('took', case when replied and n % 9000 >= 785 then '1000' end),
        ('took', case when replied and n % 9000 >= 2785 then '3000' end), ('cost', case when replied and n % 40 >= 3 then '0.001' end),
        ('cost', case when replied and n % 40 >= 25 then '0.01' end)
    ) f(kind, value) where value is not null order by 1)
  from made`

const INDEX = [
  `update kikimimi.trace set facets = kikimimi.facets_of(conversation, at, outcome, data) where facets is null`,
  'truncate kikimimi.turn_facet, kikimimi.turn_hour, kikimimi.turn_count, kikimimi.model_use, kikimimi.model_use_place, kikimimi.model_use_work',
  'insert into kikimimi.turn_facet (facet, at, seq) select f, t.at, t.seq from kikimimi.trace t, unnest(t.facets) f order by 1, 2, 3',
  `insert into kikimimi.turn_hour (hour, shard, outcome, reason, bucket, turns, messages, errors)
   select kikimimi.hour_of(at), hashtext(kikimimi.channel_of(conversation)) & 7, outcome, kikimimi.reason_of(data),
     case when outcome = 'replied' then floor(4 * log(2, (kikimimi.took_of(data) + 1)::numeric)) else -1 end, count(*),
     sum(jsonb_array_length(data->'messages')), count(*) filter (where kikimimi.has_error(outcome, data))
   from kikimimi.trace group by 1, 2, 3, 4, 5`,
  `insert into kikimimi.turn_count (channel, hour, turns, replies)
   select kikimimi.channel_of(conversation), kikimimi.hour_of(at), count(*), count(*) filter (where outcome = 'replied')
   from kikimimi.trace group by 1, 2`,
  // In each hour of 400 days three models in 20 channels.
  `insert into kikimimi.model_use (hour, place, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
   select hour, id, role, plugin, model, 10, 0, 9000, 600, 4000, price
   from generate_series(date_trunc('hour', now(), 'UTC') - interval '400 days', now(), interval '1 hour') with ordinality h(hour, n),
     generate_series(0, 19) k,
     lateral (select 'bench/w' || c % 50 || '/c' || c as id from (select (k * k + n % 7 * k) % (select count(*) from kikimimi.conversation where thread is null) as c) c) place,
     (values ('chat', 'reply', 'usual', 0.02), ('judge', 'judge-llm', 'small', 0.002), ('summary', 'memory-summary', 'small', 0.004)) m(role, plugin, model, price)
   on conflict do nothing`,
  `insert into kikimimi.model_use_place (hour, place, calls, failed, input_tokens, output_tokens, ms, cost)
   select hour, place, sum(calls), sum(failed), sum(input_tokens), sum(output_tokens), sum(ms), sum(cost) from kikimimi.model_use group by 1, 2`,
  `insert into kikimimi.model_use_work (hour, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
   select hour, role, plugin, model, sum(calls), sum(failed), sum(input_tokens), sum(output_tokens), sum(ms), sum(cost)
   from kikimimi.model_use group by 1, 2, 3, 4`,
]
