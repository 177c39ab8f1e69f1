-- What people think of turns: the evaluation set. A row refers to its turn, and goes with it. It holds no message.
create table dashboard.rating (
  turn text primary key,
  good boolean not null,
  -- Whether the bot should say something.
  speaks boolean not null,
  -- Words of which the answer must have one, and words that it must not have.
  contains text[] not null,
  forbids text[] not null,
  comment text not null,
  -- The account; empty without a password.
  by text not null,
  at timestamptz not null
);
create index rating_at on dashboard.rating (at desc);
