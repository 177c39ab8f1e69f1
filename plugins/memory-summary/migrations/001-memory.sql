-- What is remembered of a workspace, of a channel with its threads, or of one thread: recent events and history.
create table memory_summary.memory (
  -- `platform/workspace`, or the id of the channel or thread: as conversation ids are.
  id text primary key,
  kind text not null check (kind in ('workspace', 'channel', 'thread')),
  workspace text not null,
  -- The channel that it is about, or that the thread is in; empty for a workspace.
  channel text not null,
  name text not null,
  -- Who could read what it is made from.
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- When somebody was last heard there.
  active_at timestamptz not null,
  -- Nothing that was recorded before this message goes into it.
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
  -- Grows with every change: what was made from an older state is thrown away.
  version int not null default 0,
  -- In a row: all of them, and those in which the model would not have this batch, which ends with `failed_upto`.
  failures int not null default 0,
  refusals int not null default 0,
  failed_upto bigint,
  retry_at timestamptz
);
-- What a prompt shows: the memories of a workspace that are in use.
create index memory_workspace on memory_summary.memory (workspace, kind, active_at desc);
-- The threads of a channel.
create index memory_channel on memory_summary.memory (channel, active_at desc) where kind = 'thread';
-- What is old enough to become history.
create index memory_recent_since on memory_summary.memory (recent_since) where recent_since is not null;

-- How far each conversation has been read into a memory. One mark for each, because the log's order of recording is an
-- order of writing within a conversation only.
create table memory_summary.progress (
  memory text not null references memory_summary.memory on delete cascade,
  conversation text not null,
  -- `recent` is made from what is after the one, up to the other.
  recent_from bigint not null,
  upto bigint not null,
  -- There may be something to read.
  pending boolean not null,
  -- Something that was read is deleted.
  changed boolean not null default false,
  primary key (memory, conversation)
);
create index progress_pending on memory_summary.progress (memory) where pending or changed;
create index progress_conversation on memory_summary.progress (conversation);

-- Who spoke in what a memory is made from, and in which part of it.
create table memory_summary.speaker (
  memory text not null references memory_summary.memory on delete cascade,
  person text not null,
  recent boolean not null,
  history boolean not null,
  primary key (memory, person)
);
create index speaker_person on memory_summary.speaker (person);

-- Who asked to be forgotten: what they said up to this message is never read again.
create table memory_summary.forgotten (
  -- URL-encoded, as conversation ids begin.
  platform text not null,
  person text not null,
  upto bigint not null,
  primary key (platform, person)
);

-- What a model would not sum up, twice: those messages are in no memory.
create table memory_summary.set_aside (
  memory text not null references memory_summary.memory on delete cascade,
  messages bigint[] not null,
  at timestamptz not null
);
create index set_aside_memory on memory_summary.set_aside (memory);

-- Up to where the log has been looked through. What was said before the plugin came is not summed up.
create table memory_summary.watermark (id int primary key default 1 check (id = 1), seq bigint not null, began bigint not null);
insert into memory_summary.watermark (seq, began) select coalesce(max(seq), 0), coalesce(max(seq), 0) from kikimimi_v1.message;

-- In the transaction that deletes the message, whoever does it.
create function memory_summary.message_deleted() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null and new.deleted_at is not null then
    update memory_summary.progress set changed = true
    where conversation = old.conversation and recent_from < old.seq and old.seq <= upto;
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('memory_summary.message_deleted');
