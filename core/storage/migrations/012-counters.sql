-- kikimimi: online
-- Indexes and counters, so that neither a page nor a command nor an erasure reads the whole log.

-- step: concurrently
-- For the messages of a person.
create index concurrently message_author on kikimimi.message (author_id, seq)
-- step: concurrently
-- For the messages that mention a person.
create index concurrently message_mentions on kikimimi.message using gin (mentions jsonb_path_ops) where mentions <> '[]'
-- step: concurrently
-- For the messages with a reaction of a person.
create index concurrently message_reactions on kikimimi.message using gin (reactions jsonb_path_ops) where reactions <> '[]'
-- step: concurrently
-- For the answers of the bot to a message.
create index concurrently message_reply on kikimimi.message (channel, reply_to) where own and reply_to is not null
-- step: concurrently
-- For the turns that read a message. An erasure asks for a thousand messages, and each would read the list of pending entries.
create index concurrently trace_messages on kikimimi.trace using gin ((data->'messages') jsonb_path_ops) with (fastupdate = off)
-- step: concurrently
-- For the deliveries of a turn.
create index concurrently delivery_turn on kikimimi.delivery (turn)
-- step: concurrently
-- For the deliveries that answer a message.
create index concurrently delivery_answers on kikimimi.delivery (answers) where answers is not null
-- step: concurrently
-- For the deliveries that quote a message, or react to it.
create index concurrently delivery_target on kikimimi.delivery (target) where target is not null
-- step: concurrently
-- For direct conversations, whose names are names of people.
create index concurrently conversation_direct on kikimimi.conversation (id) where visibility = 'direct'
-- step: concurrently
-- For the channels without messages.
create index concurrently conversation_channel on kikimimi.conversation (id) where thread is null
-- step: concurrently
-- For the topics that an erasure removes.
create index concurrently conversation_details on kikimimi.conversation (id) where details is not null

-- step
create function kikimimi.month_of(at timestamptz) returns date language sql immutable as $$
  select date_trunc('month', at at time zone 'UTC')::date
$$;
create function kikimimi.hour_of(at timestamptz) returns timestamptz language sql immutable as $$
  select date_trunc('hour', at at time zone 'UTC') at time zone 'UTC'
$$;

-- How many messages there are of each person, by the month in which they were said, in UTC. Deleted messages and the bot's own do not count.
create table kikimimi.author (
  -- As conversation ids begin.
  platform text not null,
  id text not null,
  month date not null,
  -- Of the last message that was counted.
  name text not null,
  bot boolean not null,
  -- All names of that month, in lower case.
  names text[] not null,
  messages bigint not null,
  last_seq bigint not null,
  last_at timestamptz not null,
  -- The day of the last message in UTC. Indexed instead of its time: a counted message changes no index on most days.
  last_day date not null,
  primary key (platform, id, month)
) with (fillfactor = 80);

-- The last message of each conversation.
create table kikimimi.latest (
  conversation text primary key,
  platform text not null,
  -- Of the last message, the bot's own included.
  seq bigint not null,
  received_at timestamptz not null,
  -- The last message of others. The bot's own while there is no other.
  heard text not null,
  heard_seq bigint not null,
  heard_at timestamptz not null,
  heard_own boolean not null,
  -- The hours of both. Indexed instead of the times: a message changes no index when there was another one in that hour.
  hour timestamptz generated always as (kikimimi.hour_of(received_at)) stored,
  heard_hour timestamptz generated always as (kikimimi.hour_of(heard_at)) stored
) with (fillfactor = 80);

-- Turns of a channel by the hour in which they began.
create table kikimimi.turn_count (
  channel text not null,
  hour timestamptz not null,
  turns bigint not null,
  replies bigint not null,
  primary key (channel, hour)
);

-- The words of a person whose messages are erased already, while other messages are searched for these words.
create table kikimimi.forgotten_words (
  forgetting bigint not null,
  seq bigint not null,
  text text not null,
  parts jsonb not null,
  primary key (forgetting, seq)
);

-- The rows that are older than the counters and not counted yet, by table: after `upto`, until `until`. The next `size` are counted next.
create table kikimimi.counting (what text primary key, upto bigint not null, until bigint not null, size bigint not null default 1000);
-- What changes of messages that are not counted yet add to the number of their authors. `seq`: of a message that counts again.
create table kikimimi.recount (platform text not null, id text not null, month date not null, by bigint not null, seq bigint);

-- Rows are written in one order, so that two processes do not wait for each other.
create function kikimimi.messages_added() returns trigger language plpgsql as $$
begin
  insert into kikimimi.latest as l (conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own)
    select m.conversation, split_part(m.conversation, '/', 1), max(m.seq), (array_agg(m.received_at order by m.seq desc))[1],
      (array_agg(m.id order by m.own, m.seq desc))[1], (array_agg(m.seq order by m.own, m.seq desc))[1],
      (array_agg(m.received_at order by m.own, m.seq desc))[1], bool_and(m.own)
    from added m group by m.conversation order by m.conversation
    on conflict (conversation) do update set
      (seq, received_at) = (select n.seq, n.received_at from (values (l.seq, l.received_at), (excluded.seq, excluded.received_at))
        as n(seq, received_at) order by n.seq desc limit 1),
      (heard, heard_seq, heard_at, heard_own) = (select n.id, n.seq, n.at, n.own
        from (values (l.heard, l.heard_seq, l.heard_at, l.heard_own),
          (excluded.heard, excluded.heard_seq, excluded.heard_at, excluded.heard_own)) as n(id, seq, at, own)
        order by n.own, n.seq desc limit 1);
  insert into kikimimi.author as a (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
    select split_part(m.conversation, '/', 1), m.author_id, kikimimi.month_of(m.at), (array_agg(m.author_name order by m.seq desc))[1],
      (array_agg(m.author_bot order by m.seq desc))[1], array_agg(distinct lower(m.author_name)), count(*), max(m.seq),
      (array_agg(m.at order by m.seq desc))[1], (array_agg((m.at at time zone 'UTC')::date order by m.seq desc))[1]
    from added m where not m.own and m.author_id <> '' and m.deleted_at is null
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (platform, id, month) do update set messages = a.messages + excluded.messages,
      names = case when a.names @> excluded.names then a.names else array(select distinct unnest(a.names || excluded.names)) end,
      (name, bot, last_seq, last_at, last_day) = (select n.name, n.bot, n.last_seq, n.last_at, n.last_day
        from (values (a.name, a.bot, a.last_seq, a.last_at, a.last_day),
          (excluded.name, excluded.bot, excluded.last_seq, excluded.last_at, excluded.last_day))
          as n(name, bot, last_seq, last_at, last_day) order by n.last_seq desc limit 1);
  return null;
end $$;
create trigger messages_added after insert on kikimimi.message referencing new table as added for each statement
  execute function kikimimi.messages_added();

-- Takes back messages of a person that were counted.
create function kikimimi.uncount(in_platform text, in_author text, in_month date, by bigint) returns void language plpgsql as $$
begin
  update kikimimi.author set messages = messages - by where platform = in_platform and id = in_author and month = in_month;
  delete from kikimimi.author where platform = in_platform and id = in_author and month = in_month and messages <= 0;
end $$;

-- Whether a row is counted: those that are older than the counters are counted later.
create function kikimimi.is_counted(in_what text, in_seq bigint) returns boolean language sql stable as $$
  select not exists (select 1 from kikimimi.counting c where c.what = in_what and in_seq > c.upto and in_seq <= c.until)
$$;

create function kikimimi.messages_gone() returns trigger language plpgsql as $$
begin
  perform kikimimi.uncount(g.platform, g.author_id, g.month, g.messages) from (
    select split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month, count(*) as messages from gone
    where not own and author_id <> '' and deleted_at is null and kikimimi.is_counted('message', seq)
    group by 1, 2, 3 order by 1, 2, 3
  ) g;
  if exists (select 1 from gone where not kikimimi.is_counted('message', seq)) then
    insert into kikimimi.recount (platform, id, month, by)
      select split_part(conversation, '/', 1), author_id, kikimimi.month_of(at), -count(*) from gone
      where not own and author_id <> '' and deleted_at is null and not kikimimi.is_counted('message', seq) group by 1, 2, 3;
  end if;
  return null;
end $$;
create trigger messages_gone after delete on kikimimi.message referencing old table as gone for each statement
  execute function kikimimi.messages_gone();

create function kikimimi.message_recounted() returns trigger language plpgsql as $$
begin
  if not kikimimi.is_counted('message', new.seq) then
    insert into kikimimi.recount (platform, id, month, by, seq)
      select split_part(m.conversation, '/', 1), m.author_id, kikimimi.month_of(m.at), m.by, case when m.by > 0 then new.seq end
      from (values (old.conversation, old.author_id, old.at, old.deleted_at, -1), (new.conversation, new.author_id, new.at, new.deleted_at, 1))
        as m(conversation, author_id, at, deleted_at, by)
      where m.deleted_at is null and m.author_id <> '';
    return null;
  end if;
  if old.deleted_at is null and old.author_id <> '' then
    perform kikimimi.uncount(split_part(old.conversation, '/', 1), old.author_id, kikimimi.month_of(old.at), 1);
  end if;
  if new.deleted_at is null and new.author_id <> '' then
    insert into kikimimi.author as a (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
      values (split_part(new.conversation, '/', 1), new.author_id, kikimimi.month_of(new.at), new.author_name, new.author_bot,
        array[lower(new.author_name)], 1, new.seq, new.at, (new.at at time zone 'UTC')::date)
      on conflict (platform, id, month) do update set messages = a.messages + 1;
  end if;
  return null;
end $$;
create trigger message_recounted after update of deleted_at, author_id on kikimimi.message for each row
  when (not new.own and ((old.deleted_at is null) <> (new.deleted_at is null) or old.author_id <> new.author_id))
  execute function kikimimi.message_recounted();

create function kikimimi.messages_emptied() returns trigger language plpgsql as $$
begin
  delete from kikimimi.author;
  delete from kikimimi.latest;
  return null;
end $$;
create trigger messages_emptied after truncate on kikimimi.message for each statement execute function kikimimi.messages_emptied();

create function kikimimi.channel_of(conversation text) returns text language sql immutable as $$
  select array_to_string((string_to_array(conversation, '/'))[1:3], '/')
$$;

create function kikimimi.turns_added() returns trigger language plpgsql as $$
begin
  insert into kikimimi.turn_count as c (channel, hour, turns, replies)
    select kikimimi.channel_of(t.conversation), kikimimi.hour_of(t.at), count(*), count(*) filter (where t.outcome = 'replied')
    from added t group by 1, 2 order by 1, 2
    on conflict (channel, hour) do update set turns = c.turns + excluded.turns, replies = c.replies + excluded.replies;
  return null;
end $$;
create trigger turns_added after insert on kikimimi.trace referencing new table as added for each statement
  execute function kikimimi.turns_added();

create function kikimimi.turns_gone() returns trigger language plpgsql as $$
begin
  update kikimimi.turn_count c set turns = c.turns - g.turns, replies = c.replies - g.replies from (
    select kikimimi.channel_of(conversation) as channel, kikimimi.hour_of(at) as hour, count(*) as turns,
      count(*) filter (where outcome = 'replied') as replies
    from gone where kikimimi.is_counted('trace', seq) group by 1, 2
  ) g where c.channel = g.channel and c.hour = g.hour;
  return null;
end $$;
create trigger turns_gone after delete on kikimimi.trace referencing old table as gone for each statement
  execute function kikimimi.turns_gone();

create function kikimimi.turn_recounted() returns trigger language plpgsql as $$
begin
  if kikimimi.is_counted('trace', new.seq) then
    update kikimimi.turn_count
      set replies = replies + case when new.outcome = 'replied' then 1 else 0 end - case when old.outcome = 'replied' then 1 else 0 end
      where channel = kikimimi.channel_of(new.conversation) and hour = kikimimi.hour_of(new.at);
  end if;
  return null;
end $$;
create trigger turn_recounted after update of outcome on kikimimi.trace for each row
  when (old.outcome <> new.outcome) execute function kikimimi.turn_recounted();

create function kikimimi.turns_emptied() returns trigger language plpgsql as $$
begin
  delete from kikimimi.turn_count;
  return null;
end $$;
create trigger turns_emptied after truncate on kikimimi.trace for each statement execute function kikimimi.turns_emptied();

-- The triggers hold off writers until this transaction ends: later rows have higher numbers, and the triggers count them.
insert into kikimimi.counting (what, upto, until)
  select 'message', coalesce(min(seq) - 1, 0), coalesce(max(seq), 0) from kikimimi.message
  union all select 'trace', coalesce(min(seq) - 1, 0), coalesce(max(seq), 0) from kikimimi.trace;

-- How many rows take about `ms` milliseconds, after `size` rows that were begun at a time. At most twice as many, and at most 20,000.
create function kikimimi.next_size(size bigint, begun timestamptz, ms double precision) returns bigint language sql volatile as $$
  select greatest(100, least(20000, 2 * size, size * ms / (1 + 1000 * extract(epoch from clock_timestamp() - begun))))::bigint
$$;

-- Counts the next turns that are older than the counter, as many as take about `ms` milliseconds: writers wait for it, so that no row
-- changes between two counts. Returns whether rows are left.
create function kikimimi.count_on(ms double precision) returns boolean language plpgsql as $$
declare
  next kikimimi.counting;
  first bigint;
  begun timestamptz;
begin
  select * into next from kikimimi.counting where what = 'trace' and upto < until;
  if not found then
    return false;
  end if;
  first := greatest(next.upto, next.until - next.size);
  lock table kikimimi.trace in share row exclusive mode;
  begun := clock_timestamp();
  insert into kikimimi.turn_count as c (channel, hour, turns, replies)
  select kikimimi.channel_of(t.conversation), kikimimi.hour_of(t.at), count(*), count(*) filter (where t.outcome = 'replied')
  from kikimimi.trace t where t.seq > first and t.seq <= next.until group by 1, 2
  on conflict (channel, hour) do update set turns = c.turns + excluded.turns, replies = c.replies + excluded.replies;
  update kikimimi.counting set until = first, size = kikimimi.next_size(next.size, begun, ms) where what = 'trace';
  return true;
end $$;

-- step: repeat
select 1 where kikimimi.count_on(200)

-- Messages of before are many, and a batch of them changes almost as many rows as it has. So they are counted as a whole, into tables that
-- only the upgrade uses, and no writer waits. Of 5 million, people take 214 s at a load of 50; batches counted two million in 15 minutes. One
-- statement sees the messages and their changes as of one moment: what it sees in `recount` is in its numbers already. The values of a last
-- message are read by its number, because an aggregate that sorts the messages of each person takes five times as long.

-- step
set local work_mem = '64MB';
create table kikimimi.author_before (like kikimimi.author) with (fillfactor = 80);
with seen as (delete from kikimimi.recount)
insert into kikimimi.author_before (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
select p.platform, p.author_id, p.month, m.author_name, m.author_bot,
  case when cardinality(p.names) = 1 then p.names else array(select distinct unnest(p.names)) end, p.messages, p.last_seq, m.at,
  (m.at at time zone 'UTC')::date
from (
  select platform, author_id, month, array_agg(lower(author_name)) as names, sum(messages) as messages, max(last_seq) as last_seq
  from (
    select split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month, author_name, count(*) as messages,
      max(seq) as last_seq
    from kikimimi.message
    where not own and author_id <> '' and deleted_at is null and seq <= (select until from kikimimi.counting where what = 'message')
    group by 1, 2, 3, 4
  ) named group by 1, 2, 3
) p join kikimimi.message m on m.seq = p.last_seq;
alter table kikimimi.author_before add primary key (platform, id, month);

-- step
set local work_mem = '64MB';
create table kikimimi.latest_before (like kikimimi.latest including generated) with (fillfactor = 80);
insert into kikimimi.latest_before (conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own)
select c.conversation, split_part(c.conversation, '/', 1), c.seq, m.received_at, h.id, h.seq, h.received_at, h.own
from (
  select conversation, max(seq) as seq, coalesce(max(seq) filter (where not own), max(seq)) as heard_seq from kikimimi.message
  where seq <= (select until from kikimimi.counting where what = 'message') group by 1
) c join kikimimi.message m on m.seq = c.seq join kikimimi.message h on h.seq = c.heard_seq;
alter table kikimimi.latest_before add primary key (conversation);

-- step
-- For people by name.
create index author_names on kikimimi.author_before using gin (names);
-- step
-- For people by id, on any platform.
create index author_id on kikimimi.author_before (id);
-- step
-- For the conversations with the newest messages.
create index latest_heard on kikimimi.latest_before (platform, heard_hour desc);
-- For the channels with the newest messages, without threads.
create index latest_channel on kikimimi.latest_before (hour desc) where split_part(conversation, '/', 4) = '';
-- For retention.
create index latest_hour on kikimimi.latest_before (hour);
-- For retention.
create index turn_count_hour on kikimimi.turn_count (hour);

-- step
-- What was said since then is little. Writers wait for this.
lock table kikimimi.message in share row exclusive mode;
insert into kikimimi.author_before as a (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
  select platform, id, month, name, bot, names, messages, last_seq, last_at, last_day from kikimimi.author
  on conflict (platform, id, month) do update set messages = a.messages + excluded.messages,
    names = case when a.names @> excluded.names then a.names else array(select distinct unnest(a.names || excluded.names)) end,
    name = excluded.name, bot = excluded.bot, last_seq = excluded.last_seq, last_at = excluded.last_at, last_day = excluded.last_day;
insert into kikimimi.author_before (platform, id, month, name, bot, names, messages, last_seq, last_at, last_day)
  select r.platform, r.id, r.month, m.author_name, m.author_bot, array[lower(m.author_name)], 0, m.seq, m.at, (m.at at time zone 'UTC')::date
  from kikimimi.recount r join kikimimi.message m on m.seq = r.seq
  on conflict do nothing;
update kikimimi.author_before a set messages = a.messages + r.by
  from (select platform, id, month, sum(by) as by from kikimimi.recount group by 1, 2, 3) r
  where a.platform = r.platform and a.id = r.id and a.month = r.month;
delete from kikimimi.author_before a using kikimimi.recount r
  where a.platform = r.platform and a.id = r.id and a.month = r.month and a.messages <= 0;
insert into kikimimi.latest_before as l (conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own)
  select conversation, platform, seq, received_at, heard, heard_seq, heard_at, heard_own from kikimimi.latest
  on conflict (conversation) do update set seq = excluded.seq, received_at = excluded.received_at,
    (heard, heard_seq, heard_at, heard_own) = (select n.id, n.seq, n.at, n.own
      from (values (l.heard, l.heard_seq, l.heard_at, l.heard_own),
        (excluded.heard, excluded.heard_seq, excluded.heard_at, excluded.heard_own)) as n(id, seq, at, own)
      order by n.own, n.seq desc limit 1);
drop table kikimimi.author, kikimimi.latest;
alter table kikimimi.author_before rename to author;
alter index kikimimi.author_before_pkey rename to author_pkey;
alter table kikimimi.latest_before rename to latest;
alter index kikimimi.latest_before_pkey rename to latest_pkey;
delete from kikimimi.counting where what = 'message';

-- step
drop function kikimimi.count_on(double precision);
create or replace function kikimimi.is_counted(in_what text, in_seq bigint) returns boolean language sql immutable as 'select true';
drop table kikimimi.counting, kikimimi.recount;

-- For plugins.
create view kikimimi_v1.author as
select a.platform, a.id, a.month, a.name, a.bot, a.messages, a.last_seq, a.last_at, a.last_day from kikimimi.author a;
create trigger read_only instead of insert or update or delete on kikimimi_v1.author
  for each row execute function kikimimi.refuse_write();
create view kikimimi_v1.latest as
select l.conversation, l.seq, l.received_at, l.hour from kikimimi.latest l;
create trigger read_only instead of insert or update or delete on kikimimi_v1.latest
  for each row execute function kikimimi.refuse_write();
create view kikimimi_v1.turn_count as
select c.channel, c.hour, c.turns, c.replies from kikimimi.turn_count c;
create trigger read_only instead of insert or update or delete on kikimimi_v1.turn_count
  for each row execute function kikimimi.refuse_write();
