-- Written by npm run schema. The migrations make this.

create table attention.outcome (
  turn text not null,
  conversation text not null,
  channel text not null,
  message text not null,
  author text not null,
  at timestamp with time zone not null,
  spoke boolean not null,
  addressed boolean not null,
  sent text[] not null,
  signs jsonb not null,
  probability double precision not null,
  weights text not null,
  prompt text not null,
  counted_at timestamp with time zone,
  constraint outcome_pkey PRIMARY KEY (turn)
);
CREATE INDEX outcome_channel_at ON attention.outcome USING btree (channel, at);
CREATE INDEX outcome_uncounted ON attention.outcome USING btree (at) WHERE (counted_at IS NULL);

create table attention.version (
  channel text not null,
  version integer not null,
  at timestamp with time zone not null,
  hash text not null,
  weights jsonb not null,
  learned jsonb not null,
  before jsonb,
  applied_at timestamp with time zone,
  reverted_at timestamp with time zone,
  constraint version_pkey PRIMARY KEY (channel, version)
);

create table attention.vote (
  turn text not null,
  person text not null,
  message text,
  value double precision not null,
  constraint vote_pkey PRIMARY KEY (turn, person),
  constraint vote_turn_fkey FOREIGN KEY (turn) REFERENCES attention.outcome(turn) ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION attention.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deleted_at is null then
    return null;
  end if;
  delete from attention.outcome o where o.channel = old.channel and (o.message = old.id or old.id = any(o.sent));
  delete from attention.vote v using attention.outcome o
    where o.turn = v.turn and o.channel = old.channel and v.message = old.id;
  return null;
end $function$;

CREATE TRIGGER attention_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION attention.message_changed();
