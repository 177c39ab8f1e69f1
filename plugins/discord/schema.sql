-- Written by npm run schema. The migrations make this.

create unlogged table discord.command (
  message text not null,
  application text not null,
  token text not null,
  until timestamp with time zone not null,
  constraint command_pkey PRIMARY KEY (message)
);

create table discord.identify (
  bucket integer not null,
  at timestamp with time zone not null,
  constraint identify_pkey PRIMARY KEY (bucket)
);

create table discord.process (
  id text not null,
  place bigint generated always as identity not null,
  until timestamp with time zone not null,
  shards integer not null,
  per_second integer default 0 not null,
  constraint process_pkey PRIMARY KEY (id)
);

create table discord.shard (
  id integer not null,
  count integer not null,
  process text not null,
  constraint shard_pkey PRIMARY KEY (id),
  constraint shard_process_fkey FOREIGN KEY (process) REFERENCES discord.process(id) ON DELETE CASCADE
);
