-- The places in which people talk: a channel with its threads, or a private thread of a channel that more people can read.
-- Messages of one place are reflected on together.
create table reflection.place (
  -- The id of the channel or thread, as conversation ids are.
  id text primary key,
  -- Grows with every change: a result made from an older state is discarded.
  version int not null default 0,
  -- Consecutive failures: all of them, and those in which the model refused the batch that ends with `failed_upto`.
  failures int not null default 0,
  refusals int not null default 0,
  failed_upto bigint,
  retry_at timestamptz
);

-- How far each conversation has been reflected on. Each conversation has a mark, because `seq` is an order of writing within
-- a conversation only.
create table reflection.progress (
  conversation text primary key,
  place text not null,
  -- The visibility of the unread messages.
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  upto bigint not null,
  -- There may be something to read.
  pending boolean not null
);
create index progress_pending on reflection.progress (place) where pending;

-- Messages that the model refused twice. A row goes with its message.
create table reflection.set_aside (
  seq bigint primary key,
  place text not null,
  at timestamptz not null
);
create function reflection.messages_gone() returns trigger language plpgsql as $$
begin
  delete from reflection.set_aside a using gone where a.seq = gone.seq;
  return null;
end $$;
select kikimimi_v1.after_message_purge('reflection.messages_gone');

-- `seq` of the last message that was looked through. Messages from before the plugin was added are not reflected on.
create table reflection.watermark (id int primary key default 1 check (id = 1), seq bigint not null, began bigint not null);
insert into reflection.watermark (seq, began) select coalesce(max(seq), 0), coalesce(max(seq), 0) from kikimimi_v1.message;
