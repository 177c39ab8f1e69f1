-- kikimimi: online
-- The tables of before become the partition of all earlier months. From here on processes of the earlier version cannot record, so nothing
-- that takes long comes after it.

-- step
-- The partitions of a table with the instants at which they begin and end. The default partition has neither.
create function kikimimi.partitions_of(parent regclass) returns table (name text, lower timestamptz, upper timestamptz)
language sql stable as $$
  select c.oid::regclass::text,
    case when bound ~ 'MINVALUE' then '-infinity' else substring(bound from 'FROM \(''([^'']+)''\)')::timestamptz end,
    substring(bound from 'TO \(''([^'']+)''\)')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
  where i.inhparent = parent
$$;

-- Adds the partitions of the months between two instants. Rows of a new month move there from the default partition.
create function kikimimi.add_months(first timestamptz, last timestamptz) returns void language plpgsql as $$
declare
  parent text;
  month timestamptz;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('kikimimi.add_months'));
  foreach parent in array array['message', 'trace', 'turn_facet'] loop
    for month in select date_trunc('month', n at time zone 'UTC') at time zone 'UTC'
      from generate_series(date_trunc('month', first at time zone 'UTC') at time zone 'UTC', last, interval '1 month') n
    loop
      continue when exists (
        select 1 from kikimimi.partitions_of(('kikimimi.' || parent)::regclass) p where p.lower <= month and p.upper > month
      );
      part := parent || to_char(month at time zone 'UTC', '_YYYY_MM');
      execute format('create table kikimimi.%I (like kikimimi.%I including defaults including constraints)', part, parent);
      -- The lock is short: the default partition is almost always empty. Its triggers do not run: the rows are as before.
      execute format('alter table kikimimi.%I disable trigger user', parent || '_other');
      execute format('with moved as (delete from kikimimi.%I where at >= %L and at < %L returning *) insert into kikimimi.%I select * from moved',
        parent || '_other', month, month + interval '1 month', part);
      execute format('alter table kikimimi.%I enable trigger user', parent || '_other');
      execute format('alter table kikimimi.%I attach partition kikimimi.%I for values from (%L) to (%L)',
        parent, part, month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    end loop;
  end loop;
end $$;

-- Takes the months before an instant out of a table, and returns their tables, which nothing reads any more.
create function kikimimi.detach_months(parent text, before timestamptz) returns setof text language plpgsql as $$
declare
  part record;
  gone text;
begin
  for part in select * from kikimimi.partitions_of(('kikimimi.' || parent)::regclass) p where p.upper <= before loop
    gone := parent || '_gone' || to_char(part.upper at time zone 'UTC', '_YYYY_MM_DD');
    execute format('alter table kikimimi.%I detach partition %s', parent, part.name);
    execute format('alter table %s rename to %I', part.name, gone);
    return next 'kikimimi.' || gone;
  end loop;
end $$;

-- Deletes rows of a month that was taken out. Returns their number. Trigger functions of plugins that follow retention run for them.
create function kikimimi.purge_month(part regclass, size int) returns bigint language plpgsql as $$
declare
  handler record;
  deleted bigint;
begin
  for handler in
    select t.tgname, pg_get_triggerdef(t.oid) as definition from pg_trigger t
    where t.tgrelid = 'kikimimi.message'::regclass and not t.tgisinternal and t.tgoldtable is not null and t.tgname <> 'messages_gone'
      and not exists (select 1 from pg_trigger o where o.tgrelid = part and o.tgname = t.tgname)
  loop
    execute replace(handler.definition, ' ON kikimimi.message ', format(' ON %s ', part));
  end loop;
  if not exists (select 1 from pg_trigger t where t.tgrelid = part and not t.tgisinternal) then
    return 0;
  end if;
  execute format('delete from %s where seq in (select seq from %s order by seq limit %s)', part, part, size);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- The tables become partitions. Views, triggers and indexes on them are made again on their parents, those of plugins too.
do $$
declare
  bound timestamptz := (select upper from kikimimi.earlier);
  parent text;
  old text;
  one record;
  last bigint;
begin
  lock table kikimimi.message, kikimimi.trace in access exclusive mode;
  drop trigger message_of_earlier on kikimimi.message;
  create temporary table seen on commit drop as
    select distinct v.oid::regclass::text as name, pg_get_viewdef(v.oid) as definition
    from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
    where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and v.relkind = 'v'
      and d.refobjid in ('kikimimi.message'::regclass, 'kikimimi.trace'::regclass);
  create temporary table called on commit drop as
    select tgrelid::regclass::text as place, tgname as name, pg_get_triggerdef(oid) as definition, tgenabled as enabled from pg_trigger
    where tgrelid in ('kikimimi.message'::regclass, 'kikimimi.trace'::regclass) and not tgisinternal;
  for one in select * from called loop
    execute format('drop trigger %I on %s', one.name, one.place);
  end loop;

  foreach parent in array array['message', 'trace'] loop
    old := parent || '_earlier';
    -- The highest number that was given, also to a row that is deleted: readers and turns have noted how far they are.
    execute format('select greatest(max(seq), (select last_value from %s where is_called), 0) from kikimimi.%I',
      pg_get_serial_sequence('kikimimi.' || parent, 'seq'), parent) into last;
    execute format('alter table kikimimi.%I alter column seq drop identity', parent);
    execute format('alter table kikimimi.%I rename to %I', parent, old);
    execute format('create table kikimimi.%I (like kikimimi.%I including defaults including constraints) partition by range (at)', parent, old);
    execute format('alter table kikimimi.%I drop constraint %I', parent, parent || '_earlier');
    execute format('create sequence kikimimi.%I owned by kikimimi.%I.seq', parent || '_seq_seq', parent);
    perform setval(format('kikimimi.%I', parent || '_seq_seq'), last + 1, false);
    execute format('alter table kikimimi.%I alter column seq set default nextval(%L)', parent, format('kikimimi.%I', parent || '_seq_seq'));
    for one in
      select i.indexrelid::regclass::text as name, c.relname, pg_get_indexdef(i.indexrelid) as definition,
        (select conname from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u')) as rule
      from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = ('kikimimi.' || old)::regclass
    loop
      if one.rule is not null then
        -- A rule about all partitions needs the time. message_once and trace_once have it.
        execute format('alter table kikimimi.%I drop constraint %I', old, one.rule);
        continue;
      end if;
      execute format('alter index %s rename to %I', one.name, 'earlier_' || one.relname);
      execute replace(one.definition, format(' ON kikimimi.%I USING ', old), format(' ON kikimimi.%I USING ', parent));
    end loop;
    execute format('alter table kikimimi.%I attach partition kikimimi.%I for values from (minvalue) to (%L)', parent, old, bound);
    execute format('create table kikimimi.%I partition of kikimimi.%I default', parent || '_other', parent);
  end loop;

  for one in select * from seen loop
    execute format('create or replace view %s as %s', one.name, one.definition);
  end loop;
  for one in select * from called loop
    execute one.definition;
    if one.enabled = 'D' then
      execute format('alter table %s disable trigger %I', one.place, one.name);
    end if;
  end loop;
end $$;

-- The end of a turn: its batch is processed up to `in_processed`, if that is given, and its trace is stored. Returns whether something
-- that it was made from has changed since `in_at`; then `end_turn` has to follow. Rows are locked before sources are, as by all other
-- changes of messages and conversations. Each statement sees what was committed before it, so no change is missed.
create function kikimimi.finish_turn(
  in_conversation text, in_processed bigint, in_turn text, in_at timestamptz, in_outcome text, in_trigger text, in_data jsonb,
  in_channel text, in_sent text[], in_screen text[], in_sources jsonb
) returns boolean language plpgsql as $$
begin
  if in_processed is not null then
    update kikimimi.conversation set processed = in_processed where id = in_conversation and processed < in_processed;
    update kikimimi.message set recalled = false, revise = null
      where conversation = in_conversation and recalled and seq <= in_processed
        and at between in_at - interval '8 days' and in_at + interval '2 days';
  end if;
  if cardinality(in_sent) > 0 then
    update kikimimi.message set turn = in_turn where channel = in_channel and id = any(in_sent) and own
      and at between in_at - interval '8 days' and in_at + interval '2 days';
  end if;
  insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
    values (in_turn, in_conversation, in_at, in_outcome, in_trigger, in_data) on conflict do nothing;
  perform kikimimi.keep_sources(in_turn, in_channel, in_screen, in_sources);
  return exists (
    select 1 from kikimimi.message m join kikimimi.source s
      on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where m.deleted_at >= in_at or m.edited_at >= in_at
  ) or exists (
    select 1 from kikimimi.left_out l join kikimimi.message m on m.channel = l.channel and m.id = l.id
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where l.at >= in_at - interval '1 day'
  );
end $$;

select kikimimi.add_months(now(), now() + interval '2 months');
drop function kikimimi.message_of_earlier();
drop table kikimimi.earlier;

-- step
-- Until now a turn was a job of the queue. Processes of the earlier version take turns until they cannot record any more.
do $$ begin
  if to_regclass('pgboss.job') is null then return; end if;
  execute $carry$
    update kikimimi.conversation c set due_at = j.start_after, urgent = j.urgent, vary = j.vary,
      delayed = j.delayed || jsonb_build_object('at', round(extract(epoch from j.start_after) * 1000))
    from (
      select distinct on (data->'payload'->>'conversation') data->'payload'->>'conversation' as id, start_after, priority > 0 as urgent,
        coalesce((data->'payload'->>'vary')::float8, 1) as vary, data->'payload'->'delayed' as delayed
      from pgboss.job where name = 'turn' and state <= 'active' and data->>'kind' = 'turn'
      order by data->'payload'->>'conversation', start_after
    ) j where c.id = j.id
  $carry$;
  execute $drop$ delete from pgboss.job where name = 'turn' $drop$;
  execute $drop$ delete from pgboss.queue where name = 'turn' $drop$;
end $$;
