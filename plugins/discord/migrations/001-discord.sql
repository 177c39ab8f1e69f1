-- What the processes of one bot share, on a Postgres server.

-- Those that are there. The shards of one that is gone are free.
create table discord.process (
  id text primary key,
  -- In the order in which they came: the oldest say first how many shards they want.
  place bigint generated always as identity,
  -- Taken for dead after that, by the bot's clock, unless it renews it.
  until timestamptz not null,
  -- Into how many shards it would divide the bot. What the oldest says holds for all.
  shards int not null,
  -- How many requests a second a process may make: its part of Discord's limit for the bot.
  per_second int not null default 0
);

-- Who connects which shard.
create table discord.shard (
  id int primary key,
  -- Of so many.
  count int not null,
  process text not null references discord.process on delete cascade
);

-- Discord lets so many shards identify every five seconds, one of each bucket.
create table discord.identify (
  bucket int primary key,
  -- When the latest may do so, or might have.
  at timestamptz not null
);

-- How to answer a slash command, for whichever process takes the turn. Unlogged: in no backup, and in no export.
create unlogged table discord.command (
  -- The id of its message.
  message text primary key,
  application text not null,
  -- Whoever has it may answer in the bot's name, for a quarter of an hour.
  token text not null,
  until timestamptz not null
);
