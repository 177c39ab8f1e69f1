-- People who asked to be forgotten, until their data is removed. Background readers of the message log leave out what these
-- people said until `before`. While `trying` is set they also wait with what others said, because it may name these people.
create table kikimimi.forgetting (
  id bigint generated always as identity primary key,
  platform text not null,
  person text not null,
  -- Messages received later are not affected.
  before timestamptz not null,
  -- Names of the person, collected from the log before it is cleared.
  names text[] not null default '{}',
  -- True from the moment at which the plugins begin to forget until the log is cleared, or until a plugin fails. Whatever is
  -- made of the log after that is removed by the next attempt.
  trying boolean not null default false,
  -- When the clearing of the log began and ended. A final pass follows, for messages that were being sent meanwhile.
  began_at timestamptz,
  cleared_at timestamptz,
  -- Failed attempts.
  attempts int not null default 0,
  unique (platform, person)
);
