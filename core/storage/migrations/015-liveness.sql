-- One row, which the check for readiness writes. Unlogged: no backup has it.
create unlogged table kikimimi.heartbeat (
  one boolean primary key default true check (one),
  at timestamptz not null
);

-- Fails where a message could not be recorded now: the database is read-only or full, or another session locks its tables.
create function kikimimi.beat(now timestamptz) returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '1s', true);
  lock table kikimimi.conversation, kikimimi.message in row exclusive mode;
  insert into kikimimi.heartbeat (at) values (now) on conflict (one) do update set at = excluded.at;
end $$;
