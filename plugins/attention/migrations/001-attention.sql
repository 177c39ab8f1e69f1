-- Decisions of the bot whose outcome is or will be known. They hold no text.
create table attention.outcome (
  turn text primary key,
  conversation text not null,
  channel text not null,
  -- The message that triggered the turn, and its author.
  message text not null,
  author text not null,
  at timestamptz not null,
  -- False: the bot was silent, near the threshold.
  spoke boolean not null,
  addressed boolean not null,
  -- Ids of the messages of the bot.
  sent text[] not null,
  -- Numbers by the name of the sign.
  signs jsonb not null,
  probability double precision not null,
  -- Hashes of the weights, and of the persona with the models that wrote the answer.
  weights text not null,
  prompt text not null,
  -- Null: the votes are not counted yet.
  counted_at timestamptz
);
-- What has to be counted next?
create index outcome_uncounted on attention.outcome (at) where counted_at is null;
-- Learning, deleted messages, and the report.
create index outcome_channel_at on attention.outcome (channel, at);

-- What the behaviour of a person said about a decision: one row for each person.
create table attention.vote (
  turn text not null references attention.outcome on delete cascade,
  person text not null,
  -- The message of the person; null for a reaction, and for silence.
  message text,
  -- −1…1. Positive: an answer was, or would have been, welcome.
  value double precision not null,
  primary key (turn, person)
);

-- Weights that were learned for a channel. The applied ones are a setting of the channel.
create table attention.version (
  channel text not null,
  version int not null,
  at timestamptz not null,
  hash text not null,
  weights jsonb not null,
  -- The data that it was learned from, and its results on the last part of the channel.
  learned jsonb not null,
  -- The weights before it was applied; null for the shared ones.
  before jsonb,
  applied_at timestamptz,
  reverted_at timestamptz,
  primary key (channel, version)
);

create function attention.message_changed() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    return null;
  end if;
  delete from attention.outcome o where o.channel = old.channel and (o.message = old.id or old.id = any(o.sent));
  delete from attention.vote v using attention.outcome o
    where o.turn = v.turn and o.channel = old.channel and v.message = old.id;
  return null;
end $$;
select kikimimi_v1.after_message_change('attention.message_changed');
