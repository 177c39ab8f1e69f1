-- Written by npm run schema. The migrations make this.

create table digest.plan (
  channel text not null,
  conversation jsonb not null,
  at timestamp with time zone not null,
  schedule text not null,
  since timestamp with time zone not null,
  constraint plan_pkey PRIMARY KEY (channel)
);
