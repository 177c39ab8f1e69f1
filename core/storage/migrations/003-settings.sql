-- Settings made in the chat: options of plugins for a channel, and whether the bot is stopped.
create table kikimimi.setting (
  -- The id of a channel; for a stop also `platform/workspace`.
  place text not null,
  plugin text not null,
  key text not null,
  value jsonb not null,
  -- The person who made the setting; without a name once that person is forgotten.
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  primary key (place, plugin, key)
);
