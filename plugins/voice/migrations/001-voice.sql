-- The people to whom the bot may listen in the voice channels of a server.
create table voice.consent (
  platform text not null,
  workspace text not null,
  person text not null,
  given_at timestamptz not null,
  primary key (platform, workspace, person)
);
-- The erasure of a person.
create index on voice.consent (platform, person);
