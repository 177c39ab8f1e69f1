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

-- The workspaces that the bot serves or has served.
create table slack.workspace (
  team text primary key,
  -- The organization whose installation serves it. Null: its own.
  org text,
  -- True: ids of its people are Slack's own. False: they begin with the id of the workspace.
  plain_ids boolean not null
);
-- At most one workspace has plain ids.
create unique index workspace_plain_ids on slack.workspace (plain_ids) where plain_ids;

-- Installations of the app by OAuth. A row goes when the app is removed.
create table slack.installation (
  -- The id of the workspace, or of the organization if the app is installed for all its workspaces.
  id text primary key,
  is_org boolean not null,
  -- The name of the workspace or the organization.
  name text not null,
  bot_user text not null,
  bot_id text not null,
  bot_name text not null,
  scopes text[] not null,
  -- The tokens, encrypted with AES-256-GCM.
  tokens text not null,
  -- When the token expires. Null: never.
  expires_at timestamptz,
  -- Until then one process refreshes the token.
  refreshing_until timestamptz,
  installed_at timestamptz not null
);

-- States of OAuth that were used, until they expire. Unlogged: in no backup, and in no export.
create unlogged table slack.used_state (
  state text primary key,
  until timestamptz not null
);
