-- A browser that is logged in. Of its token only a hash is stored.
create table dashboard.session (
  hash bytea primary key,
  begun_at timestamptz not null,
  used_at timestamptz not null,
  -- The address from which it logged in, and the name of the browser.
  address text not null,
  browser text not null
);

-- Wrong passwords in a row, of all processes. One row.
create table dashboard.refusal (
  one boolean primary key default true check (one),
  count integer not null,
  at timestamptz not null
);

-- What was changed on the page. `session` is the beginning of the hash of the session.
create table dashboard.change (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  session text not null,
  address text not null,
  what text not null,
  about jsonb not null
);
create index change_at on dashboard.change (at desc);
