-- Calls of the judge, and what became of the turns. They hold no text.
create table judge_llm.outcome (
  turn text primary key,
  conversation text not null,
  channel text not null,
  -- The message that triggered the turn, and its author.
  message text not null,
  author text not null,
  at timestamptz not null,
  -- Null: the bot reacted, waits, or was interrupted, so that there is nothing to count.
  spoke boolean,
  -- Ids of the messages of the bot.
  sent text[] not null,
  -- Whether the author and the bot were talking with each other.
  follow_up boolean not null,
  -- The calibrated probability of the points.
  prior double precision not null,
  -- −1…1: the confidence of the model, negative for silence.
  verdict double precision not null,
  -- The probability without the verdict and with it.
  before double precision not null,
  after double precision not null,
  -- False: the judge was paused and asked as a sample; the probability without the verdict decided.
  heeded boolean not null,
  model text not null,
  -- Hash of the prompt.
  prompt text not null,
  -- What the prompt showed: lines besides the one that triggered the turn; false: the message that it answers, and the last words of
  -- the bot, were missing.
  lines int not null,
  has_target boolean not null,
  has_own boolean not null,
  input_tokens int not null,
  output_tokens int not null,
  -- Null: the model has no price.
  cost double precision,
  -- Null: the votes are not counted yet.
  counted_at timestamptz
);
-- What has to be counted next?
create index outcome_uncounted on judge_llm.outcome (at) where counted_at is null and spoke is not null;
-- Learning, deleted messages, and the report.
create index outcome_channel_at on judge_llm.outcome (channel, at);

-- What the behaviour of a person said about a decision: one row for each person.
create table judge_llm.vote (
  turn text not null references judge_llm.outcome on delete cascade,
  person text not null,
  -- The message of the person; null for a reaction, and for silence.
  message text,
  -- −1…1. Positive: an answer was, or would have been, welcome.
  value double precision not null,
  primary key (turn, person)
);

-- What was learned about the judge in a channel.
create table judge_llm.channel (
  channel text primary key,
  at timestamptz not null,
  -- The model and the hash of the prompt that were measured.
  model text not null,
  prompt text not null,
  -- The coefficients with the verdict: {a, b, c}.
  coefficients jsonb not null,
  -- The standard deviation of c.
  deviation double precision not null,
  -- The coefficients of the points alone: {a, b, c: 0}.
  alone jsonb not null,
  -- Votes and people.
  votes int not null,
  people int not null,
  -- What the verdict adds to the log likelihood of a vote, in nats, and the upper end of its 95 % interval.
  gain double precision not null,
  gain_low double precision not null,
  gain_high double precision not null,
  -- Only calls from this time on are measured.
  measured_from timestamptz not null,
  -- Null: the judge is asked.
  paused_at timestamptz
);

create function judge_llm.message_changed() returns trigger language plpgsql as $$
begin
  if new.deleted_at is null then
    return null;
  end if;
  delete from judge_llm.outcome o where o.channel = old.channel and (o.message = old.id or old.id = any(o.sent));
  delete from judge_llm.vote v using judge_llm.outcome o
    where o.turn = v.turn and o.channel = old.channel and v.message = old.id;
  return null;
end $$;
select kikimimi_v1.after_message_change('judge_llm.message_changed');
