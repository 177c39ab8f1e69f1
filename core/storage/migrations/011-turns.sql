-- The turns of a conversation. docs/pipeline.md draws its states.
alter table kikimimi.conversation
  -- When its next turn is due. Null: no turn waits.
  add column due_at timestamptz,
  -- The latest time to which further messages move `due_at`. Null: they do not move it.
  add column due_latest timestamptz,
  -- When a message last addressed the bot.
  add column called_at timestamptz,
  -- A message of the next turn addresses the bot.
  add column urgent boolean not null default false,
  -- The random factor of the waits of the next turn.
  add column vary double precision not null default 1,
  -- { decision, lastSeq, at }: what was decided in an earlier turn, to be done at a time.
  add column delayed jsonb,
  -- The process that takes a turn now, and until when it must report again.
  add column leased_by text,
  add column leased_until timestamptz,
  -- Failures and crashes since the last turn that ended.
  add column attempts int not null default 0,
  -- The error of the last failure, without words of people, and when the last turn was given up.
  add column failure text,
  add column failed_at timestamptz;
-- For the next turns, and for those of dead processes.
create index conversation_due on kikimimi.conversation (due_at) where due_at is not null;
create index conversation_leased on kikimimi.conversation (leased_until) where leased_by is not null;
-- For the state of the queue.
create index conversation_failed on kikimimi.conversation (failed_at) where failed_at is not null;

-- What a message makes of the turn of its conversation. It moves the time, except of a call, of a turn that waits for something else, and
-- where the bot has spoken or was called after `moves_since`: there the turn only becomes due earlier.
create function kikimimi.due_after(
  due_at timestamptz, due_latest timestamptz, urgent boolean, vary double precision,
  new_due timestamptz, new_latest timestamptz, new_urgent boolean, new_vary double precision, engaged_at timestamptz, moves_since timestamptz
) returns table (due_at timestamptz, due_latest timestamptz, urgent boolean, vary double precision)
language sql immutable as $$
  select
    case when $3 or $7 or $2 is null or $9 > $10 then least($1, $5) else least($5, $2) end,
    coalesce($2, $6),
    $3 or $7,
    $8
$$;
