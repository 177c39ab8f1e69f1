-- Written by npm run schema. The migrations make this.

create table judge_llm.channel (
  channel text not null,
  at timestamp with time zone not null,
  model text not null,
  prompt text not null,
  coefficients jsonb not null,
  deviation double precision not null,
  alone jsonb not null,
  votes integer not null,
  people integer not null,
  gain double precision not null,
  gain_low double precision not null,
  gain_high double precision not null,
  measured_from timestamp with time zone not null,
  paused_at timestamp with time zone,
  constraint channel_pkey PRIMARY KEY (channel)
);

create table judge_llm.outcome (
  turn text not null,
  conversation text not null,
  channel text not null,
  message text not null,
  author text not null,
  at timestamp with time zone not null,
  spoke boolean,
  sent text[] not null,
  follow_up boolean not null,
  prior double precision not null,
  verdict double precision not null,
  before double precision not null,
  after double precision not null,
  heeded boolean not null,
  model text not null,
  prompt text not null,
  lines integer not null,
  has_target boolean not null,
  has_own boolean not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost double precision,
  counted_at timestamp with time zone,
  constraint outcome_pkey PRIMARY KEY (turn)
);
CREATE INDEX outcome_channel_at ON judge_llm.outcome USING btree (channel, at);
CREATE INDEX outcome_uncounted ON judge_llm.outcome USING btree (at) WHERE ((counted_at IS NULL) AND (spoke IS NOT NULL));

create table judge_llm.vote (
  turn text not null,
  person text not null,
  message text,
  value double precision not null,
  constraint vote_pkey PRIMARY KEY (turn, person),
  constraint vote_turn_fkey FOREIGN KEY (turn) REFERENCES judge_llm.outcome(turn) ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION judge_llm.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deleted_at is null then
    return null;
  end if;
  delete from judge_llm.outcome o where o.channel = old.channel and (o.message = old.id or old.id = any(o.sent));
  delete from judge_llm.vote v using judge_llm.outcome o
    where o.turn = v.turn and o.channel = old.channel and v.message = old.id;
  return null;
end $function$;

CREATE TRIGGER judge_llm_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION judge_llm.message_changed();
