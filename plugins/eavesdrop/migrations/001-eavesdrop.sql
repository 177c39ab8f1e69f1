-- What it has found out about a talk, so that the same talk is not judged twice: not after a restart either.
create table eavesdrop.judgement (
  conversation text not null,
  -- Of what was said, and of the interventions so far.
  hash text not null,
  state text not null,
  -- Whether it has stepped into this talk already; null while that was not asked.
  same boolean,
  -- Whether to step in; null while that was not asked.
  verdict boolean,
  at timestamptz not null,
  primary key (conversation, hash)
);
-- The sweep.
create index judgement_at on eavesdrop.judgement (at);

-- That it means to step in. It holds while the batch with `message` has not been looked at for good.
create table eavesdrop.plan (
  conversation text primary key,
  -- The last message of the talk when this was planned.
  message text not null,
  state text not null,
  -- It waits until then, or for so many messages.
  due_at timestamptz not null,
  due_messages int not null
);

create table eavesdrop.intervention (
  turn text primary key,
  conversation text not null,
  at timestamptz not null,
  state text not null,
  -- The last messages of the talk, and what the bot said; gone once it need not remember them any more.
  talk jsonb,
  answer text,
  -- Ids of people who talked.
  people text[] not null,
  -- Ids of what was posted; null until that is known.
  sent text[],
  -- Its effect; null until it is counted.
  messages int,
  people_after int,
  replies int,
  reactions int
);
-- What happened here lately?
create index intervention_conversation_at on eavesdrop.intervention (conversation, at desc);
-- The sweep, and the totals.
create index intervention_at on eavesdrop.intervention (at);
