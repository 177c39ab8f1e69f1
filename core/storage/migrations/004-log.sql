-- How far a plugin has processed the log. `seq` is the last message that was looked through. Messages until `began` are from before the
-- plugin was added.
create table kikimimi.follower (
  name text primary key,
  began bigint not null,
  seq bigint not null,
  -- Grows with every erasure of a person: a result that was made before is discarded.
  version int not null default 0
);

-- How far each conversation is processed. Each has a mark, because `seq` is an order of writing within a conversation only.
create table kikimimi.follower_mark (
  follower text not null references kikimimi.follower on delete cascade,
  conversation text not null,
  -- See place_of. Messages of one place are processed together.
  place text not null,
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  upto bigint not null,
  -- There may be something to read.
  pending boolean not null,
  -- Failures in a row of the place: all of them, and those that count against the batch, which ends with `failed_upto`.
  failures int not null default 0,
  refusals int not null default 0,
  failed_upto bigint,
  retry_at timestamptz,
  primary key (follower, conversation)
);
create index follower_pending on kikimimi.follower_mark (follower, place) where pending;

-- For a plugin that has kept its own marks.
create function kikimimi_v1.keep_follower(in_name text, in_began bigint, in_seq bigint, marks jsonb) returns void language sql as $$
  insert into kikimimi.follower (name, began, seq) values (in_name, in_began, in_seq) on conflict do nothing;
  insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
    select in_name, conversation, place, visibility, upto, pending
    from jsonb_to_recordset(marks) as m(conversation text, place text, visibility text, upto bigint, pending boolean)
    on conflict do nothing;
$$;

-- Whether something may be made of a message. Locks it against edits and deletion until the transaction ends. For a message of a turn, which
-- has no number: `in_at` finds its month.
create function kikimimi_v1.lock_message(in_channel text, in_id text, in_at timestamptz) returns boolean language sql as $$
  select exists (
    select 1 from (
      select m.being_forgotten from kikimimi_v1.message m
      where m.channel = in_channel and m.id = in_id and m.at between in_at - interval '1 second' and in_at + interval '1 second'
        and m.deleted_at is null for share
    ) said where not said.being_forgotten
  )
$$;
