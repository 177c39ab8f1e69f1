-- Written by npm run schema. The migrations make this.

create unlogged table slack.command (
  message text not null,
  trigger text not null,
  address text not null,
  until timestamp with time zone not null,
  constraint command_pkey PRIMARY KEY (message),
  constraint command_trigger_key UNIQUE (trigger)
);

create table slack.installation (
  id text not null,
  is_org boolean not null,
  name text not null,
  bot_user text not null,
  bot_id text not null,
  bot_name text not null,
  scopes text[] not null,
  tokens text not null,
  expires_at timestamp with time zone,
  refreshing_until timestamp with time zone,
  installed_at timestamp with time zone not null,
  constraint installation_pkey PRIMARY KEY (id)
);

create unlogged table slack.used_state (
  state text not null,
  until timestamp with time zone not null,
  constraint used_state_pkey PRIMARY KEY (state)
);

create table slack.workspace (
  team text not null,
  org text,
  plain_ids boolean not null,
  constraint workspace_pkey PRIMARY KEY (team)
);
CREATE UNIQUE INDEX workspace_plain_ids ON slack.workspace USING btree (plain_ids) WHERE plain_ids;
