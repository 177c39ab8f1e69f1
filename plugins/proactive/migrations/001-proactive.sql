-- What was brought up where: once, so it is written down before it is said. Numbers and ids alone, no words.
create table proactive.shared (
  -- The id of the conversation without its thread.
  channel text not null,
  fact bigint not null,
  conversation text not null,
  -- The turn in which it was said: its trace tells why.
  turn text not null,
  at timestamptz not null,
  -- Ids of what was posted; null until that is known.
  sent text[],
  -- Somebody took it up. It can still become true.
  reacted boolean not null default false,
  primary key (channel, fact)
);
-- What was brought up in this channel last?
create index shared_channel_at on proactive.shared (channel, at desc);
-- How much was brought up today?
create index shared_at on proactive.shared (at);

-- What it means to bring up in a conversation, or meant to and the model thought better of it.
create table proactive.plan (
  conversation text primary key,
  fact bigint not null,
  -- The last message of the batch that it was decided for.
  message text not null,
  declined boolean not null default false,
  at timestamptz not null
);
-- The sweep.
create index plan_at on proactive.plan (at);
