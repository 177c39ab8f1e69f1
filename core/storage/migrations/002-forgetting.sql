-- Who asked to be forgotten, until it is done. Whoever reads the message log in the background leaves out what they said
-- until `before`, and while it is tried what others said: it may name them.
create table kikimimi.forgetting (
  id bigint generated always as identity primary key,
  platform text not null,
  person text not null,
  -- What was received after this is not meant.
  before timestamptz not null,
  -- What they were called, gathered from the log while it still tells.
  names text[] not null default '{}',
  -- From when the plugins begin to forget until the log is cleared, or until one of them could not: whatever is made of the
  -- log after that is taken away again when it is tried anew.
  trying boolean not null default false,
  -- When the clearing of the log began, and when it was done. A last look follows, for what was being said meanwhile.
  began_at timestamptz,
  cleared_at timestamptz,
  -- That failed.
  attempts int not null default 0,
  unique (platform, person)
);
