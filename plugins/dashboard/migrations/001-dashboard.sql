-- People who may log in to the dashboard.
create table dashboard.account (
  name text primary key,
  role text not null check (role in ('viewer', 'moderator', 'owner')),
  -- scrypt, as salt.hash in base64. Null: the password of the options, for the account `owner` alone.
  password text,
  -- The secret of the second factor, in base32. Null: none. `totp_pending`: not confirmed yet.
  totp text,
  totp_pending text,
  -- The time step of the last code. A code is taken once.
  totp_step bigint not null default 0,
  -- SHA-256 of the recovery codes that were not used.
  recovery bytea[] not null default '{}'
);
insert into dashboard.account (name, role) values ('owner', 'owner');

-- A browser that is logged in. Of its token only a hash is stored.
create table dashboard.session (
  hash bytea primary key,
  begun_at timestamptz not null,
  used_at timestamptz not null,
  -- The address from which it logged in, and the name of the browser.
  address text not null,
  browser text not null,
  account text not null references dashboard.account on delete cascade
);
create index session_account on dashboard.session (account);

-- Wrong passwords in a row, of all processes. One row.
create table dashboard.refusal (
  one boolean primary key default true check (one),
  count integer not null,
  at timestamptz not null
);

-- What was changed on the page, and what was refused. `session` is the beginning of the hash of the session.
create table dashboard.change (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  session text not null,
  address text not null,
  what text not null,
  about jsonb not null,
  account text not null default '',
  -- Of the HTTP answer: refused requests are in the list too.
  status smallint not null,
  -- How many equal requests the row stands for.
  times integer not null default 1
);
create index change_at on dashboard.change (at desc);
-- For the changes of an account.
create index change_account on dashboard.change (account, id desc);
create index change_refused on dashboard.change (id desc) where status >= 400;

-- Rows are only added, and deleted when they are a year older than the latest one.
create function dashboard.keep_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < (select max(at) from dashboard.change) - interval '8760 hours' then
    return old;
  end if;
  raise exception '% of dashboard.change is refused: its rows stay for a year as they are', lower(tg_op);
end
$$;
create trigger change_kept before update or delete on dashboard.change for each row execute function dashboard.keep_change();

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

-- Changes of bot.settings.json that were made on the page. An undo is a change of its own.
create table dashboard.setting_change (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Empty without a password.
  account text not null,
  -- [{ "path": [...], "before": ..., "after": ... }]; a value that is missing was not in the file.
  changes jsonb not null,
  -- The change that this one takes back.
  undoes bigint references dashboard.setting_change
);
create index setting_change_undoes on dashboard.setting_change (undoes) where undoes is not null;
