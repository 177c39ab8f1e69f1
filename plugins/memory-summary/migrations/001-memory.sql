-- The memory of a workspace, of a channel with its threads, or of one thread: recent events and history.
create table memory_summary.memory (
  -- `platform/workspace`, or the id of the channel or thread: as conversation ids are.
  id text primary key,
  kind text not null check (kind in ('workspace', 'channel', 'thread')),
  workspace text not null,
  -- Id of the channel, or of the channel of the thread; empty for a workspace.
  channel text not null,
  name text not null,
  -- The visibility of the messages that it is made from.
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- When the last message was received there.
  active_at timestamptz not null,
  -- Messages up to this `seq` do not go into it.
  began bigint not null,
  recent text not null default '',
  -- When the oldest of `recent` was said.
  recent_since timestamptz,
  mood text not null default '',
  topics jsonb not null default '[]',
  -- [{ id, name }], who spoke last first.
  active_users jsonb not null default '[]',
  history text not null default '',
  -- When `recent` was last written.
  updated_at timestamptz,
  -- Grows with every change: a result made from an older state is discarded.
  version int not null default 0,
  -- Consecutive failures: all of them, and those in which the model refused the batch that ends with `failed_upto`.
  failures int not null default 0,
  refusals int not null default 0,
  failed_upto bigint,
  retry_at timestamptz,
  -- The place in which its messages were said, see kikimimi_v1.place_of. Of a workspace: its id and a slash.
  place text not null
);
-- For the memories of a workspace that a prompt shows.
create index memory_workspace on memory_summary.memory (workspace, kind, active_at desc);
-- For the threads of a channel.
create index memory_channel on memory_summary.memory (channel, active_at desc) where kind = 'thread';
-- For events that are old enough to become history.
create index memory_recent_since on memory_summary.memory (recent_since) where recent_since is not null;
-- For the workspaces with news: each scan of the log asks for them.
create index memory_updated on memory_summary.memory (workspace, updated_at) where kind = 'channel';

-- How far each conversation has been read into a memory. Each conversation has a mark, because `seq` is an order of
-- writing within a conversation only.
create table memory_summary.progress (
  memory text not null references memory_summary.memory on delete cascade,
  conversation text not null,
  -- `recent` is made from the messages after `recent_from`, up to `upto`.
  recent_from bigint not null,
  upto bigint not null,
  -- There may be something to read.
  pending boolean not null,
  -- A message that was read has been deleted.
  changed boolean not null default false,
  primary key (memory, conversation)
);
create index progress_pending on memory_summary.progress (memory) where pending or changed;
create index progress_conversation on memory_summary.progress (conversation);

-- The authors of the messages that a memory is made from, and the part of the memory.
create table memory_summary.speaker (
  memory text not null references memory_summary.memory on delete cascade,
  person text not null,
  recent boolean not null,
  history boolean not null,
  primary key (memory, person)
);
create index speaker_person on memory_summary.speaker (person);

-- Forgotten people: their messages up to this one are not read again.
create table memory_summary.forgotten (
  -- URL-encoded, as conversation ids begin.
  platform text not null,
  person text not null,
  upto bigint not null,
  primary key (platform, person)
);

-- Messages that the model refused twice to sum up: they are in no memory.
create table memory_summary.set_aside (
  memory text not null references memory_summary.memory on delete cascade,
  messages bigint[] not null,
  at timestamptz not null
);
create index set_aside_memory on memory_summary.set_aside (memory);

-- `seq` of the last message that was looked through. Messages from before the plugin was added are not summed up.
create table memory_summary.watermark (id int primary key default 1 check (id = 1), seq bigint not null, began bigint not null);
insert into memory_summary.watermark (seq, began) select coalesce(max(seq), 0), coalesce(max(seq), 0) from kikimimi_v1.message;

-- ---------------------------------------------------------------- sources

-- The messages that a memory is made from are stored as sources of two things: `recent ID` and `history ID`. When one of the
-- messages changes, the part is cleared in the same transaction, and the next update makes it again from what is left.

-- Adds sources to a part. The ranges of one conversation are joined: a memory reads without gaps.
create function memory_summary.add_sources(in_thing text, conversations text[], firsts bigint[], lasts bigint[])
returns void language plpgsql as $$
declare
  all_conversations text[];
  all_firsts bigint[];
  all_lasts bigint[];
begin
  select array_agg(conversation), array_agg(first), array_agg(last) into all_conversations, all_firsts, all_lasts from (
    select conversation, min(first) as first, max(last) as last from (
      select conversation, first, last from kikimimi_v1.source where owner = 'memory_summary' and thing = in_thing
      union all
      select * from unnest(conversations, firsts, lasts)
    ) each group by conversation
  ) joined;
  perform kikimimi_v1.made_from('memory_summary', in_thing, all_conversations, all_firsts, all_lasts);
end $$;

-- Adds the sources of other parts to a part.
create function memory_summary.take_sources(in_thing text, parts text[]) returns void language plpgsql as $$
begin
  perform memory_summary.add_sources(in_thing, array_agg(s.conversation), array_agg(s.first), array_agg(s.last))
    from kikimimi_v1.source s where s.owner = 'memory_summary' and s.thing = any(parts);
end $$;

create function memory_summary.clear(in_memory text, with_history boolean) returns void language plpgsql as $$
begin
  perform kikimimi_v1.made_from('memory_summary', 'recent ' || in_memory, '{}', '{}', '{}');
  if with_history then
    perform kikimimi_v1.made_from('memory_summary', 'history ' || in_memory, '{}', '{}', '{}');
    update memory_summary.memory set history = '' where id = in_memory;
    update memory_summary.progress p set recent_from = m.began from memory_summary.memory m where m.id = p.memory and m.id = in_memory;
    delete from memory_summary.speaker where memory = in_memory;
  end if;
  update memory_summary.memory set recent = '', recent_since = null, mood = '', topics = '[]', active_users = '[]',
    updated_at = null, version = version + 1, failed_upto = null, retry_at = null where id = in_memory;
  update memory_summary.progress set upto = recent_from, pending = true, changed = true where memory = in_memory;
  delete from memory_summary.speaker where memory = in_memory and not history;
  update memory_summary.speaker set recent = false where memory = in_memory;
end $$;

-- Tells the bot that a summary was cleared, so that it makes it again.
create function memory_summary.source_changed() returns trigger language plpgsql as $$
declare
  changed_memory text := substr(new.thing, position(' ' in new.thing) + 1);
begin
  -- The memory of a closed channel is read in that channel only. A workspace must not tell of it any more.
  if new.stale = 'closed' and not exists (select 1 from memory_summary.memory where id = changed_memory and kind = 'workspace') then
    return null;
  end if;
  perform memory_summary.clear(changed_memory, starts_with(new.thing, 'history '));
  perform pg_notify('memory_summary.cleared', '');
  return null;
end $$;
select kikimimi_v1.after_source_change('memory_summary.source_changed');
