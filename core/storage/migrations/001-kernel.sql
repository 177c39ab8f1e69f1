-- The tables of the kernel, and the database API for plugins. First the tables, each with its indexes; then what plugins read; then the
-- functions and triggers by subject. `../schema.sql` shows the result.

-- ================================================================ tables

-- Functions that tables and indexes use.

create function kikimimi.month_of(at timestamptz) returns date language sql immutable as $$
  select date_trunc('month', at at time zone 'UTC')::date
$$;
create function kikimimi.hour_of(at timestamptz) returns timestamptz language sql immutable as $$
  select date_trunc('hour', at at time zone 'UTC') at time zone 'UTC'
$$;
create function kikimimi.channel_of(conversation text) returns text language sql immutable as $$
  select array_to_string((string_to_array(conversation, '/'))[1:3], '/')
$$;
-- The API for plugins: see its views.
create schema kikimimi_v1;
-- All characters of a text and all pairs of neighbours, in lower case, each once. A name with a part has all of those of the part.
create function kikimimi_v1.grams(name text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct substr(whole, n, size) from lower(name) whole, generate_series(1, length(whole)) n, generate_series(1, 2) size
    where n + size - 1 <= length(whole)
  )
$$;

-- ---------------------------------------------------------------- conversations

-- One row for each channel or thread in which the bot receives messages.
create table kikimimi.conversation (
  id text primary key,
  platform text not null,
  workspace text not null,
  channel text not null,
  thread text,
  name text not null,
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- `seq` of the last message that the bot has processed. It only grows; the process that moves it sends the answer.
  processed bigint not null default 0,
  -- Id of the last message before a gap: later messages are being read from the platform's history, or could not be read.
  unread_after text,
  last_reply_at timestamptz,
  -- What people see at the top of a channel or a thread: { workspaceName, topic, threadName, tags, root }. Null: not known.
  details jsonb,

  -- Who reads it, as far as its visibility does not say.
  -- Fewer people read the thread than its channel. Null: the platform does not say.
  own_readers boolean,
  -- People who do not belong to the workspace read it too.
  outsiders boolean not null default false,

  -- Its turns. docs/pipeline.md draws their states.
  -- When its next turn is due. Null: no turn waits.
  due_at timestamptz,
  -- The latest time to which further messages move `due_at`. Null: they do not move it.
  due_latest timestamptz,
  -- When a message last addressed the bot.
  called_at timestamptz,
  -- A message of the next turn addresses the bot.
  urgent boolean not null default false,
  -- The random factor of the waits of the next turn.
  vary double precision not null default 1,
  -- { decision, lastSeq, at }: what was decided in an earlier turn, to be done at a time.
  delayed jsonb,
  -- The process that takes a turn now, and until when it must report again.
  leased_by text,
  leased_until timestamptz,
  -- Failures and crashes since the last turn that ended.
  attempts int not null default 0,
  -- The error of the last failure, without words of people, and when the last turn was given up.
  failure text,
  failed_at timestamptz
);
-- For the next turns, those that people wait for among many others, and those of dead processes.
create index conversation_due on kikimimi.conversation (due_at) where due_at is not null;
create index conversation_urgent on kikimimi.conversation (due_at) where urgent;
create index conversation_leased on kikimimi.conversation (leased_until) where leased_by is not null;
-- For the state of the queue.
create index conversation_failed on kikimimi.conversation (failed_at) where failed_at is not null;
-- For direct conversations, whose names are names of people.
create index conversation_direct on kikimimi.conversation (id) where visibility = 'direct';
-- For the channels without messages.
create index conversation_channel on kikimimi.conversation (id) where thread is null;
-- For places that are not public now.
create index conversation_closed on kikimimi.conversation (id) where visibility <> 'public';
-- For the topics that an erasure removes.
create index conversation_details on kikimimi.conversation (id) where details is not null;
-- For channels by name.
create index conversation_grams on kikimimi.conversation using gin (kikimimi_v1.grams(name)) where thread is null;
-- Few of a million conversations have one of the following, and each start and each erasure asks for them.
-- For conversations whose missed messages were not read to the end.
create index conversation_unread on kikimimi.conversation (platform, id) where unread_after is not null;
-- For answers that an erasure removes.
create index conversation_delayed on kikimimi.conversation (id) where delayed is not null;

-- Conversations that may have no recorded message, whose history is to be read from this time on.
create table kikimimi.unread_since (
  conversation text primary key,
  platform text not null,
  since timestamptz not null
);

-- Who read a conversation before that changed: messages up to `upto` were said then.
create table kikimimi.readers_before (
  conversation text not null,
  upto bigint not null,
  visibility text not null,
  own_readers boolean,
  outsiders boolean not null,
  primary key (conversation, upto)
);

-- ---------------------------------------------------------------- messages

-- The message log. `seq` is the order of recording. Messages are stored by the month in which they were said: retention drops a month in a
-- moment. The partitions are made below.
create table kikimimi.message (
  seq bigserial,
  conversation text not null,
  -- Id of the conversation without its thread: message ids are unique in a channel.
  channel text not null,
  id text not null,
  author_id text not null,
  author_name text not null,
  author_bot boolean not null,
  own boolean not null,
  -- The message was read later, from the platform's history.
  missed boolean not null,
  addressed text,
  text text not null,
  mentions jsonb not null,
  attachments jsonb not null,
  -- [{ emoji, by: [ids of people] }]
  reactions jsonb not null default '[]',
  reply_to text,
  at timestamptz not null,
  received_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- [{ kind, title, author, text, url }]
  parts jsonb not null default '[]',
  -- The turn whose answer covers the message. Null: its own turn, or none.
  answered_by text,
  -- An edit made the message address the bot, after the bot had processed it.
  recalled boolean not null default false,
  -- The turn that made a message of the bot.
  turn text,
  -- A message that a person asked not to remember has no words for anybody but the turn that answers it.
  left_out boolean not null default false,
  -- How a call is answered again: its answer is replaced.
  revise text check (revise in ('again', 'shorter')),
  -- Why the call of a message is no call: the rule that refused it.
  refused text
) partition by range (at);
create index message_seq on kikimimi.message (seq);
-- An event that is delivered twice is recorded once: it has the same time. Where a platform changes the time, the recorder looks.
create unique index message_once on kikimimi.message (channel, id, at);
-- For the last messages of a conversation.
create index message_conversation_seq on kikimimi.message (conversation, seq desc);
-- For retention.
create index message_received_at on kikimimi.message (received_at);
-- For messages that still need a turn although later ones are processed.
create index message_recalled on kikimimi.message (conversation) where recalled;
create index message_turn on kikimimi.message (turn) where turn is not null;
-- For changes during a turn.
create index message_deleted_at on kikimimi.message (deleted_at) where deleted_at is not null;
create index message_edited_at on kikimimi.message (edited_at) where edited_at is not null;
-- For the messages of a person.
create index message_author on kikimimi.message (author_id, seq);
-- For the messages that mention a person.
create index message_mentions on kikimimi.message using gin (mentions jsonb_path_ops) where mentions <> '[]';
-- For the messages with a reaction of a person.
create index message_reactions on kikimimi.message using gin (reactions jsonb_path_ops) where reactions <> '[]';
-- For the answers of the bot to a message.
create index message_reply on kikimimi.message (channel, reply_to) where own and reply_to is not null;

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
-- For the conversations with the newest messages.
create index latest_heard on kikimimi.latest (platform, heard_hour desc);
-- For the channels with the newest messages, without threads.
create index latest_channel on kikimimi.latest (hour desc) where split_part(conversation, '/', 4) = '';
-- For retention.
create index latest_hour on kikimimi.latest (hour);

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
-- For people by name.
create index author_names on kikimimi.author using gin (names);
-- For people by id, on any platform.
create index author_id on kikimimi.author (id);
-- For people by name.
create index author_grams on kikimimi.author using gin (kikimimi_v1.grams(name));
-- For the people who spoke last, page by page.
create index author_latest on kikimimi.author (last_day, platform, id);

-- ---------------------------------------------------------------- answers and their cost

-- Outgoing replies. A row is written before the first request to the platform.
create table kikimimi.delivery (
  nonce text primary key,
  conversation text not null,
  turn text not null,
  part int not null,
  kind text not null check (kind in ('text', 'reaction')),
  -- The text or the emoji. Null once it is sent, because the message log then has it.
  body text,
  target text,
  answers text,
  -- The thread that the first part of the answer has opened.
  thread text,
  -- writing: people see it while it is written; it is posted or about to be, and its text is not whole. pending: not started.
  -- sending: started. sent, failed: finished. lost: started by a process that died. unwanted: it may be posted, and has to be deleted.
  state text not null check (state in ('writing', 'pending', 'sending', 'sent', 'failed', 'lost', 'unwanted')),
  -- The id of the posted message. A pending or sending delivery with one is an edit of that message: of a draft, or of an answer that is
  -- replaced.
  message text,
  at timestamptz not null,
  -- When its first sending began.
  begun timestamptz,
  -- When it is tried again. Null: at once.
  retry_at timestamptz,
  -- The latest time at which it is still sent. Null: it answers no message.
  until timestamptz,
  -- It may be posted with another text.
  draft boolean not null default false,
  -- The buttons of an answer belong to it.
  handles boolean not null default false
);
-- For deliveries that a crash interrupted.
create index delivery_unfinished on kikimimi.delivery (conversation) where state in ('writing', 'pending', 'sending', 'unwanted');
-- For retention.
create index delivery_at on kikimimi.delivery (at);
-- The answer that a message belongs to.
create index delivery_message on kikimimi.delivery (message);
-- For the deliveries of a turn.
create index delivery_turn on kikimimi.delivery (turn);
-- For the deliveries that answer a message.
create index delivery_answers on kikimimi.delivery (answers) where answers is not null;
-- For the deliveries that quote a message, or react to it.
create index delivery_target on kikimimi.delivery (target) where target is not null;

-- Cost of model calls: a row for each hour and each day, for the whole bot and for each channel. A row is also the account of a person:
-- `discord@123` for all of the person's calls in an hour, and `discord/1/2@123` for the person's share of a channel.
create table kikimimi.spending (
  -- The id of a channel or an account, or '' for the whole bot.
  scope text not null,
  period text not null check (period in ('hour', 'day')),
  start timestamptz not null,
  tokens bigint not null,
  -- In the currency of the prices in bot.config.ts.
  money double precision not null,
  -- Channels that have been told that the budget is used up.
  noticed text[] not null default '{}',
  calls bigint not null default 0,
  primary key (scope, period, start)
);
-- For the cost of an hour or a day by channel, and for retention.
create index spending_start on kikimimi.spending (start, period);

-- Calls of models by hour, place, role, plugin and model.
create table kikimimi.model_use (
  -- The hour in which the calls ended, in UTC.
  hour timestamptz not null,
  -- The id of a channel, 'direct' for all direct messages, '' for work of the whole bot.
  place text not null,
  role text not null,
  -- '' for the bot itself.
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  -- In the currency of the prices in bot.config.ts. Null: the model had no price.
  cost float8,
  primary key (hour, place, role, plugin, model)
);

-- Sums of `model_use`, for pages that show a year: by place, and by role, plugin and model over all places. Triggers keep them equal to it.
create table kikimimi.model_use_place (
  hour timestamptz not null,
  place text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  cost float8,
  primary key (hour, place)
);
-- For the hours of the places that a page shows.
create index model_use_place_hours on kikimimi.model_use_place (place, hour);

create table kikimimi.model_use_work (
  hour timestamptz not null,
  role text not null,
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  cost float8,
  primary key (hour, role, plugin, model)
);

-- ---------------------------------------------------------------- turns

-- Turns, by the month in which they began.
create table kikimimi.trace (
  -- Orders turns that began in the same millisecond.
  seq bigserial,
  turn text not null,
  conversation text not null,
  at timestamptz not null,
  outcome text not null,
  trigger text not null,
  data jsonb not null,
  -- A facet is a property of a turn as a number: its kind and its value, hashed. Null: the turn is neither indexed nor counted.
  facets bigint[]
) partition by range (at);
create unique index trace_once on kikimimi.trace (turn, at);
-- For the last turns of a conversation.
create index trace_conversation_at on kikimimi.trace (conversation, at desc);
-- For retention.
create index trace_at on kikimimi.trace (at);
-- For turns that other processes have added.
create index trace_seq on kikimimi.trace (seq);
-- For the turns that read a message. An erasure asks for a thousand messages, and each would read the list of pending entries.
create index trace_messages on kikimimi.trace using gin ((data->'messages') jsonb_path_ops) with (fastupdate = off);

-- The turns that have a facet. The index finds the newest of them, however many turns there are.
create table kikimimi.turn_facet (
  facet bigint not null,
  at timestamptz not null,
  seq bigint not null,
  primary key (facet, at, seq)
) partition by range (at);

-- Turns by the hour in which they began, their outcome, their reason and the time that they took. A turn changes one row, so turns that
-- end at once never wait for each other in a circle. The channels are spread over eight rows, so that turns that end
-- at once seldom wait for each other.
create table kikimimi.turn_hour (
  hour timestamptz not null,
  shard smallint not null,
  outcome text not null,
  reason text not null,
  -- How long turns with a reply took: bucket n has those of 2^(n/4) - 1 up to 2^((n+1)/4) - 1 milliseconds. -1: no reply.
  bucket smallint not null,
  turns bigint not null,
  messages bigint not null,
  errors bigint not null,
  primary key (hour, shard, outcome, reason, bucket)
) with (fillfactor = 80);

-- Turns of a channel by the hour in which they began.
create table kikimimi.turn_count (
  channel text not null,
  hour timestamptz not null,
  turns bigint not null,
  replies bigint not null,
  primary key (channel, hour)
);
-- For retention.
create index turn_count_hour on kikimimi.turn_count (hour);

-- Prompts of turns and the raw output of models, in the channels for which the operator asked for them.
create table kikimimi.prompt (
  turn text not null,
  -- The place of the call among the model calls of the trace, from 0.
  call int not null,
  conversation text not null,
  at timestamptz not null,
  -- As the type CapturedPrompt, without secrets.
  data jsonb not null,
  primary key (turn, call)
);
-- For retention.
create index prompt_at on kikimimi.prompt (at);

-- What was made of which messages. A range is the messages of one conversation from `first` to `last`, by `seq`. What was made of
-- a thing of a plugin has the schema of that plugin as `conversation`, and the number of the thing as `first` and `last`.
create table kikimimi.source (
  -- The schema of the plugin; `kikimimi` for turns.
  owner text not null,
  -- Named by its owner; the id of a turn.
  thing text not null,
  conversation text not null,
  first bigint not null,
  last bigint not null,
  -- changed: a message was edited or deleted, or the thing has changed. closed: fewer people can read the conversation.
  stale text check (stale in ('changed', 'closed')),
  primary key (owner, thing, conversation, first)
);
-- For what was made of a message.
create index source_messages on kikimimi.source (conversation, last);

-- ---------------------------------------------------------------- forgetting

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

-- The words of a person whose messages are erased already, while other messages are searched for these words.
create table kikimimi.forgotten_words (
  forgetting bigint not null,
  seq bigint not null,
  text text not null,
  parts jsonb not null,
  primary key (forgetting, seq)
);

-- Messages that people asked not to remember. The mark can come before the message.
create table kikimimi.left_out (
  channel text not null,
  id text not null,
  at timestamptz not null,
  primary key (channel, id)
);
create index left_out_at on kikimimi.left_out (at);

-- Hashes of deleted and edited messages and forgotten people: a restored backup loses them again. An edited message is deleted then,
-- because its new text is not known.
create table kikimimi.tombstone (
  key text primary key,
  at timestamptz not null,
  -- Grows with each change, for what was added since.
  seq bigint generated always as identity
);
create index tombstone_seq on kikimimi.tombstone (seq);

-- ---------------------------------------------------------------- settings and the state of the bot

-- Settings made in the chat: options of plugins for a channel, and whether the bot is stopped.
create table kikimimi.setting (
  -- The id of a channel; for a stop also `platform/workspace`.
  place text not null,
  plugin text not null,
  key text not null,
  value jsonb not null,
  -- The person who made the setting; without a name once that person is forgotten.
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  primary key (place, plugin, key)
);

-- The personas of bot.config.ts as the bot started with them last: { "workspaces": { id: memory }, "channels": { name or id: memory } }.
-- The memory '' is that of the bot itself; null is that of the wider place. A persona remembers only what was said in the places of its
-- name.
create table kikimimi.personas (
  only_row boolean primary key default true check (only_row),
  rules jsonb not null
);

-- Each channel with another memory than that of the bot itself; and each workspace, as its id and a slash. Here and not in the rows of
-- conversations: a test of thousands of places reads a table that is small, and that most bots have empty.
create table kikimimi.channel_memory (
  channel text primary key,
  memory text not null check (memory <> '')
);

-- States of the bot that its operator is told about: see core/features/alerts.
create table kikimimi.alert (
  -- The name of the state, and what it is about, such as a platform; '' if the name says it.
  name text not null,
  subject text not null,
  text text not null,
  -- When a process first found it, and when one found it last.
  since timestamptz not null,
  seen timestamptz not null,
  -- The targets that know that it began, and have not been told that it is over.
  told text[] not null default '{}',
  primary key (name, subject)
);

-- One row, which the check for readiness writes. Unlogged: no backup has it.
create unlogged table kikimimi.heartbeat (
  one boolean primary key default true check (one),
  at timestamptz not null
);

-- ================================================================ months

-- The partitions of a table with the instants at which they begin and end. The default partition has neither.
create function kikimimi.partitions_of(parent regclass) returns table (name text, lower timestamptz, upper timestamptz)
language sql stable as $$
  select c.oid::regclass::text,
    case when bound ~ 'MINVALUE' then '-infinity' else substring(bound from 'FROM \(''([^'']+)''\)')::timestamptz end,
    substring(bound from 'TO \(''([^'']+)''\)')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
  where i.inhparent = parent
$$;

-- Adds the partitions of the months between two instants. Rows of a new month move there from the default partition.
create function kikimimi.add_months(first timestamptz, last timestamptz) returns void language plpgsql as $$
declare
  parent text;
  month timestamptz;
  part text;
begin
  perform pg_advisory_xact_lock(hashtext('kikimimi.add_months'));
  foreach parent in array array['message', 'trace', 'turn_facet'] loop
    for month in select date_trunc('month', n at time zone 'UTC') at time zone 'UTC'
      from generate_series(date_trunc('month', first at time zone 'UTC') at time zone 'UTC', last, interval '1 month') n
    loop
      continue when exists (
        select 1 from kikimimi.partitions_of(('kikimimi.' || parent)::regclass) p where p.lower <= month and p.upper > month
      );
      part := parent || to_char(month at time zone 'UTC', '_YYYY_MM');
      execute format('create table kikimimi.%I (like kikimimi.%I including defaults including constraints)', part, parent);
      -- The lock is short: the default partition is almost always empty. Its triggers do not run: the rows are as before.
      execute format('alter table kikimimi.%I disable trigger user', parent || '_other');
      execute format('with moved as (delete from kikimimi.%I where at >= %L and at < %L returning *) insert into kikimimi.%I select * from moved',
        parent || '_other', month, month + interval '1 month', part);
      execute format('alter table kikimimi.%I enable trigger user', parent || '_other');
      execute format('alter table kikimimi.%I attach partition kikimimi.%I for values from (%L) to (%L)',
        parent, part, month, (month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
    end loop;
  end loop;
end $$;

-- Takes the months before an instant out of a table, and returns their tables, which nothing reads any more.
create function kikimimi.detach_months(parent text, before timestamptz) returns setof text language plpgsql as $$
declare
  part record;
  gone text;
begin
  for part in select * from kikimimi.partitions_of(('kikimimi.' || parent)::regclass) p where p.upper <= before loop
    gone := parent || '_gone' || to_char(part.upper at time zone 'UTC', '_YYYY_MM_DD');
    execute format('alter table kikimimi.%I detach partition %s', parent, part.name);
    execute format('alter table %s rename to %I', part.name, gone);
    return next 'kikimimi.' || gone;
  end loop;
end $$;

-- Deletes rows of a month that was taken out. Returns their number. Trigger functions of plugins that follow retention run for them.
create function kikimimi.purge_month(part regclass, size int) returns bigint language plpgsql as $$
declare
  handler record;
  deleted bigint;
begin
  for handler in
    select t.tgname, pg_get_triggerdef(t.oid) as definition from pg_trigger t
    where t.tgrelid = 'kikimimi.message'::regclass and not t.tgisinternal and t.tgoldtable is not null and t.tgname <> 'messages_gone'
      and not exists (select 1 from pg_trigger o where o.tgrelid = part and o.tgname = t.tgname)
  loop
    execute replace(handler.definition, ' ON kikimimi.message ', format(' ON %s ', part));
  end loop;
  if not exists (select 1 from pg_trigger t where t.tgrelid = part and not t.tgisinternal) then
    return 0;
  end if;
  execute format('delete from %s where seq in (select seq from %s order by seq limit %s)', part, part, size);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- The present month and all before it are one partition; rows of months that have no partition yet are in the default one.
do $$
declare
  parent text;
begin
  foreach parent in array array['message', 'trace', 'turn_facet'] loop
    execute format('create table kikimimi.%I partition of kikimimi.%I for values from (minvalue) to (%L)', parent || '_earlier', parent,
      (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC');
    execute format('create table kikimimi.%I partition of kikimimi.%I default', parent || '_other', parent);
  end loop;
end $$;
select kikimimi.add_months(now(), now() + interval '2 months');

-- ================================================================ views for plugins

-- The database API for plugins, version 1: see docs/database.md. Plugins read the kernel's data through the schema kikimimi_v1 only.
-- Within version 1 columns and functions are added, never changed or removed. Every view selects from one table, so that
-- the planner replaces it by that table; a column that needs another table is a subquery, which costs nothing unless it is read.

create view kikimimi_v1.conversation as
select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.processed, c.last_reply_at, c.details,
  c.own_readers, c.outsiders
from kikimimi.conversation c;

create view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed,
  case when m.left_out then '' else m.text end as text,
  case when m.left_out then '[]' else m.mentions end as mentions,
  case when m.left_out then '[]' else m.attachments end as attachments,
  case when m.left_out then '[]' else m.reactions end as reactions,
  m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  -- The log is cleared after the plugins, so it still has these messages while the plugins forget.
  m.left_out or exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      -- A subquery and no join: it is asked only for rows of the same person, and the table is almost always empty.
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) as being_forgotten,
  case when m.left_out then '[]' else m.parts end as parts,
  m.answered_by
from kikimimi.message m;

create view kikimimi_v1.latest as
select l.conversation, l.seq, l.received_at, l.hour from kikimimi.latest l;

-- For plugins.
create view kikimimi_v1.author as
select a.platform, a.id, a.month, a.name, a.bot, a.messages, a.last_seq, a.last_at, a.last_day from kikimimi.author a;

create view kikimimi_v1.trace as
select t.seq, t.turn, t.conversation, t.at, t.outcome, t.trigger, t.data,
  (select c.visibility from kikimimi.conversation c where c.id = t.conversation) as visibility
from kikimimi.trace t;

-- For plugins.
create view kikimimi_v1.turn_facet as
select f.facet, f.at, f.seq from kikimimi.turn_facet f;

create view kikimimi_v1.turn_hour as
select c.hour, c.shard, c.outcome, c.reason, c.bucket, c.turns, c.messages, c.errors from kikimimi.turn_hour c;

create view kikimimi_v1.turn_count as
select c.channel, c.hour, c.turns, c.replies from kikimimi.turn_count c;

create view kikimimi_v1.prompt as select p.turn, p.call, p.conversation, p.at, p.data from kikimimi.prompt p;

create view kikimimi_v1.source as
select s.owner, s.thing, s.conversation, s.first, s.last, s.stale from kikimimi.source s;

create view kikimimi_v1.model_use as
select u.hour, u.place, u.role, u.plugin, u.model, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use u;

create view kikimimi_v1.model_use_place as
select u.hour, u.place, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use_place u;

create view kikimimi_v1.model_use_work as
select u.hour, u.role, u.plugin, u.model, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use_work u;

create view kikimimi_v1.migration as
select m.owner, m.name, m.at from kikimimi.migration m;

-- Postgres would write through views as simple as these.
create function kikimimi.refuse_write() returns trigger language plpgsql as $$
begin
  raise exception '%.% is read-only', tg_table_schema, tg_table_name
    using hint = 'Only the kernel writes to its tables. PluginContext has methods that change them.';
end $$;
do $$
declare
  name text;
begin
  for name in select viewname from pg_views where schemaname = 'kikimimi_v1' loop
    execute format('create trigger read_only instead of insert or update or delete on kikimimi_v1.%I
      for each row execute function kikimimi.refuse_write()', name);
  end loop;
end $$;

-- ================================================================ who may read what

-- ---------------------------------------------------------------- personas

create function kikimimi.memory_by_rules(in_rules jsonb, in_workspace text, in_channel text, in_name text) returns text
language sql immutable as $$
  select coalesce(
    in_rules->'channels'->>(case when in_rules->'channels' ? in_channel then in_channel else in_name end),
    in_rules->'workspaces'->>in_workspace,
    ''
  )
$$;

-- Of each conversation: its channel and its workspace, with the memory that they have by the rules. A direct conversation has the name
-- of a person.
create function kikimimi.memories_of(in_rules jsonb, in_conversation text default null) returns table (channel text, memory text)
language sql stable as $$
  select distinct on (p.channel) p.channel, p.memory
  from kikimimi.conversation c, lateral (
    select array_to_string((string_to_array(c.id, '/'))[1:3], '/') as channel,
      kikimimi.memory_by_rules(in_rules, c.workspace, c.channel, case when c.visibility <> 'direct' then c.name end) as memory
    union all
    select array_to_string((string_to_array(c.id, '/'))[1:2], '/') || '/', kikimimi.memory_by_rules(in_rules, c.workspace, null, null)
  ) p
  where in_conversation is null or c.id = in_conversation
  -- The channel itself has the name that holds.
  order by p.channel, c.thread is not null
$$;

create function kikimimi.keep_memories(in_rules jsonb, in_conversation text default null) returns void language plpgsql as $$
begin
  insert into kikimimi.channel_memory as m (channel, memory)
    select o.channel, o.memory from kikimimi.memories_of(in_rules, in_conversation) o where o.memory <> '' order by o.channel
    on conflict (channel) do update set memory = excluded.memory where m.memory <> excluded.memory;
  delete from kikimimi.channel_memory m using kikimimi.memories_of(in_rules, in_conversation) o
    where o.channel = m.channel and o.memory = '';
end $$;

create function kikimimi.persona_of_conversation() returns trigger language plpgsql as $$
declare
  rules jsonb := (select p.rules from kikimimi.personas p);
begin
  if rules is null or rules = '{"channels": {}, "workspaces": {}}' or (new.thread is not null and exists (select 1 from kikimimi.conversation c
    where c.id = array_to_string((string_to_array(new.id, '/'))[1:3], '/')))
  then return null; end if;
  perform kikimimi.keep_memories(rules, new.id);
  return null;
end $$;
create trigger persona_of_new after insert on kikimimi.conversation for each row execute function kikimimi.persona_of_conversation();
create trigger persona_of_renamed after update of name on kikimimi.conversation for each row
  when (old.name <> new.name) execute function kikimimi.persona_of_conversation();

-- Before the bot reads or answers. What was learned in a channel goes with it to another persona.
create function kikimimi.use_personas(in_rules jsonb) returns void language plpgsql as $$
begin
  if (select rules from kikimimi.personas) is not distinct from in_rules then return; end if;
  -- A conversation that another process records meanwhile waits for the rules.
  lock table kikimimi.conversation in share row exclusive mode;
  insert into kikimimi.personas as p (rules) values (in_rules) on conflict (only_row) do update set rules = excluded.rules;
  perform kikimimi.keep_memories(in_rules);
end $$;

-- Whose memory a conversation has, or a place, or a workspace: '' is that of the bot itself.
create function kikimimi_v1.memory_of(in_place text) returns text language sql stable as $$
  select coalesce((
    select m.memory from kikimimi.channel_memory m
    where m.channel = case when cardinality(one.parts) = 2 then in_place || '/' else array_to_string(one.parts[1:3], '/') end
  ), '')
  from (select string_to_array(rtrim(in_place, '+'), '/') as parts) one
$$;

-- ---------------------------------------------------------------- readers

create function kikimimi.readers_changed() returns trigger language plpgsql as $$
begin
  insert into kikimimi.readers_before (conversation, upto, visibility, own_readers, outsiders)
    select old.id, coalesce(max(seq), 0), old.visibility, old.own_readers, old.outsiders from kikimimi.message
    on conflict do nothing;
  return null;
end $$;
create trigger readers_changed after update of visibility, own_readers, outsiders on kikimimi.conversation for each row
  when ((old.visibility, old.own_readers, old.outsiders) is distinct from (new.visibility, new.own_readers, new.outsiders))
  execute function kikimimi.readers_changed();

create function kikimimi.readers_gone() returns trigger language plpgsql as $$
begin
  delete from kikimimi.readers_before where conversation = old.id;
  return null;
end $$;
create trigger readers_gone after delete on kikimimi.conversation for each row execute function kikimimi.readers_gone();

-- A thread with the readers of its channel tells who reads the channel.
create function kikimimi.thread_described() returns trigger language plpgsql as $$
begin
  insert into kikimimi.conversation as c (id, platform, workspace, channel, name, visibility, outsiders)
  values (array_to_string((string_to_array(new.id, '/'))[1:3], '/'), new.platform, new.workspace, new.channel, new.name,
    new.visibility, new.outsiders)
  on conflict (id) do update set visibility = excluded.visibility, outsiders = excluded.outsiders
    where (c.visibility, c.outsiders) is distinct from (excluded.visibility, excluded.outsiders);
  return null;
end $$;
create trigger thread_described after insert or update of visibility, own_readers, outsiders on kikimimi.conversation
  for each row when (new.thread is not null and new.own_readers = false) execute function kikimimi.thread_described();

-- The place of what is said in a conversation: the key of the people who read it, and its visibility. The place is the channel,
-- or a thread with readers of its own; `+` at its end stands for people from outside the workspace.
-- `in_seq`: the place of that message when it was said. Null: the place now.
-- `in_visibility`: counts for a conversation of which nothing is recorded.
create function kikimimi_v1.place_of(in_conversation text, in_visibility text, in_seq bigint)
returns table (place text, visibility text)
language sql stable as $$
  select
    case when t.own then one.id else one.channel end || case when t.outsiders then '+' else '' end,
    case when t.own then 'private' when t.said <> 'public' then t.said else coalesce(t.channel_said, t.said, 'private') end
  from (
    select in_conversation as id, array_to_string((string_to_array(in_conversation, '/'))[1:3], '/') as channel
  ) one
  left join kikimimi.conversation c on c.id = one.id
  left join lateral (
    select * from kikimimi.readers_before b where b.conversation = one.id and b.upto >= in_seq order by b.upto limit 1
  ) cb on true
  left join kikimimi.conversation h on h.id = one.channel and one.channel <> one.id
  left join lateral (
    select * from kikimimi.readers_before b
    where b.conversation = one.channel and one.channel <> one.id and b.upto >= in_seq order by b.upto limit 1
  ) hb on true,
  lateral (
    select coalesce(cb.visibility, c.visibility, in_visibility) as said, coalesce(hb.visibility, h.visibility) as channel_said,
      coalesce(cb.outsiders, c.outsiders, false) or coalesce(hb.outsiders, h.outsiders, false) as outsiders,
      -- Where the platform does not say, a private thread counts as one with its own readers unless its channel is private too.
      one.channel <> one.id and coalesce(
        case when cb.upto is null then c.own_readers else cb.own_readers end,
        coalesce(cb.visibility, c.visibility, in_visibility, 'private') = 'private'
          and coalesce(hb.visibility, h.visibility, 'public') = 'public'
      ) as own
  ) t
$$;

-- Who reads a conversation, in one row, for `told_to`.
create function kikimimi_v1.audience(in_conversation text)
-- The beginning of the places whose public material all of them may read, with `#` and the memory unless it is that of the bot itself;
-- null where outsiders read. The places whose material they may read in any case, and those of them that are not public.
returns table (workspace text, places text[], closed text[])
language sql stable rows 1 as $$
  -- Materialized: it is found out once, and not for each row that it is joined with.
  with audience as materialized (
    select w.workspace, w.places, array(
      select p from unnest(w.places) p where not exists (select 1 from kikimimi.conversation c where c.id = p and c.visibility = 'public')
    )
    from (
      select case when here.place not like '%+' then array_to_string((string_to_array(in_conversation, '/'))[1:2], '/') || '/'
            || coalesce('#' || nullif(kikimimi_v1.memory_of(in_conversation), ''), '') end as workspace,
        array_remove(array[
          rtrim(here.place, '+'),
          array_to_string((string_to_array(in_conversation, '/'))[1:3], '/'),
          -- Where the platform does not say who reads a thread, what was said there stays readable there.
          case when c.own_readers is null then in_conversation end
        ], null) as places
      from kikimimi_v1.place_of(in_conversation, null, null) here left join kikimimi.conversation c on c.id = in_conversation
      offset 0
    ) w
  )
  select * from audience
$$;

-- A row if this audience may read what was said in a place with a visibility. The rule: what was public then and is public now, and
-- belongs to the same memory, wherever all readers belong to the workspace. All else: in its place and in the threads there; once more
-- people read the place, nowhere.
create function kikimimi_v1.told_to(in_workspace text, in_places text[], in_closed text[], in_place text, in_visibility text)
returns table (readable boolean)
language sql stable rows 1 as $$
  select true where
    rtrim(in_place, '+') = any(case when in_visibility = 'public' then in_places else in_closed end)
      and (in_place like '%+' or in_workspace is not null)
    or in_visibility = 'public' and starts_with(in_place, split_part(in_workspace, '#', 1))
      and not exists (select 1 from kikimimi.conversation c where c.id = rtrim(in_place, '+') and c.visibility <> 'public')
      and split_part(in_workspace, '#', 2)
        = coalesce((select m.memory from kikimimi.channel_memory m where m.channel = rtrim(in_place, '+')), '')
$$;

-- Which places everybody who reads a conversation may read: of those given, each with its visibility when something was said there.
create function kikimimi_v1.readable(in_conversation text, in_places text[], in_visibilities text[])
returns table (place text, visibility text)
language sql stable as $$
  select distinct o.place, o.visibility
  from kikimimi_v1.audience(in_conversation) a, unnest(in_places, in_visibilities) o(place, visibility),
    kikimimi_v1.told_to(a.workspace, a.places, a.closed, o.place, o.visibility)
$$;

-- ================================================================ messages

-- ---------------------------------------------------------------- recording

-- A message is recorded by one process at a time: until the end of the transaction.
create function kikimimi.lock_messages(in_channels text[], in_ids text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key)
    from (select hashtextextended(channel || E'\n' || id, 0) as key from unnest(in_channels, in_ids) as m(channel, id) order by 1) keys;
end $$;

-- Whether a message is recorded or deleted already. It is volatile: it sees what others have committed since the calling statement began.
create function kikimimi.is_known(in_channel text, in_id text, in_first timestamptz, in_last timestamptz) returns boolean
language plpgsql volatile as $$
begin
  return exists (select 1 from kikimimi.message m where m.channel = in_channel and m.id = in_id and m.at between in_first and in_last)
    or exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', in_channel, in_id));
end $$;

-- Deletes a message, or takes back an own one. Almost always it was said between the two times. Its deletion can be received before it: it
-- is not recorded then.
create function kikimimi.remove_message(
  in_channel text, in_id text, in_at timestamptz, in_first timestamptz, in_last timestamptz, takes_back boolean
) returns void language plpgsql as $$
declare
  bounds timestamptz[];
begin
  perform kikimimi.lock_messages(array[in_channel], array[in_id]);
  foreach bounds slice 1 in array array[array[in_first, in_last], array['-infinity', 'infinity']::timestamptz[]] loop
    if takes_back then
      update kikimimi.message set text = '', reactions = '[]', edited_at = greatest(in_at, edited_at + interval '1 microsecond'),
          deleted_at = in_at
        where channel = in_channel and id = in_id and at between bounds[1] and bounds[2] and deleted_at is null and own;
    else
      update kikimimi.message set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', recalled = false,
          deleted_at = in_at
        where channel = in_channel and id = in_id and at between bounds[1] and bounds[2] and deleted_at is null;
    end if;
    if found then
      return;
    end if;
  end loop;
  insert into kikimimi.tombstone (key, at)
    select kikimimi.tombstone_key('message', in_channel, in_id), in_at
    where not exists (select 1 from kikimimi.message where channel = in_channel and id = in_id and deleted_at is null)
    on conflict do nothing;
end $$;

-- Fails where a message could not be recorded now: the database is read-only or full, or another session locks its tables.
create function kikimimi.beat(now timestamptz) returns void language plpgsql as $$
begin
  perform set_config('lock_timeout', '1s', true);
  lock table kikimimi.conversation, kikimimi.message in row exclusive mode;
  insert into kikimimi.heartbeat (at) values (now) on conflict (one) do update set at = excluded.at;
end $$;

-- ---------------------------------------------------------------- counters of messages

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

create function kikimimi.messages_gone() returns trigger language plpgsql as $$
begin
  perform kikimimi.uncount(g.platform, g.author_id, g.month, g.messages) from (
    select split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month, count(*) as messages from gone
    where not own and author_id <> '' and deleted_at is null
    group by 1, 2, 3 order by 1, 2, 3
  ) g;
  return null;
end $$;
create trigger messages_gone after delete on kikimimi.message referencing old table as gone for each statement
  execute function kikimimi.messages_gone();

create function kikimimi.message_recounted() returns trigger language plpgsql as $$
begin
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

-- ---------------------------------------------------------------- plugins that follow the log

-- Locks messages against edits and deletion until the transaction ends, in the order of `seq`. Returns those that are there
-- and not deleted, as they are now.
create function kikimimi_v1.lock_messages(in_seqs bigint[]) returns table (seq bigint, text text, mentions jsonb)
language sql volatile as $$
  select m.seq, m.text, m.mentions from kikimimi.message m
  where m.seq = any(in_seqs) and m.deleted_at is null and not m.left_out order by m.seq for share
$$;

-- The following functions attach a trigger function of a plugin to the log. It runs in the transaction of the change, also
-- when the plugin is not running. OLD, NEW and the transition table have the columns of the view up to `deleted_at` for
-- messages, up to `last_reply_at` for conversations. The trigger is named after the function, `facts.changed` as facts_changed,
-- and goes with it.

create function kikimimi.trigger_name(handler regproc) returns text
language sql stable as $$
  select n.nspname || '_' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler
$$;

-- Before an edit by the author of a message is recorded. The function may change NEW, or return null to refuse the edit.
create function kikimimi_v1.before_message_edit(handler regproc) returns void language plpgsql as $$
begin
  -- An edit has a time. Removing a forgotten name from the text has none, and adds nothing.
  execute format(
    'create trigger %I before update of text on kikimimi.message for each row
     when (not old.own and old.text is distinct from new.text and old.edited_at is distinct from new.edited_at
       and new.deleted_at is null) execute function %s()', kikimimi.trigger_name(handler), handler);
end $$;

-- Before changed reactions to a message are recorded. The function may change NEW, or return null to refuse the change.
create function kikimimi_v1.before_message_reaction(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I before update of reactions on kikimimi.message for each row
     when (old.reactions is distinct from new.reactions and new.reactions <> ''[]'') execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After a message was edited or deleted, row by row. A deleted message keeps its row, without its text.
create function kikimimi_v1.after_message_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of text, deleted_at on kikimimi.message for each row
     when (old.text is distinct from new.text or old.deleted_at is distinct from new.deleted_at) execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After retention has removed messages from the log, once for each statement. The transition table `gone` has their rows.
create function kikimimi_v1.after_message_purge(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after delete on kikimimi.message referencing old table as gone for each statement execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After the visibility of a conversation has changed, row by row.
create function kikimimi_v1.after_visibility_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of visibility on kikimimi.conversation for each row
     when (old.visibility <> new.visibility) execute function %s()', kikimimi.trigger_name(handler), handler);
end $$;

-- ================================================================ turns

-- What a message makes of the turn of its conversation. It moves the time, except of a call, of a turn that waits for something else, and
-- where the bot has spoken or was called after `moves_since`: there the turn only becomes due earlier.
create function kikimimi.due_after(
  due_at timestamptz, due_latest timestamptz, urgent boolean, vary double precision,
  new_due timestamptz, new_latest timestamptz, new_urgent boolean, new_vary double precision, engaged_at timestamptz, moves_since timestamptz
) returns table (due_at timestamptz, due_latest timestamptz, urgent boolean, vary double precision)
language sql immutable as $$
  select
    case when $3 or $7 or $2 is null or $9 > $10 then least($1, $5) else least($5, $2) end,
    coalesce($2, $6),
    $3 or $7,
    $8
$$;

-- ---------------------------------------------------------------- what turns are searched and counted by

-- The number of a facet.
create function kikimimi_v1.facet(kind text, value text) returns bigint language sql immutable parallel safe as $$
  select ('x' || left(md5(kind || ':' || value), 16))::bit(64)::bigint
$$;

-- The reason of a turn without its figures and details, so that equal reasons are counted together. The words of a model are left out.
create function kikimimi.reason_of(data jsonb) returns text language sql immutable parallel safe as $$
  select case when data->>'why' is null and data->'decision' ? 'confidence'
    then 'the verdict of ' || coalesce(data->'decision'->>'plugin', 'a model')
    else left(regexp_replace(split_part(coalesce(data->>'why', data->'decision'->>'why', ''), ' · ', 1), ' [-+]?\d+(,.*)?$', ''), 100) end
$$;
-- Milliseconds of all stages.
create function kikimimi.took_of(data jsonb) returns double precision language sql immutable parallel safe as $$
  select coalesce(sum(value::double precision), 0) from jsonb_each_text(data->'ms')
$$;
-- What the model calls of a turn cost.
create function kikimimi.cost_of(data jsonb) returns numeric language sql immutable parallel safe as $$
  select coalesce(sum((value->>'cost')::numeric), 0) from jsonb_array_elements(data->'models')
$$;
create function kikimimi.has_error(outcome text, data jsonb) returns boolean language sql immutable parallel safe as $$
  select outcome = 'failed' or coalesce(jsonb_array_length(data->'problems'), 0) > 0
$$;
-- The hour of the week in UTC: 0 is Monday from 0:00 to 1:00.
create function kikimimi.week_hour_of(at timestamptz) returns int language sql immutable parallel safe as $$
  select (24 * (extract(isodow from at at time zone 'UTC') - 1) + extract(hour from at at time zone 'UTC'))::int
$$;

create function kikimimi.facets_of(conversation text, at timestamptz, outcome text, data jsonb) returns bigint[] language plpgsql stable as $$
declare
  place text := kikimimi.channel_of(conversation);
  took double precision := kikimimi.took_of(data);
  cost numeric := kikimimi.cost_of(data);
  found bigint[] := array[kikimimi_v1.facet('channel', place), kikimimi_v1.facet('outcome', outcome),
    kikimimi_v1.facet('reason', kikimimi.reason_of(data)), kikimimi_v1.facet('week', kikimimi.week_hour_of(at)::text),
    kikimimi_v1.facet('error', kikimimi.has_error(outcome, data)::text)];
begin
  found := found || array(select kikimimi_v1.facet('plugin', p) from unnest(array[data->'decision'->>'plugin', data->>'by', data->'reply'->>'plugin']
    || array(select value->>'plugin' from jsonb_array_elements(coalesce(data->'score'->'parts', '[]') || coalesce(data->'problems', '[]')))) p where p is not null);
  found := found || array(select kikimimi_v1.facet('person', split_part(place, '/', 1) || '/' || m.author_id) from kikimimi.message m
    where m.channel = place and m.id in (select jsonb_array_elements_text(data->'messages')) and not m.own and m.author_id <> ''
      and m.at between facets_of.at - interval '8 days' and facets_of.at + interval '2 days');
  if jsonb_array_length(data->'models') > 0 then
    found := found || array(select kikimimi_v1.facet('model', value->>'model') from jsonb_array_elements(data->'models'));
  end if;
  if took >= 1000 then
    found := found || array(select kikimimi_v1.facet('took', n::text) from unnest(array[1000, 3000, 10000, 30000]) n where took >= n);
  end if;
  if cost >= 0.001 then
    found := found || array(select kikimimi_v1.facet('cost', n::text) from unnest(array[0.001, 0.01, 0.1, 1]) n where cost >= n);
  end if;
  return array(select distinct f from unnest(found) f order by f);
end $$;

-- Adds a turn to the counter, or takes it away. Rows that count nothing are deleted: their reason could be a word of somebody.
create function kikimimi.count_turn(in_conversation text, in_at timestamptz, in_outcome text, in_data jsonb, sign int) returns void
language plpgsql as $$
declare
  in_hour timestamptz := kikimimi.hour_of(in_at);
  in_shard smallint := hashtext(kikimimi.channel_of(in_conversation)) & 7;
  in_reason text := kikimimi.reason_of(in_data);
  in_bucket smallint := case when in_outcome = 'replied' then floor(4 * log(2, (kikimimi.took_of(in_data) + 1)::numeric)) else -1 end;
begin
  insert into kikimimi.turn_hour as c (hour, shard, outcome, reason, bucket, turns, messages, errors)
    values (in_hour, in_shard, in_outcome, in_reason, in_bucket, sign, sign * coalesce(jsonb_array_length(in_data->'messages'), 0),
      sign * kikimimi.has_error(in_outcome, in_data)::int)
    on conflict (hour, shard, outcome, reason, bucket) do update set turns = c.turns + excluded.turns, messages = c.messages + excluded.messages,
      errors = c.errors + excluded.errors;
  if sign < 0 then
    delete from kikimimi.turn_hour
      where hour = in_hour and shard = in_shard and outcome = in_outcome and reason = in_reason and bucket = in_bucket and turns <= 0;
  end if;
end $$;

-- Facets are kept by triggers in the statement that stores the trace.
create function kikimimi.turn_faceted() returns trigger language plpgsql as $$
begin
  new.facets := kikimimi.facets_of(new.conversation, new.at, new.outcome, new.data);
  return new;
end $$;
create trigger turn_faceted before insert or update of outcome, data on kikimimi.trace for each row execute function kikimimi.turn_faceted();

-- A turn without facets is not counted.
create function kikimimi.turn_indexed() returns trigger language plpgsql as $$
declare
  had bigint[] := '{}';
  has bigint[] := '{}';
begin
  if tg_op <> 'INSERT' and old.facets is not null then
    had := old.facets;
    perform kikimimi.count_turn(old.conversation, old.at, old.outcome, old.data, -1);
  end if;
  if tg_op <> 'DELETE' then
    has := new.facets;
    perform kikimimi.count_turn(new.conversation, new.at, new.outcome, new.data, 1);
    insert into kikimimi.turn_facet (facet, at, seq) select f, new.at, new.seq from unnest(has) f where f <> all (had) order by f
      on conflict do nothing;
  end if;
  if cardinality(had) > 0 then
    delete from kikimimi.turn_facet where facet = any (had) and facet <> all (has) and at = old.at and seq = old.seq;
  end if;
  return null;
end $$;
create trigger turn_indexed after insert or delete or update of outcome, data on kikimimi.trace for each row
  execute function kikimimi.turn_indexed();

create function kikimimi.turn_index_emptied() returns trigger language plpgsql as $$
begin
  delete from kikimimi.turn_facet;
  delete from kikimimi.turn_hour;
  return null;
end $$;
create trigger turn_index_emptied after truncate on kikimimi.trace for each statement execute function kikimimi.turn_index_emptied();

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
    from gone group by 1, 2
  ) g where c.channel = g.channel and c.hour = g.hour;
  return null;
end $$;
create trigger turns_gone after delete on kikimimi.trace referencing old table as gone for each statement
  execute function kikimimi.turns_gone();

create function kikimimi.turn_recounted() returns trigger language plpgsql as $$
begin
  update kikimimi.turn_count
    set replies = replies + case when new.outcome = 'replied' then 1 else 0 end - case when old.outcome = 'replied' then 1 else 0 end
    where channel = kikimimi.channel_of(new.conversation) and hour = kikimimi.hour_of(new.at);
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

-- Adds the rows `changed` of model_use to their sums; with the argument -1, takes them away. In one order, so that two writers do not wait
-- for each other.
create function kikimimi.sum_model_use() returns trigger language plpgsql as $$
declare
  sign int := tg_argv[0];
begin
  insert into kikimimi.model_use_place as s (hour, place, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, place, sign * sum(calls), sign * sum(failed), sign * sum(input_tokens), sign * sum(output_tokens), sign * sum(ms),
      sign * sum(cost)
    from changed group by hour, place order by hour, place
    on conflict (hour, place) do update set calls = s.calls + excluded.calls, failed = s.failed + excluded.failed,
      input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens,
      ms = s.ms + excluded.ms, cost = coalesce(s.cost + excluded.cost, s.cost, excluded.cost);
  insert into kikimimi.model_use_work as s (hour, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, role, plugin, model, sign * sum(calls), sign * sum(failed), sign * sum(input_tokens), sign * sum(output_tokens),
      sign * sum(ms), sign * sum(cost)
    from changed group by hour, role, plugin, model order by hour, role, plugin, model
    on conflict (hour, role, plugin, model) do update set calls = s.calls + excluded.calls, failed = s.failed + excluded.failed,
      input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens,
      ms = s.ms + excluded.ms, cost = coalesce(s.cost + excluded.cost, s.cost, excluded.cost);
  if sign = -1 then
    -- Sums without calls are those of rows that are gone.
    delete from kikimimi.model_use_place where calls = 0 and (hour, place) in (select hour, place from changed);
    delete from kikimimi.model_use_work
      where calls = 0 and (hour, role, plugin, model) in (select hour, role, plugin, model from changed);
  end if;
  return null;
end $$;
create trigger sum_inserted after insert on kikimimi.model_use referencing new table as changed
  for each statement execute function kikimimi.sum_model_use('1');
-- Of an update, the new rows are added first, in the order of the names.
create trigger sum_updated_1 after update on kikimimi.model_use referencing new table as changed
  for each statement execute function kikimimi.sum_model_use('1');
create trigger sum_updated_2 after update on kikimimi.model_use referencing old table as changed
  for each statement execute function kikimimi.sum_model_use('-1');
create trigger sum_deleted after delete on kikimimi.model_use referencing old table as changed
  for each statement execute function kikimimi.sum_model_use('-1');

-- ================================================================ what was made of a message

-- One writer of deletions, or many writers of sources: neither misses what the other has not committed.
create function kikimimi.lock_sources() returns void language sql volatile as $$
  select pg_advisory_xact_lock(hashtext('kikimimi.source'))
$$;

-- A trace without the words of models and plugins. Why the kernel cancelled a turn holds no such words.
create function kikimimi.without_words(data jsonb) returns jsonb
language sql immutable as $$
  select case when data->>'outcome' = 'cancelled' and not data ? 'by' then data else data - 'why' end
    || case when data ? 'decision' then jsonb_build_object('decision', jsonb_set(data->'decision', '{why}', '""')) else '{}' end
    || case when data ? 'score' then jsonb_build_object('score', jsonb_set(data->'score', '{parts}', coalesce(
         (select jsonb_agg(jsonb_set(part, '{why}', '""')) from jsonb_array_elements(data->'score'->'parts') part), '[]'))) else '{}' end
    || case when data ? 'problems' then jsonb_build_object('problems', coalesce(
         (select jsonb_agg(jsonb_set(problem, '{message}', '""')) from jsonb_array_elements(data->'problems') problem), '[]'))
       else '{}' end
$$;

-- The state of a delivery that must not be finished.
create function kikimimi.refused(delivery kikimimi.delivery) returns text language sql immutable as $$
  select case when delivery.state in ('writing', 'unwanted') or (delivery.draft and delivery.message is not null) then 'unwanted' else 'failed' end
$$;

-- Removes the words of turns, and of the turns that had their answers on screen.
create function kikimimi.drop_turns(turns text[], in_at timestamptz) returns void language plpgsql as $$
declare
  lost text[];
begin
  with recursive resting(turn) as (
    select unnest(turns)
    union
    select s.thing from resting r
      join kikimimi.message m on m.turn = r.turn and m.deleted_at is null
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.conversation = m.conversation and s.last >= m.seq and s.first <= m.seq
  )
  select array_agg(turn) into lost from resting;
  -- First, so that the deletion of an answer finds no turn any more.
  delete from kikimimi.source where owner = 'kikimimi' and thing = any(lost);
  update kikimimi.trace set data = kikimimi.without_words(data) where turn = any(lost);
  update kikimimi.delivery d set body = null, state = kikimimi.refused(d)
    where turn = any(lost) and state in ('writing', 'pending', 'sending');
  update kikimimi.message set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where turn = any(lost) and deleted_at is null;
end $$;

create function kikimimi.message_lost() returns trigger language plpgsql as $$
declare
  lost_at timestamptz := coalesce(new.deleted_at, new.edited_at, new.received_at);
  turns text[];
begin
  perform kikimimi.lock_sources();
  if new.deleted_at is not null then
    insert into kikimimi.tombstone (key, at)
      values (kikimimi.tombstone_key('message', old.channel, old.id), new.deleted_at) on conflict do nothing;
  elsif new.edited_at is not null then
    insert into kikimimi.tombstone as t (key, at)
      values (kikimimi.tombstone_key('edit', old.channel, old.id), new.edited_at)
      on conflict (key) do update set at = excluded.at, seq = default where t.at < excluded.at;
  end if;
  select array_agg(distinct thing) into turns from kikimimi.source
    where owner = 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq;
  -- The bot replaces its own answer: what it said since stays.
  if turns is not null and not (new.own and new.edited_at is distinct from old.edited_at) then
    perform kikimimi.drop_turns(turns, lost_at);
  end if;
  update kikimimi.source set stale = 'changed'
    where owner <> 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq
      and stale is distinct from 'changed';
  return null;
end $$;
-- Triggers run in the order of their names: this one takes its lock before those of plugins take theirs. An edit that only
-- adds words leaves what was made of the earlier ones.
create trigger "0_message_lost" after update of text, parts, deleted_at on kikimimi.message for each row
  when ((old.text <> new.text and position(old.text in new.text) = 0) or old.parts <> new.parts
    or (old.deleted_at is null and new.deleted_at is not null))
  execute function kikimimi.message_lost();

-- Fewer people read a channel: what other places made of it goes.
create function kikimimi.close_sources(in_channel text) returns void language plpgsql as $$
declare
  turns text[];
begin
  perform kikimimi.lock_sources();
  -- Answers in other channels.
  select array_agg(distinct s.thing) into turns from kikimimi.source s join kikimimi.trace t on t.turn = s.thing
    where s.owner = 'kikimimi' and (s.conversation = in_channel or starts_with(s.conversation, in_channel || '/'))
      and t.conversation <> in_channel and not starts_with(t.conversation, in_channel || '/')
      and not starts_with(in_channel, t.conversation || '/');
  if turns is not null then
    perform kikimimi.drop_turns(turns, (select max(at) from kikimimi.trace where turn = any(turns)));
  end if;
  update kikimimi.source set stale = 'closed'
    where owner <> 'kikimimi' and (conversation = in_channel or starts_with(conversation, in_channel || '/')) and stale is null;
end $$;

create function kikimimi.conversation_closed() returns trigger language plpgsql as $$
begin
  perform kikimimi.close_sources(new.id);
  return null;
end $$;
create trigger "0_conversation_closed" after update of visibility on kikimimi.conversation for each row
  when (old.visibility = 'public' and new.visibility <> 'public') execute function kikimimi.conversation_closed();

-- A channel that goes to another memory is closed for those of the memory that it had: what other places made of it goes there.
create function kikimimi.memory_moved() returns trigger language plpgsql as $$
declare
  moved text := coalesce(new.channel, old.channel);
begin
  perform kikimimi.close_sources(moved);
  return null;
end $$;
create trigger "0_memory_moved" after insert or update of memory or delete on kikimimi.channel_memory for each row
  execute function kikimimi.memory_moved();

-- Other people read the channel now: an answer that was made for the readers of before is not sent.
create function kikimimi.refuse_answers() returns trigger language plpgsql as $$
begin
  update kikimimi.delivery d set body = null, state = kikimimi.refused(d)
    where state in ('writing', 'pending', 'sending') and (conversation = new.id or starts_with(conversation, new.id || '/'));
  return null;
end $$;
create trigger refuse_answers after update of visibility, own_readers, outsiders on kikimimi.conversation
  for each row when (
    old.visibility is distinct from new.visibility
    or old.own_readers is distinct from new.own_readers
    or old.outsiders is distinct from new.outsiders
  ) execute function kikimimi.refuse_answers();

-- Prompts have the words of people. They go with the trace, and as soon as the words leave the trace, because a message that the
-- turn had on screen was deleted, edited or left out.
create function kikimimi.drop_prompts() returns trigger language plpgsql as $$
begin
  delete from kikimimi.prompt where turn = old.turn;
  return null;
end $$;
create trigger drop_prompts after delete on kikimimi.trace for each row execute function kikimimi.drop_prompts();
create trigger drop_prompts_without_words after update of data on kikimimi.trace for each row
  when (new.data = kikimimi.without_words(new.data)) execute function kikimimi.drop_prompts();

-- ---------------------------------------------------------------- the end of a turn

-- Stores what a turn was made from. `screen` are the ids of the messages that the turn had on screen.
create function kikimimi.keep_sources(
  in_turn text, in_channel text, screen text[], sources jsonb
) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select 'kikimimi', in_turn, conversation, first, max(last) from (
      select m.conversation, min(m.seq) as first, max(m.seq) as last from kikimimi.message m
        where m.channel = in_channel and m.id = any(screen) group by m.conversation
      union all
      select m.conversation, m.seq, m.seq from jsonb_to_recordset(sources) as s(channel text, messages jsonb)
        join kikimimi.message m on m.channel = s.channel and s.messages ? m.id
      union all
      select s.conversation, s.first, s.last from jsonb_to_recordset(sources) as s(conversation text, first bigint, last bigint)
        where s.conversation is not null
    ) all_sources group by conversation, first
    on conflict do nothing;
end $$;

-- The end of a turn: its batch is processed up to `in_processed`, if that is given, and its trace is stored. Returns whether something
-- that it was made from has changed since `in_at`; then `end_turn` has to follow. Rows are locked before sources are, as by all other
-- changes of messages and conversations. Each statement sees what was committed before it, so no change is missed.
create function kikimimi.finish_turn(
  in_conversation text, in_processed bigint, in_turn text, in_at timestamptz, in_outcome text, in_trigger text, in_data jsonb,
  in_channel text, in_sent text[], in_screen text[], in_sources jsonb
) returns boolean language plpgsql as $$
begin
  if in_processed is not null then
    update kikimimi.conversation set processed = in_processed where id = in_conversation and processed < in_processed;
    update kikimimi.message set recalled = false, revise = null
      where conversation = in_conversation and recalled and seq <= in_processed
        and at between in_at - interval '8 days' and in_at + interval '2 days';
  end if;
  if cardinality(in_sent) > 0 then
    update kikimimi.message set turn = in_turn where channel = in_channel and id = any(in_sent) and own
      and at between in_at - interval '8 days' and in_at + interval '2 days';
  end if;
  insert into kikimimi.trace (turn, conversation, at, outcome, trigger, data)
    values (in_turn, in_conversation, in_at, in_outcome, in_trigger, in_data) on conflict do nothing;
  perform kikimimi.keep_sources(in_turn, in_channel, in_screen, in_sources);
  return exists (
    select 1 from kikimimi.message m join kikimimi.source s
      on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where m.deleted_at >= in_at or m.edited_at >= in_at
  ) or exists (
    select 1 from kikimimi.left_out l join kikimimi.message m on m.channel = l.channel and m.id = l.id
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where l.at >= in_at - interval '1 day'
  );
end $$;

-- The end of a turn: what it was made from may have changed meanwhile, or be left out of what is remembered.
create function kikimimi.end_turn(in_turn text, in_at timestamptz) returns void language plpgsql as $$
begin
  if exists (
    select 1 from kikimimi.message m join kikimimi.source s
      on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where (m.deleted_at >= in_at or m.edited_at >= in_at) and not (m.own and m.edited_at >= in_at) and m.turn is distinct from in_turn
  ) then
    perform kikimimi.drop_turns(array[in_turn], in_at);
  elsif exists (
    select 1 from kikimimi.left_out l join kikimimi.message m on m.channel = l.channel and m.id = l.id
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where l.at >= in_at - interval '1 day'
  ) then
    -- The answer stays on screen with the message.
    insert into kikimimi.left_out (channel, id, at) select channel, id, in_at from kikimimi.message where turn = in_turn
      on conflict do nothing;
    update kikimimi.trace set data = kikimimi.without_words(data) where turn = in_turn;
  end if;
end $$;

-- ---------------------------------------------------------------- for plugins

-- Stores what a thing was made from, instead of what was stored for it before. Call it before the transaction writes the thing.
create function kikimimi_v1.made_from(
  in_owner text, in_thing text, conversations text[], firsts bigint[], lasts bigint[]
) returns void language plpgsql as $$
begin
  if in_owner = 'kikimimi' then
    raise exception 'the owner of a thing is a plugin';
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  delete from kikimimi.source where owner = in_owner and thing = in_thing;
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select in_owner, in_thing, s.conversation, s.first, max(s.last) from unnest(conversations, firsts, lasts) as s(conversation, first, last)
    group by s.conversation, s.first;
end $$;

-- Marks what was made of a thing of a plugin as stale.
create function kikimimi_v1.thing_changed(in_owner text, in_thing bigint) returns void language sql volatile as $$
  update kikimimi.source set stale = 'changed'
    where conversation = in_owner and first = in_thing and last = in_thing and stale is distinct from 'changed'
$$;

-- Attaches a trigger function of a plugin to its sources, whose owner is the schema of the function.
create function kikimimi_v1.after_source_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of stale on kikimimi.source for each row
     when (new.owner = %L and new.stale is distinct from old.stale) execute function %s()',
    kikimimi.trigger_name(handler),
    (select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler), handler);
end $$;

-- ================================================================ forgetting

-- Whether this person has asked to be forgotten and is not forgotten yet.
create function kikimimi_v1.is_being_forgotten(in_platform text, in_person text) returns boolean
language sql stable as $$
  select exists (select 1 from kikimimi.forgetting where platform = in_platform and person = in_person)
$$;

-- Whether somebody is being forgotten at this moment on the platform of a conversation, or of a `platform/workspace`. The
-- plugins have forgotten already, and the log still has the person's name in the words of others: a plugin that makes
-- something of the log in the background waits.
create function kikimimi_v1.is_forgetting(in_conversation text) returns boolean
language sql stable as $$
  select exists (
    select 1 from kikimimi.forgetting f
    where f.trying and f.cleared_at is null and exists (
      select 1 from kikimimi.conversation c
      where c.platform = f.platform and starts_with(c.id, split_part(in_conversation, '/', 1) || '/')
    )
  )
$$;

-- ---------------------------------------------------------------- messages that people asked not to remember

-- The mark can come before the message and after it.
create function kikimimi.message_marked() returns trigger language plpgsql as $$
begin
  new.left_out := exists (select 1 from kikimimi.left_out l where l.channel = new.channel and l.id = new.id);
  return new;
end $$;
create trigger message_marked before insert on kikimimi.message for each row execute function kikimimi.message_marked();

create function kikimimi.mark_added() returns trigger language plpgsql as $$
begin
  update kikimimi.message set left_out = true where channel = new.channel and id = new.id;
  return null;
end $$;
create trigger mark_added after insert on kikimimi.left_out for each row execute function kikimimi.mark_added();

-- Leaves messages out of what is remembered. They stay on screen. To plugins a message that was recorded before is deleted
-- first, and is being forgotten after that.
create function kikimimi_v1.leave_out(in_channel text, ids text[], in_at timestamptz) returns void language plpgsql as $$
begin
  insert into kikimimi.left_out (channel, id, at) select in_channel, unnest(ids), in_at on conflict do nothing;
  update kikimimi.message set deleted_at = in_at where channel = in_channel and id = any(ids) and deleted_at is null;
  update kikimimi.message set deleted_at = null
    where channel = in_channel and id = any(ids) and deleted_at = in_at and text <> '';
end $$;

-- Deletes messages that were left out before a time, when they are not on screen any more.
create function kikimimi_v1.drop_left_out(before timestamptz, in_at timestamptz) returns void language sql volatile as $$
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    from kikimimi.left_out l where l.at < before and m.channel = l.channel and m.id = l.id and m.deleted_at is null
$$;

-- ---------------------------------------------------------------- backups

create function kikimimi.tombstone_key(kind text, place text, id text) returns text
language sql immutable as $$
  select encode(sha256(convert_to(concat_ws(E'\n', kind, place, id), 'UTF8')), 'hex')
$$;

create function kikimimi.person_forgotten() returns trigger language plpgsql as $$
begin
  insert into kikimimi.tombstone (key, at) values (kikimimi.tombstone_key('person', new.platform, new.person), new.before)
    on conflict (key) do update set at = excluded.at, seq = default;
  return null;
end $$;
create trigger person_forgotten after insert or update of before on kikimimi.forgetting
  for each row execute function kikimimi.person_forgotten();

-- Erases again what a restored backup brought back. Returns the people who have to be forgotten again.
create function kikimimi.bury(in_at timestamptz) returns table (platform text, person text, before timestamptz) language plpgsql as $$
begin
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where m.deleted_at is null and (
      exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', m.channel, m.id))
      or exists (select 1 from kikimimi.tombstone t
        where t.key = kikimimi.tombstone_key('edit', m.channel, m.id) and (m.edited_at is null or m.edited_at < t.at)));
  return query
    select distinct c.platform, m.author_id, t.at from kikimimi.message m join kikimimi.conversation c on c.id = m.conversation
      join kikimimi.tombstone t on t.key = kikimimi.tombstone_key('person', c.platform, m.author_id)
    where m.author_id <> '' and m.received_at <= t.at;
end $$;
