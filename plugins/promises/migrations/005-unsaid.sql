-- Reminders that could not be told, until their owner knows it, and after that so that the owner is told of each once. It holds no words.
create table promises.unsaid (
  reminder bigint primary key,
  platform text not null,
  person text not null,
  locale text not null,
  why text not null check (why in ('halted', 'failed', 'readers', 'refuses')),
  at timestamptz not null,
  known boolean not null default false
);
-- For the next call of a person.
create index on promises.unsaid (platform, person) where not known;
