-- kikimimi: online
-- Messages by the month in which they were said, and traces by the month in which their turn began: retention drops a month in a moment.
-- The tables of before become the partition of all earlier months in 030-months.sql, which processes of the earlier version do not survive.
-- Here they get all that it needs and that takes long.

-- step: concurrently
create index concurrently message_seq on kikimimi.message (seq)
-- step: concurrently
-- An event that is delivered twice is recorded once: it has the same time. Where a platform changes the time, the recorder looks.
create unique index concurrently message_once on kikimimi.message (channel, id, at)
-- step: concurrently
create unique index concurrently trace_once on kikimimi.trace (turn, at)

-- step
-- The earlier months end here. A message from the future is taken as said when it was received.
create table kikimimi.earlier as select date_trunc('month', now() at time zone 'UTC' + interval '1 month 3 days') at time zone 'UTC' as upper;

create function kikimimi.message_of_earlier() returns trigger language plpgsql as $$
begin
  new.at := least(new.at, new.received_at, (select upper from kikimimi.earlier) - interval '1 second');
  return new;
end $$;
do $$
declare
  bound timestamptz := (select upper from kikimimi.earlier);
begin
  execute format('create trigger message_of_earlier before insert on kikimimi.message for each row when (new.at >= %L)
    execute function kikimimi.message_of_earlier()', bound);
  execute format('alter table kikimimi.message add constraint message_earlier check (at < %L) not valid', bound);
  execute format('alter table kikimimi.trace add constraint trace_earlier check (at < %L) not valid', bound);
end $$;
-- step: concurrently
update kikimimi.message m set at = least(m.received_at, e.upper - interval '1 second') from kikimimi.earlier e where m.at >= e.upper
-- step: concurrently
update kikimimi.trace t set at = e.upper - interval '1 second' from kikimimi.earlier e where t.at >= e.upper
-- step: concurrently
alter table kikimimi.message validate constraint message_earlier
-- step: concurrently
alter table kikimimi.trace validate constraint trace_earlier
