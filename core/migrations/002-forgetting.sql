-- Who asked to be forgotten, until it is done. Whoever reads the message log in the background leaves out what they said
-- until `before`, and what others said until the log is cleared: it may name them.
create table kikimimi.forgetting (
  id bigint generated always as identity primary key,
  platform text not null,
  person text not null,
  -- What was received after this is not meant.
  before timestamptz not null,
  -- What they were called, gathered from the log while it still tells.
  names text[] not null default '{}',
  -- When the clearing of the log began, and when it was done. A last look follows, for what was being said meanwhile.
  began_at timestamptz,
  cleared_at timestamptz,
  -- That failed.
  attempts int not null default 0,
  unique (platform, person)
);
