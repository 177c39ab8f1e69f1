-- Written by npm run schema. The migrations make this.

create table proactive.plan (
  conversation text not null,
  fact bigint not null,
  message text not null,
  declined boolean default false not null,
  at timestamp with time zone not null,
  constraint plan_pkey PRIMARY KEY (conversation)
);
CREATE INDEX plan_at ON proactive.plan USING btree (at);

create table proactive.shared (
  channel text not null,
  fact bigint not null,
  conversation text not null,
  turn text not null,
  at timestamp with time zone not null,
  sent text[],
  reacted boolean default false not null,
  constraint shared_pkey PRIMARY KEY (channel, fact)
);
CREATE INDEX shared_at ON proactive.shared USING btree (at);
CREATE INDEX shared_channel_at ON proactive.shared USING btree (channel, at DESC);
