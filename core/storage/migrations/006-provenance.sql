-- What was made of which messages. A range is the messages of one conversation from `first` to `last`, by `seq`. What was made of
-- a thing of a plugin has the schema of that plugin as `conversation`, and the number of the thing as `first` and `last`.
create table kikimimi.source (
  -- The schema of the plugin; `kikimimi` for turns.
  owner text not null,
  -- Named by its owner; the id of a turn.
  thing text not null,
  conversation text not null,
  first bigint not null,
  last bigint not null,
  -- changed: a message was edited or deleted, or the thing has changed. closed: fewer people can read the conversation.
  stale text check (stale in ('changed', 'closed')),
  primary key (owner, thing, conversation, first)
);
-- For what was made of a message.
create index source_messages on kikimimi.source (conversation, last);

-- The turn that made a message of the bot.
alter table kikimimi.message add column turn text;
create index message_turn on kikimimi.message (turn) where turn is not null;
-- For changes during a turn.
create index message_deleted_at on kikimimi.message (deleted_at) where deleted_at is not null;
create index message_edited_at on kikimimi.message (edited_at) where edited_at is not null;

-- Messages that people asked not to remember. The mark can come before the message.
create table kikimimi.left_out (
  channel text not null,
  id text not null,
  at timestamptz not null,
  primary key (channel, id)
);
create index left_out_at on kikimimi.left_out (at);

-- Hashes of deleted and edited messages and forgotten people: a restored backup loses them again. An edited message is deleted then,
-- because its new text is not known.
create table kikimimi.tombstone (
  key text primary key,
  at timestamptz not null,
  -- Grows with each change, for what was added since.
  seq bigint generated always as identity
);
create index tombstone_seq on kikimimi.tombstone (seq);

create function kikimimi.tombstone_key(kind text, place text, id text) returns text
language sql immutable as $$
  select encode(sha256(convert_to(concat_ws(E'\n', kind, place, id), 'UTF8')), 'hex')
$$;

insert into kikimimi.tombstone (key, at)
  select kikimimi.tombstone_key('message', channel, id), deleted_at from kikimimi.message where deleted_at is not null;
insert into kikimimi.tombstone (key, at)
  select kikimimi.tombstone_key('edit', channel, id), edited_at from kikimimi.message where edited_at is not null and deleted_at is null;

-- ---------------------------------------------------------------- what was made of a message

-- One writer of deletions, or many writers of sources: neither misses what the other has not committed.
create function kikimimi.lock_sources() returns void language sql volatile as $$
  select pg_advisory_xact_lock(hashtext('kikimimi.source'))
$$;

-- A trace without the words of models and plugins. Why the kernel cancelled a turn holds no such words.
create function kikimimi.without_words(data jsonb) returns jsonb
language sql immutable as $$
  select case when data->>'outcome' = 'cancelled' and not data ? 'by' then data else data - 'why' end
    || case when data ? 'decision' then jsonb_build_object('decision', jsonb_set(data->'decision', '{why}', '""')) else '{}' end
    || case when data ? 'score' then jsonb_build_object('score', jsonb_set(data->'score', '{parts}', coalesce(
         (select jsonb_agg(jsonb_set(part, '{why}', '""')) from jsonb_array_elements(data->'score'->'parts') part), '[]'))) else '{}' end
    || case when data ? 'problems' then jsonb_build_object('problems', coalesce(
         (select jsonb_agg(jsonb_set(problem, '{message}', '""')) from jsonb_array_elements(data->'problems') problem), '[]'))
       else '{}' end
$$;

-- Removes the words of turns, and of the turns that had their answers on screen.
create function kikimimi.drop_turns(turns text[], in_at timestamptz) returns void language plpgsql as $$
declare
  lost text[];
begin
  with recursive resting(turn) as (
    select unnest(turns)
    union
    select s.thing from resting r
      join kikimimi.message m on m.turn = r.turn and m.deleted_at is null
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.conversation = m.conversation and s.last >= m.seq and s.first <= m.seq
  )
  select array_agg(turn) into lost from resting;
  -- First, so that the deletion of an answer finds no turn any more.
  delete from kikimimi.source where owner = 'kikimimi' and thing = any(lost);
  update kikimimi.trace set data = kikimimi.without_words(data) where turn = any(lost);
  update kikimimi.delivery set body = null, state = 'failed' where turn = any(lost) and state in ('pending', 'sending');
  update kikimimi.message set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where turn = any(lost) and deleted_at is null;
end $$;

create function kikimimi.message_lost() returns trigger language plpgsql as $$
declare
  lost_at timestamptz := coalesce(new.deleted_at, new.edited_at, new.received_at);
  turns text[];
begin
  perform kikimimi.lock_sources();
  if new.deleted_at is not null then
    insert into kikimimi.tombstone (key, at)
      values (kikimimi.tombstone_key('message', old.channel, old.id), new.deleted_at) on conflict do nothing;
  elsif new.edited_at is not null then
    insert into kikimimi.tombstone as t (key, at)
      values (kikimimi.tombstone_key('edit', old.channel, old.id), new.edited_at)
      on conflict (key) do update set at = excluded.at, seq = default where t.at < excluded.at;
  end if;
  select array_agg(distinct thing) into turns from kikimimi.source
    where owner = 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq;
  if turns is not null then
    perform kikimimi.drop_turns(turns, lost_at);
  end if;
  update kikimimi.source set stale = 'changed'
    where owner <> 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq
      and stale is distinct from 'changed';
  return null;
end $$;
-- Triggers run in the order of their names: this one takes its lock before those of plugins take theirs. An edit that only
-- adds words leaves what was made of the earlier ones.
create trigger "0_message_lost" after update of text, parts, deleted_at on kikimimi.message for each row
  when ((old.text <> new.text and position(old.text in new.text) = 0) or old.parts <> new.parts
    or (old.deleted_at is null and new.deleted_at is not null))
  execute function kikimimi.message_lost();

create function kikimimi.conversation_closed() returns trigger language plpgsql as $$
declare
  turns text[];
begin
  perform kikimimi.lock_sources();
  -- Answers in other channels.
  select array_agg(distinct s.thing) into turns from kikimimi.source s join kikimimi.trace t on t.turn = s.thing
    where s.owner = 'kikimimi' and (s.conversation = new.id or starts_with(s.conversation, new.id || '/'))
      and t.conversation <> new.id and not starts_with(t.conversation, new.id || '/') and not starts_with(new.id, t.conversation || '/');
  if turns is not null then
    perform kikimimi.drop_turns(turns, (select max(at) from kikimimi.trace where turn = any(turns)));
  end if;
  update kikimimi.source set stale = 'closed'
    where owner <> 'kikimimi' and (conversation = new.id or starts_with(conversation, new.id || '/')) and stale is null;
  return null;
end $$;
create trigger "0_conversation_closed" after update of visibility on kikimimi.conversation for each row
  when (old.visibility = 'public' and new.visibility <> 'public') execute function kikimimi.conversation_closed();

-- Stores what a turn was made from. `screen` are the ids of the messages that the turn had on screen.
create function kikimimi.keep_sources(
  in_turn text, in_channel text, screen text[], sources jsonb
) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select 'kikimimi', in_turn, conversation, first, max(last) from (
      select m.conversation, min(m.seq) as first, max(m.seq) as last from kikimimi.message m
        where m.channel = in_channel and m.id = any(screen) group by m.conversation
      union all
      select m.conversation, m.seq, m.seq from jsonb_to_recordset(sources) as s(channel text, messages jsonb)
        join kikimimi.message m on m.channel = s.channel and s.messages ? m.id
      union all
      select s.conversation, s.first, s.last from jsonb_to_recordset(sources) as s(conversation text, first bigint, last bigint)
        where s.conversation is not null
    ) all_sources group by conversation, first
    on conflict do nothing;
end $$;

-- The end of a turn: what it was made from may have changed meanwhile, or be left out of what is remembered.
create function kikimimi.end_turn(in_turn text, in_at timestamptz) returns void language plpgsql as $$
begin
  if exists (
    select 1 from kikimimi.message m join kikimimi.source s
      on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where (m.deleted_at >= in_at or m.edited_at >= in_at) and m.turn is distinct from in_turn
  ) then
    perform kikimimi.drop_turns(array[in_turn], in_at);
  elsif exists (
    select 1 from kikimimi.left_out l join kikimimi.message m on m.channel = l.channel and m.id = l.id
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where l.at >= in_at - interval '1 day'
  ) then
    -- The answer stays on screen with the message.
    insert into kikimimi.left_out (channel, id, at) select channel, id, in_at from kikimimi.message where turn = in_turn
      on conflict do nothing;
    update kikimimi.trace set data = kikimimi.without_words(data) where turn = in_turn;
  end if;
end $$;

-- ---------------------------------------------------------------- for plugins

create view kikimimi_v1.source as
select s.owner, s.thing, s.conversation, s.first, s.last, s.stale from kikimimi.source s;
create trigger read_only instead of insert or update or delete on kikimimi_v1.source
  for each row execute function kikimimi.refuse_write();

-- Stores what a thing was made from, instead of what was stored for it before. Call it before the transaction writes the thing.
create function kikimimi_v1.made_from(
  in_owner text, in_thing text, conversations text[], firsts bigint[], lasts bigint[]
) returns void language plpgsql as $$
begin
  if in_owner = 'kikimimi' then
    raise exception 'the owner of a thing is a plugin';
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  delete from kikimimi.source where owner = in_owner and thing = in_thing;
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select in_owner, in_thing, s.conversation, s.first, max(s.last) from unnest(conversations, firsts, lasts) as s(conversation, first, last)
    group by s.conversation, s.first;
end $$;

-- Marks what was made of a thing of a plugin as stale.
create function kikimimi_v1.thing_changed(in_owner text, in_thing bigint) returns void language sql volatile as $$
  update kikimimi.source set stale = 'changed'
    where conversation = in_owner and first = in_thing and last = in_thing and stale is distinct from 'changed'
$$;

-- Attaches a trigger function of a plugin to its sources, whose owner is the schema of the function.
create function kikimimi_v1.after_source_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of stale on kikimimi.source for each row
     when (new.owner = %L and new.stale is distinct from old.stale) execute function %s()',
    kikimimi.trigger_name(handler),
    (select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler), handler);
end $$;

-- Leaves messages out of what is remembered. They stay on screen. To plugins a message that was recorded before is deleted
-- first, and is being forgotten after that.
create function kikimimi_v1.leave_out(in_channel text, ids text[], in_at timestamptz) returns void language plpgsql as $$
begin
  insert into kikimimi.left_out (channel, id, at) select in_channel, unnest(ids), in_at on conflict do nothing;
  update kikimimi.message set deleted_at = in_at where channel = in_channel and id = any(ids) and deleted_at is null;
  update kikimimi.message set deleted_at = null
    where channel = in_channel and id = any(ids) and deleted_at = in_at and text <> '';
end $$;

-- Deletes messages that were left out before a time, when they are not on screen any more.
create function kikimimi_v1.drop_left_out(before timestamptz, in_at timestamptz) returns void language sql volatile as $$
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    from kikimimi.left_out l where l.at < before and m.channel = l.channel and m.id = l.id and m.deleted_at is null
$$;

create or replace view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text,
  m.mentions, m.attachments, m.reactions, m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  -- The log is cleared after the plugins, so it still has these messages while the plugins forget.
  exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      -- A subquery and no join: it is asked only for rows of the same person, and the table is almost always empty.
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) or exists (select 1 from kikimimi.left_out l where l.channel = m.channel and l.id = m.id) as being_forgotten,
  m.parts, m.answered_by
from kikimimi.message m;

-- ---------------------------------------------------------------- backups

create function kikimimi.person_forgotten() returns trigger language plpgsql as $$
begin
  insert into kikimimi.tombstone (key, at) values (kikimimi.tombstone_key('person', new.platform, new.person), new.before)
    on conflict (key) do update set at = excluded.at, seq = default;
  return null;
end $$;
create trigger person_forgotten after insert or update of before on kikimimi.forgetting
  for each row execute function kikimimi.person_forgotten();

-- Erases again what a restored backup brought back. Returns the people who have to be forgotten again.
create function kikimimi.bury(in_at timestamptz) returns table (platform text, person text, before timestamptz) language plpgsql as $$
begin
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where m.deleted_at is null and (
      exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', m.channel, m.id))
      or exists (select 1 from kikimimi.tombstone t
        where t.key = kikimimi.tombstone_key('edit', m.channel, m.id) and (m.edited_at is null or m.edited_at < t.at)));
  return query
    select distinct c.platform, m.author_id, t.at from kikimimi.message m join kikimimi.conversation c on c.id = m.conversation
      join kikimimi.tombstone t on t.key = kikimimi.tombstone_key('person', c.platform, m.author_id)
    where m.author_id <> '' and m.received_at <= t.at;
end $$;
