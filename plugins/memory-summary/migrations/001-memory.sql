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
  retry_at timestamptz
);
-- For the memories of a workspace that a prompt shows.
create index memory_workspace on memory_summary.memory (workspace, kind, active_at desc);
-- For the threads of a channel.
create index memory_channel on memory_summary.memory (channel, active_at desc) where kind = 'thread';
-- For events that are old enough to become history.
create index memory_recent_since on memory_summary.memory (recent_since) where recent_since is not null;

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

-- Runs in the transaction that deletes the message.
create function memory_summary.message_deleted() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null and new.deleted_at is not null then
    update memory_summary.progress set changed = true
    where conversation = old.conversation and recent_from < old.seq and old.seq <= upto;
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('memory_summary.message_deleted');
