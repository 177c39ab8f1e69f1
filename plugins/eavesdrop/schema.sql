-- Written by npm run schema. The migrations make this.

create table eavesdrop.intervention (
  turn text not null,
  conversation text not null,
  at timestamp with time zone not null,
  state text not null,
  talk jsonb,
  answer text,
  people text[] not null,
  sent text[],
  messages integer,
  people_after integer,
  replies integer,
  reactions integer,
  constraint intervention_pkey PRIMARY KEY (turn)
);
CREATE INDEX intervention_at ON eavesdrop.intervention USING btree (at);
CREATE INDEX intervention_conversation_at ON eavesdrop.intervention USING btree (conversation, at DESC);

create table eavesdrop.judgement (
  conversation text not null,
  hash text not null,
  state text not null,
  same boolean,
  verdict boolean,
  at timestamp with time zone not null,
  constraint judgement_pkey PRIMARY KEY (conversation, hash)
);
CREATE INDEX judgement_at ON eavesdrop.judgement USING btree (at);

create table eavesdrop.plan (
  conversation text not null,
  message text not null,
  state text not null,
  due_at timestamp with time zone not null,
  due_messages integer not null,
  constraint plan_pkey PRIMARY KEY (conversation)
);
