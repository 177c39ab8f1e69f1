-- Where to answer a slash command, for whichever process takes the turn. On a Postgres server. Unlogged: in no
-- backup, and in no export.
create unlogged table slack.command (
  -- The id of its message.
  message text primary key,
  -- What Slack calls this use of it: one that is told twice is taken once.
  trigger text not null unique,
  -- Whoever has it may answer in the bot's name, for half an hour.
  address text not null,
  until timestamptz not null
);
