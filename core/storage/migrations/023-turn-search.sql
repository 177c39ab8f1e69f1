-- kikimimi: online
-- What turns are searched and counted by. Facets are kept by triggers in the statement that stores the trace.

-- step
-- A facet is a property of a turn as a number: its kind and its value, hashed. Null: the turn is older than this migration and not indexed yet.
alter table kikimimi.trace add column facets bigint[];

-- The turns that have a facet. The index finds the newest of them, however many turns there are.
create table kikimimi.turn_facet (
  facet bigint not null,
  at timestamptz not null,
  seq bigint not null,
  primary key (facet, at, seq)
) partition by range (at);

-- Turns by the hour in which they began, their outcome, their reason and the time that they took. A turn changes one row, so turns that
-- end at once never wait for each other in a circle. The channels are spread over eight rows, so that turns that end
-- at once seldom wait for each other.
create table kikimimi.turn_hour (
  hour timestamptz not null,
  shard smallint not null,
  outcome text not null,
  reason text not null,
  -- How long turns with a reply took: bucket n has those of 2^(n/4) - 1 up to 2^((n+1)/4) - 1 milliseconds. -1: no reply.
  bucket smallint not null,
  turns bigint not null,
  messages bigint not null,
  errors bigint not null,
  primary key (hour, shard, outcome, reason, bucket)
) with (fillfactor = 80);

-- How far the turns of before are indexed, and how many are next.
create table kikimimi.indexing (upto bigint not null, until bigint not null, size bigint not null default 100);
insert into kikimimi.indexing (upto, until) select coalesce(min(seq) - 1, 0), coalesce(max(seq), 0) from kikimimi.trace;

-- The number of a facet.
create function kikimimi_v1.facet(kind text, value text) returns bigint language sql immutable parallel safe as $$
  select ('x' || left(md5(kind || ':' || value), 16))::bit(64)::bigint
$$;

-- The reason of a turn without its figures and details, so that equal reasons are counted together. The words of a model are left out.
create function kikimimi.reason_of(data jsonb) returns text language sql immutable parallel safe as $$
  select case when data->>'why' is null and data->'decision' ? 'confidence'
    then 'the verdict of ' || coalesce(data->'decision'->>'plugin', 'a model')
    else left(regexp_replace(split_part(coalesce(data->>'why', data->'decision'->>'why', ''), ' · ', 1), ' [-+]?\d+(,.*)?$', ''), 100) end
$$;
-- Milliseconds of all stages.
create function kikimimi.took_of(data jsonb) returns double precision language sql immutable parallel safe as $$
  select coalesce(sum(value::double precision), 0) from jsonb_each_text(data->'ms')
$$;
-- What the model calls of a turn cost.
create function kikimimi.cost_of(data jsonb) returns numeric language sql immutable parallel safe as $$
  select coalesce(sum((value->>'cost')::numeric), 0) from jsonb_array_elements(data->'models')
$$;
create function kikimimi.has_error(outcome text, data jsonb) returns boolean language sql immutable parallel safe as $$
  select outcome = 'failed' or coalesce(jsonb_array_length(data->'problems'), 0) > 0
$$;
-- The hour of the week in UTC: 0 is Monday from 0:00 to 1:00.
create function kikimimi.week_hour_of(at timestamptz) returns int language sql immutable parallel safe as $$
  select (24 * (extract(isodow from at at time zone 'UTC') - 1) + extract(hour from at at time zone 'UTC'))::int
$$;

create function kikimimi.facets_of(conversation text, at timestamptz, outcome text, data jsonb) returns bigint[] language plpgsql stable as $$
declare
  place text := kikimimi.channel_of(conversation);
  took double precision := kikimimi.took_of(data);
  cost numeric := kikimimi.cost_of(data);
  found bigint[] := array[kikimimi_v1.facet('channel', place), kikimimi_v1.facet('outcome', outcome),
    kikimimi_v1.facet('reason', kikimimi.reason_of(data)), kikimimi_v1.facet('week', kikimimi.week_hour_of(at)::text),
    kikimimi_v1.facet('error', kikimimi.has_error(outcome, data)::text)];
begin
  found := found || array(select kikimimi_v1.facet('plugin', p) from unnest(array[data->'decision'->>'plugin', data->>'by', data->'reply'->>'plugin']
    || array(select value->>'plugin' from jsonb_array_elements(coalesce(data->'score'->'parts', '[]') || coalesce(data->'problems', '[]')))) p where p is not null);
  found := found || array(select kikimimi_v1.facet('person', split_part(place, '/', 1) || '/' || m.author_id) from kikimimi.message m
    where m.channel = place and m.id in (select jsonb_array_elements_text(data->'messages')) and not m.own and m.author_id <> ''
      and m.at between facets_of.at - interval '8 days' and facets_of.at + interval '2 days');
  if jsonb_array_length(data->'models') > 0 then
    found := found || array(select kikimimi_v1.facet('model', value->>'model') from jsonb_array_elements(data->'models'));
  end if;
  if took >= 1000 then
    found := found || array(select kikimimi_v1.facet('took', n::text) from unnest(array[1000, 3000, 10000, 30000]) n where took >= n);
  end if;
  if cost >= 0.001 then
    found := found || array(select kikimimi_v1.facet('cost', n::text) from unnest(array[0.001, 0.01, 0.1, 1]) n where cost >= n);
  end if;
  return array(select distinct f from unnest(found) f order by f);
end $$;

-- Adds a turn to the counter, or takes it away. Rows that count nothing are deleted: their reason could be a word of somebody.
create function kikimimi.count_turn(in_conversation text, in_at timestamptz, in_outcome text, in_data jsonb, sign int) returns void
language plpgsql as $$
declare
  in_hour timestamptz := kikimimi.hour_of(in_at);
  in_shard smallint := hashtext(kikimimi.channel_of(in_conversation)) & 7;
  in_reason text := kikimimi.reason_of(in_data);
  in_bucket smallint := case when in_outcome = 'replied' then floor(4 * log(2, (kikimimi.took_of(in_data) + 1)::numeric)) else -1 end;
begin
  insert into kikimimi.turn_hour as c (hour, shard, outcome, reason, bucket, turns, messages, errors)
    values (in_hour, in_shard, in_outcome, in_reason, in_bucket, sign, sign * coalesce(jsonb_array_length(in_data->'messages'), 0),
      sign * kikimimi.has_error(in_outcome, in_data)::int)
    on conflict (hour, shard, outcome, reason, bucket) do update set turns = c.turns + excluded.turns, messages = c.messages + excluded.messages,
      errors = c.errors + excluded.errors;
  if sign < 0 then
    delete from kikimimi.turn_hour
      where hour = in_hour and shard = in_shard and outcome = in_outcome and reason = in_reason and bucket = in_bucket and turns <= 0;
  end if;
end $$;

create function kikimimi.turn_faceted() returns trigger language plpgsql as $$
begin
  new.facets := kikimimi.facets_of(new.conversation, new.at, new.outcome, new.data);
  return new;
end $$;
create trigger turn_faceted before insert or update of outcome, data on kikimimi.trace for each row execute function kikimimi.turn_faceted();

-- A turn without facets is not counted.
create function kikimimi.turn_indexed() returns trigger language plpgsql as $$
declare
  had bigint[] := '{}';
  has bigint[] := '{}';
begin
  if tg_op <> 'INSERT' and old.facets is not null then
    had := old.facets;
    perform kikimimi.count_turn(old.conversation, old.at, old.outcome, old.data, -1);
  end if;
  if tg_op <> 'DELETE' then
    has := new.facets;
    perform kikimimi.count_turn(new.conversation, new.at, new.outcome, new.data, 1);
    insert into kikimimi.turn_facet (facet, at, seq) select f, new.at, new.seq from unnest(has) f where f <> all (had) order by f
      on conflict do nothing;
  end if;
  if cardinality(had) > 0 then
    delete from kikimimi.turn_facet where facet = any (had) and facet <> all (has) and at = old.at and seq = old.seq;
  end if;
  return null;
end $$;
create trigger turn_indexed after insert or delete or update of outcome, data on kikimimi.trace for each row
  execute function kikimimi.turn_indexed();

create function kikimimi.turn_index_emptied() returns trigger language plpgsql as $$
begin
  delete from kikimimi.turn_facet;
  delete from kikimimi.turn_hour;
  return null;
end $$;
create trigger turn_index_emptied after truncate on kikimimi.trace for each statement execute function kikimimi.turn_index_emptied();

-- The same months as the traces will have.
do $$ begin
  execute format('create table kikimimi.turn_facet_earlier partition of kikimimi.turn_facet for values from (minvalue) to (%L)',
    (select upper from kikimimi.earlier));
end $$;
create table kikimimi.turn_facet_other partition of kikimimi.turn_facet default;

-- Indexes the next turns of before, as many as take about `ms` milliseconds. Returns whether turns are left.
create function kikimimi.index_on(ms double precision) returns boolean language plpgsql as $$
declare
  next kikimimi.indexing;
  last bigint;
begin
  select * into next from kikimimi.indexing;
  last := least(next.until, next.upto + next.size);
  update kikimimi.trace t set outcome = outcome where t.seq > next.upto and t.seq <= last and t.facets is null;
  update kikimimi.indexing set upto = last, size = kikimimi.next_size(next.size, statement_timestamp(), ms);
  return last < next.until;
end $$;

-- step: repeat
select 1 where kikimimi.index_on(200)

-- step
drop function kikimimi.index_on(double precision);
drop function kikimimi.next_size(bigint, timestamptz, double precision);
drop table kikimimi.indexing;

-- For plugins.
create view kikimimi_v1.turn_facet as
select f.facet, f.at, f.seq from kikimimi.turn_facet f;
create trigger read_only instead of insert or update or delete on kikimimi_v1.turn_facet
  for each row execute function kikimimi.refuse_write();
create view kikimimi_v1.turn_hour as
select c.hour, c.shard, c.outcome, c.reason, c.bucket, c.turns, c.messages, c.errors from kikimimi.turn_hour c;
create trigger read_only instead of insert or update or delete on kikimimi_v1.turn_hour
  for each row execute function kikimimi.refuse_write();
