-- Written by npm run schema. The migrations make this.

create table kikimimi.alert (
  name text not null,
  subject text not null,
  text text not null,
  since timestamp with time zone not null,
  seen timestamp with time zone not null,
  told text[] default '{}'::text[] not null,
  constraint alert_pkey PRIMARY KEY (name, subject)
);

create table kikimimi.author (
  platform text not null,
  id text not null,
  month date not null,
  name text not null,
  bot boolean not null,
  names text[] not null,
  messages bigint not null,
  last_seq bigint not null,
  last_at timestamp with time zone not null,
  last_day date not null,
  constraint author_pkey PRIMARY KEY (platform, id, month)
) with (fillfactor=80);
CREATE INDEX author_grams ON kikimimi.author USING gin (kikimimi_v1.grams(name));
CREATE INDEX author_id ON kikimimi.author USING btree (id);
CREATE INDEX author_latest ON kikimimi.author USING btree (last_day, platform, id);
CREATE INDEX author_names ON kikimimi.author USING gin (names);

create table kikimimi.channel_memory (
  channel text not null,
  memory text not null,
  constraint channel_memory_memory_check CHECK ((memory <> ''::text)),
  constraint channel_memory_pkey PRIMARY KEY (channel)
);

create table kikimimi.conversation (
  id text not null,
  platform text not null,
  workspace text not null,
  channel text not null,
  thread text,
  name text not null,
  visibility text not null,
  processed bigint default 0 not null,
  unread_after text,
  last_reply_at timestamp with time zone,
  details jsonb,
  own_readers boolean,
  outsiders boolean default false not null,
  due_at timestamp with time zone,
  due_latest timestamp with time zone,
  called_at timestamp with time zone,
  urgent boolean default false not null,
  vary double precision default 1 not null,
  delayed jsonb,
  leased_by text,
  leased_until timestamp with time zone,
  attempts integer default 0 not null,
  failure text,
  failed_at timestamp with time zone,
  constraint conversation_pkey PRIMARY KEY (id),
  constraint conversation_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'direct'::text])))
);
CREATE INDEX conversation_channel ON kikimimi.conversation USING btree (id) WHERE (thread IS NULL);
CREATE INDEX conversation_closed ON kikimimi.conversation USING btree (id) WHERE (visibility <> 'public'::text);
CREATE INDEX conversation_delayed ON kikimimi.conversation USING btree (id) WHERE (delayed IS NOT NULL);
CREATE INDEX conversation_details ON kikimimi.conversation USING btree (id) WHERE (details IS NOT NULL);
CREATE INDEX conversation_direct ON kikimimi.conversation USING btree (id) WHERE (visibility = 'direct'::text);
CREATE INDEX conversation_due ON kikimimi.conversation USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX conversation_failed ON kikimimi.conversation USING btree (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX conversation_grams ON kikimimi.conversation USING gin (kikimimi_v1.grams(name)) WHERE (thread IS NULL);
CREATE INDEX conversation_leased ON kikimimi.conversation USING btree (leased_until) WHERE (leased_by IS NOT NULL);
CREATE INDEX conversation_unread ON kikimimi.conversation USING btree (platform, id) WHERE (unread_after IS NOT NULL);
CREATE INDEX conversation_urgent ON kikimimi.conversation USING btree (due_at) WHERE urgent;

create table kikimimi.delivery (
  nonce text not null,
  conversation text not null,
  turn text not null,
  part integer not null,
  kind text not null,
  body text,
  target text,
  answers text,
  thread text,
  state text not null,
  message text,
  at timestamp with time zone not null,
  begun timestamp with time zone,
  retry_at timestamp with time zone,
  until timestamp with time zone,
  draft boolean default false not null,
  handles boolean default false not null,
  notify jsonb,
  constraint delivery_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'reaction'::text]))),
  constraint delivery_pkey PRIMARY KEY (nonce),
  constraint delivery_state_check CHECK ((state = ANY (ARRAY['writing'::text, 'pending'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'lost'::text, 'unwanted'::text])))
);
CREATE INDEX delivery_answers ON kikimimi.delivery USING btree (answers) WHERE (answers IS NOT NULL);
CREATE INDEX delivery_at ON kikimimi.delivery USING btree (at);
CREATE INDEX delivery_message ON kikimimi.delivery USING btree (message);
CREATE INDEX delivery_target ON kikimimi.delivery USING btree (target) WHERE (target IS NOT NULL);
CREATE INDEX delivery_turn ON kikimimi.delivery USING btree (turn);
CREATE INDEX delivery_unfinished ON kikimimi.delivery USING btree (conversation) WHERE (state = ANY (ARRAY['writing'::text, 'pending'::text, 'sending'::text, 'unwanted'::text]));

create table kikimimi.follower (
  name text not null,
  began bigint not null,
  seq bigint not null,
  version integer default 0 not null,
  again text,
  constraint follower_again_check CHECK ((again = 'edited'::text)),
  constraint follower_pkey PRIMARY KEY (name)
);

create table kikimimi.follower_again (
  follower text not null,
  conversation text not null,
  seq bigint not null,
  constraint follower_again_follower_fkey FOREIGN KEY (follower) REFERENCES kikimimi.follower(name) ON DELETE CASCADE,
  constraint follower_again_pkey PRIMARY KEY (follower, conversation, seq)
);

create table kikimimi.follower_mark (
  follower text not null,
  conversation text not null,
  place text not null,
  visibility text not null,
  upto bigint not null,
  pending boolean not null,
  failures integer default 0 not null,
  refusals integer default 0 not null,
  failed_upto bigint,
  retry_at timestamp with time zone,
  constraint follower_mark_follower_fkey FOREIGN KEY (follower) REFERENCES kikimimi.follower(name) ON DELETE CASCADE,
  constraint follower_mark_pkey PRIMARY KEY (follower, conversation),
  constraint follower_mark_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'direct'::text])))
);
CREATE INDEX follower_pending ON kikimimi.follower_mark USING btree (follower, place) WHERE pending;

create table kikimimi.forgetting (
  id bigint generated always as identity not null,
  platform text not null,
  person text not null,
  before timestamp with time zone not null,
  names text[] default '{}'::text[] not null,
  trying boolean default false not null,
  began_at timestamp with time zone,
  cleared_at timestamp with time zone,
  attempts integer default 0 not null,
  constraint forgetting_pkey PRIMARY KEY (id),
  constraint forgetting_platform_person_key UNIQUE (platform, person)
);

create table kikimimi.forgotten_words (
  forgetting bigint not null,
  seq bigint not null,
  text text not null,
  parts jsonb not null,
  constraint forgotten_words_pkey PRIMARY KEY (forgetting, seq)
);

create unlogged table kikimimi.heartbeat (
  one boolean default true not null,
  at timestamp with time zone not null,
  constraint heartbeat_one_check CHECK (one),
  constraint heartbeat_pkey PRIMARY KEY (one)
);

create table kikimimi.latest (
  conversation text not null,
  platform text not null,
  seq bigint not null,
  received_at timestamp with time zone not null,
  heard text not null,
  heard_seq bigint not null,
  heard_at timestamp with time zone not null,
  heard_own boolean not null,
  hour timestamp with time zone generated always as (kikimimi.hour_of(received_at)) stored,
  heard_hour timestamp with time zone generated always as (kikimimi.hour_of(heard_at)) stored,
  constraint latest_pkey PRIMARY KEY (conversation)
) with (fillfactor=80);
CREATE INDEX latest_channel ON kikimimi.latest USING btree (hour DESC) WHERE (split_part(conversation, '/'::text, 4) = ''::text);
CREATE INDEX latest_heard ON kikimimi.latest USING btree (platform, heard_hour DESC);
CREATE INDEX latest_hour ON kikimimi.latest USING btree (hour);

create table kikimimi.left_out (
  channel text not null,
  id text not null,
  at timestamp with time zone not null,
  constraint left_out_pkey PRIMARY KEY (channel, id)
);
CREATE INDEX left_out_at ON kikimimi.left_out USING btree (at);

create table kikimimi.message (
  seq bigint default nextval('kikimimi.message_seq_seq'::regclass) not null,
  conversation text not null,
  channel text not null,
  id text not null,
  author_id text not null,
  author_name text not null,
  author_bot boolean not null,
  own boolean not null,
  missed boolean not null,
  addressed text,
  text text not null,
  mentions jsonb not null,
  attachments jsonb not null,
  reactions jsonb default '[]'::jsonb not null,
  reply_to text,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  parts jsonb default '[]'::jsonb not null,
  answered_by text,
  recalled boolean default false not null,
  turn text,
  left_out boolean default false not null,
  revise text,
  refused text,
  constraint message_revise_check CHECK ((revise = ANY (ARRAY['again'::text, 'shorter'::text])))
) partition by RANGE (at);
CREATE INDEX message_author ON ONLY kikimimi.message USING btree (author_id, seq);
CREATE INDEX message_conversation_seq ON ONLY kikimimi.message USING btree (conversation, seq DESC);
CREATE INDEX message_deleted_at ON ONLY kikimimi.message USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX message_edited_at ON ONLY kikimimi.message USING btree (edited_at) WHERE (edited_at IS NOT NULL);
CREATE INDEX message_mentions ON ONLY kikimimi.message USING gin (mentions jsonb_path_ops) WHERE (mentions <> '[]'::jsonb);
CREATE INDEX message_reactions ON ONLY kikimimi.message USING gin (reactions jsonb_path_ops) WHERE (reactions <> '[]'::jsonb);
CREATE INDEX message_recalled ON ONLY kikimimi.message USING btree (conversation) WHERE recalled;
CREATE INDEX message_received_at ON ONLY kikimimi.message USING btree (received_at);
CREATE INDEX message_reply ON ONLY kikimimi.message USING btree (channel, reply_to) WHERE (own AND (reply_to IS NOT NULL));
CREATE INDEX message_seq ON ONLY kikimimi.message USING btree (seq);
CREATE INDEX message_turn ON ONLY kikimimi.message USING btree (turn) WHERE (turn IS NOT NULL);
CREATE UNIQUE INDEX message_once ON ONLY kikimimi.message USING btree (channel, id, at);

create table kikimimi.migration (
  owner text not null,
  name text not null,
  checksum text not null,
  at timestamp with time zone not null,
  constraint migration_pkey PRIMARY KEY (owner, name)
);

create table kikimimi.migration_step (
  owner text not null,
  name text not null,
  step integer not null,
  constraint migration_step_pkey PRIMARY KEY (owner, name, step)
);

create table kikimimi.model_use (
  hour timestamp with time zone not null,
  place text not null,
  role text not null,
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms double precision not null,
  cost double precision,
  constraint model_use_pkey PRIMARY KEY (hour, place, role, plugin, model)
);

create table kikimimi.model_use_place (
  hour timestamp with time zone not null,
  place text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms double precision not null,
  cost double precision,
  constraint model_use_place_pkey PRIMARY KEY (hour, place)
);
CREATE INDEX model_use_place_hours ON kikimimi.model_use_place USING btree (place, hour);

create table kikimimi.model_use_work (
  hour timestamp with time zone not null,
  role text not null,
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms double precision not null,
  cost double precision,
  constraint model_use_work_pkey PRIMARY KEY (hour, role, plugin, model)
);

create table kikimimi.opt_out (
  platform text not null,
  person text not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  constraint opt_out_pkey PRIMARY KEY (platform, person, since)
);

create table kikimimi.personas (
  only_row boolean default true not null,
  rules jsonb not null,
  constraint personas_only_row_check CHECK (only_row),
  constraint personas_pkey PRIMARY KEY (only_row)
);

create table kikimimi.prompt (
  turn text not null,
  call integer not null,
  conversation text not null,
  at timestamp with time zone not null,
  data jsonb not null,
  constraint prompt_pkey PRIMARY KEY (turn, call)
);
CREATE INDEX prompt_at ON kikimimi.prompt USING btree (at);

create table kikimimi.readers_before (
  conversation text not null,
  upto bigint not null,
  visibility text not null,
  own_readers boolean,
  outsiders boolean not null,
  constraint readers_before_pkey PRIMARY KEY (conversation, upto)
);

create table kikimimi.setting (
  place text not null,
  plugin text not null,
  key text not null,
  value jsonb not null,
  by_id text not null,
  by_name text not null,
  at timestamp with time zone not null,
  constraint setting_pkey PRIMARY KEY (place, plugin, key)
);

create table kikimimi.source (
  owner text not null,
  thing text not null,
  conversation text not null,
  first bigint not null,
  last bigint not null,
  stale text,
  constraint source_pkey PRIMARY KEY (owner, thing, conversation, first),
  constraint source_stale_check CHECK ((stale = ANY (ARRAY['changed'::text, 'closed'::text])))
);
CREATE INDEX source_messages ON kikimimi.source USING btree (conversation, last);

create table kikimimi.spending (
  scope text not null,
  period text not null,
  start timestamp with time zone not null,
  tokens bigint not null,
  money double precision not null,
  noticed text[] default '{}'::text[] not null,
  calls bigint default 0 not null,
  constraint spending_period_check CHECK ((period = ANY (ARRAY['hour'::text, 'day'::text]))),
  constraint spending_pkey PRIMARY KEY (scope, period, start)
);
CREATE INDEX spending_start ON kikimimi.spending USING btree (start, period);

create table kikimimi.tombstone (
  key text not null,
  at timestamp with time zone not null,
  seq bigint generated always as identity not null,
  constraint tombstone_pkey PRIMARY KEY (key)
);
CREATE INDEX tombstone_seq ON kikimimi.tombstone USING btree (seq);

create table kikimimi.trace (
  seq bigint default nextval('kikimimi.trace_seq_seq'::regclass) not null,
  turn text not null,
  conversation text not null,
  at timestamp with time zone not null,
  outcome text not null,
  trigger text not null,
  data jsonb not null,
  facets bigint[]
) partition by RANGE (at);
CREATE INDEX trace_at ON ONLY kikimimi.trace USING btree (at);
CREATE INDEX trace_conversation_at ON ONLY kikimimi.trace USING btree (conversation, at DESC);
CREATE INDEX trace_messages ON ONLY kikimimi.trace USING gin (((data -> 'messages'::text)) jsonb_path_ops) WITH (fastupdate=off);
CREATE INDEX trace_seq ON ONLY kikimimi.trace USING btree (seq);
CREATE UNIQUE INDEX trace_once ON ONLY kikimimi.trace USING btree (turn, at);

create table kikimimi.turn_count (
  channel text not null,
  hour timestamp with time zone not null,
  turns bigint not null,
  replies bigint not null,
  constraint turn_count_pkey PRIMARY KEY (channel, hour)
);
CREATE INDEX turn_count_hour ON kikimimi.turn_count USING btree (hour);

create table kikimimi.turn_facet (
  facet bigint not null,
  at timestamp with time zone not null,
  seq bigint not null,
  constraint turn_facet_pkey PRIMARY KEY (facet, at, seq)
) partition by RANGE (at);

create table kikimimi.turn_hour (
  hour timestamp with time zone not null,
  shard smallint not null,
  outcome text not null,
  reason text not null,
  bucket smallint not null,
  turns bigint not null,
  messages bigint not null,
  errors bigint not null,
  constraint turn_hour_pkey PRIMARY KEY (hour, shard, outcome, reason, bucket)
) with (fillfactor=80);

create table kikimimi.unread_since (
  conversation text not null,
  platform text not null,
  since timestamp with time zone not null,
  constraint unread_since_pkey PRIMARY KEY (conversation)
);

create view kikimimi_v1.author as
 SELECT platform,
    id,
    month,
    name,
    bot,
    messages,
    last_seq,
    last_at,
    last_day
   FROM kikimimi.author a;

create view kikimimi_v1.conversation as
 SELECT id,
    platform,
    workspace,
    channel,
    thread,
    name,
    visibility,
    processed,
    last_reply_at,
    details,
    own_readers,
    outsiders
   FROM kikimimi.conversation c;

create view kikimimi_v1.latest as
 SELECT conversation,
    seq,
    received_at,
    hour
   FROM kikimimi.latest l;

create view kikimimi_v1.message as
 SELECT seq,
    conversation,
    channel,
    id,
    author_id,
    author_name,
    author_bot,
    own,
    missed,
    addressed,
        CASE
            WHEN left_out THEN ''::text
            ELSE text
        END AS text,
        CASE
            WHEN left_out THEN '[]'::jsonb
            ELSE mentions
        END AS mentions,
        CASE
            WHEN left_out THEN '[]'::jsonb
            ELSE attachments
        END AS attachments,
        CASE
            WHEN left_out THEN '[]'::jsonb
            ELSE reactions
        END AS reactions,
    reply_to,
    at,
    received_at,
    edited_at,
    deleted_at,
    ( SELECT c.visibility
           FROM kikimimi.conversation c
          WHERE (c.id = m.conversation)) AS visibility,
    (left_out OR (EXISTS ( SELECT 1
           FROM kikimimi.forgetting f
          WHERE ((f.person = m.author_id) AND (m.received_at <= f.before) AND (f.platform = ( SELECT c.platform
                   FROM kikimimi.conversation c
                  WHERE (c.id = m.conversation)))))) OR (EXISTS ( SELECT 1
           FROM kikimimi.opt_out o
          WHERE ((o.person = m.author_id) AND (o.platform = split_part(m.conversation, '/'::text, 1)) AND (o.until IS NULL))))) AS being_forgotten,
        CASE
            WHEN left_out THEN '[]'::jsonb
            ELSE parts
        END AS parts,
    answered_by
   FROM kikimimi.message m;

create view kikimimi_v1.migration as
 SELECT owner,
    name,
    at
   FROM kikimimi.migration m;

create view kikimimi_v1.model_use as
 SELECT hour,
    place,
    role,
    plugin,
    model,
    calls,
    failed,
    input_tokens,
    output_tokens,
    ms,
    cost
   FROM kikimimi.model_use u;

create view kikimimi_v1.model_use_place as
 SELECT hour,
    place,
    calls,
    failed,
    input_tokens,
    output_tokens,
    ms,
    cost
   FROM kikimimi.model_use_place u;

create view kikimimi_v1.model_use_work as
 SELECT hour,
    role,
    plugin,
    model,
    calls,
    failed,
    input_tokens,
    output_tokens,
    ms,
    cost
   FROM kikimimi.model_use_work u;

create view kikimimi_v1.prompt as
 SELECT turn,
    call,
    conversation,
    at,
    data
   FROM kikimimi.prompt p;

create view kikimimi_v1.source as
 SELECT owner,
    thing,
    conversation,
    first,
    last,
    stale
   FROM kikimimi.source s;

create view kikimimi_v1.trace as
 SELECT seq,
    turn,
    conversation,
    at,
    outcome,
    trigger,
    data,
    ( SELECT c.visibility
           FROM kikimimi.conversation c
          WHERE (c.id = t.conversation)) AS visibility
   FROM kikimimi.trace t;

create view kikimimi_v1.turn_count as
 SELECT channel,
    hour,
    turns,
    replies
   FROM kikimimi.turn_count c;

create view kikimimi_v1.turn_facet as
 SELECT facet,
    at,
    seq
   FROM kikimimi.turn_facet f;

create view kikimimi_v1.turn_hour as
 SELECT hour,
    shard,
    outcome,
    reason,
    bucket,
    turns,
    messages,
    errors
   FROM kikimimi.turn_hour c;

CREATE OR REPLACE FUNCTION kikimimi.add_months(first timestamp with time zone, last timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.beat(now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform set_config('lock_timeout', '1s', true);
  lock table kikimimi.conversation, kikimimi.message in row exclusive mode;
  insert into kikimimi.heartbeat (at) values (now) on conflict (one) do update set at = excluded.at;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.bury(in_at timestamp with time zone)
 RETURNS TABLE(platform text, person text, before timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.channel_of(conversation text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select array_to_string((string_to_array(conversation, '/'))[1:3], '/')
$function$;

CREATE OR REPLACE FUNCTION kikimimi.close_sources(in_channel text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  turns text[];
begin
  perform kikimimi.lock_sources();
  -- Messages of the bot in other channels.
  select array_agg(distinct s.thing) into turns from kikimimi.source s, lateral (
      select t.conversation from kikimimi.trace t where t.turn = s.thing
      union all
      select d.conversation from kikimimi.delivery d where d.turn = s.thing
    ) t
    where s.owner = 'kikimimi' and (s.conversation = in_channel or starts_with(s.conversation, in_channel || '/'))
      and t.conversation <> in_channel and not starts_with(t.conversation, in_channel || '/')
      and not starts_with(in_channel, t.conversation || '/');
  if turns is not null then
    perform kikimimi.drop_turns(turns, (
      select max(at) from (
        select at from kikimimi.trace where turn = any(turns) union all select at from kikimimi.delivery where turn = any(turns)
      ) known
    ));
  end if;
  update kikimimi.source set stale = 'closed'
    where owner <> 'kikimimi' and (conversation = in_channel or starts_with(conversation, in_channel || '/')) and stale is null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.come_again(in_follower text, in_conversation text, in_first bigint, in_last bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.follower_again (follower, conversation, seq)
    select f.name, m.conversation, m.seq from kikimimi.follower f, kikimimi.message m
    where f.name = in_follower and m.conversation = in_conversation and m.seq between in_first and in_last and m.seq > f.began
    on conflict do nothing;
  update kikimimi.follower_mark set pending = true where follower = in_follower and conversation = in_conversation;
  perform pg_notify('kikimimi.follower_again', in_follower);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.conversation_closed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi.close_sources(new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.cost_of(data jsonb)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum((value->>'cost')::numeric), 0) from jsonb_array_elements(data->'models')
$function$;

CREATE OR REPLACE FUNCTION kikimimi.count_turn(in_conversation text, in_at timestamp with time zone, in_outcome text, in_data jsonb, sign integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.detach_months(parent text, before timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.drop_prompts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from kikimimi.prompt where turn = old.turn;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.drop_turns(turns text[], in_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.due_after(due_at timestamp with time zone, due_latest timestamp with time zone, urgent boolean, vary double precision, new_due timestamp with time zone, new_latest timestamp with time zone, new_urgent boolean, new_vary double precision, engaged_at timestamp with time zone, moves_since timestamp with time zone)
 RETURNS TABLE(due_at timestamp with time zone, due_latest timestamp with time zone, urgent boolean, vary double precision)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select
    case when $3 or $7 or $2 is null or $9 > $10 then least($1, $5) else least($5, $2) end,
    coalesce($2, $6),
    $3 or $7,
    $8
$function$;

CREATE OR REPLACE FUNCTION kikimimi.edited_while_opted_out()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if kikimimi_v1.is_opted_out(old.conversation, old.author_id) then
    new.text := '';
    new.mentions := '[]';
    new.attachments := '[]';
    new.parts := '[]';
    new.reactions := '[]';
    new.deleted_at := new.edited_at;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.end_turn(in_turn text, in_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.facets_of(conversation text, at timestamp with time zone, outcome text, data jsonb)
 RETURNS bigint[]
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.finish_turn(in_conversation text, in_processed bigint, in_turn text, in_at timestamp with time zone, in_outcome text, in_trigger text, in_data jsonb, in_channel text, in_sent text[], in_screen text[], in_sources jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.follow_edit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi.come_again(name, new.conversation, new.seq, new.seq) from kikimimi.follower
    where again = 'edited' and new.deleted_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.forget_notified()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.notify := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.has_error(outcome text, data jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select outcome = 'failed' or coalesce(jsonb_array_length(data->'problems'), 0) > 0
$function$;

CREATE OR REPLACE FUNCTION kikimimi.hour_of(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select date_trunc('hour', at at time zone 'UTC') at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION kikimimi.is_known(in_channel text, in_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (select 1 from kikimimi.message m where m.channel = in_channel and m.id = in_id)
    or exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', in_channel, in_id));
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.keep_memories(in_rules jsonb, in_conversation text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.channel_memory as m (channel, memory)
    select o.channel, o.memory from kikimimi.memories_of(in_rules, in_conversation) o where o.memory <> '' order by o.channel
    on conflict (channel) do update set memory = excluded.memory where m.memory <> excluded.memory;
  delete from kikimimi.channel_memory m using kikimimi.memories_of(in_rules, in_conversation) o
    where o.channel = m.channel and o.memory = '';
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.keep_sent(in_turn text, in_at timestamp with time zone, sources jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi.keep_sources(in_turn, null, '{}', sources);
  return not exists (
    select 1 from kikimimi.source s join kikimimi.message m on m.conversation = s.conversation and m.seq between s.first and s.last
    where s.owner = 'kikimimi' and s.thing = in_turn and (
      m.deleted_at >= case when s.first = s.last then '-infinity' else in_at end
      or m.edited_at > in_at
      or exists (
        select 1 from kikimimi.left_out l
        where l.channel = m.channel and l.id = m.id and l.at >= case when s.first = s.last then '-infinity' else in_at end
      )
      or exists (
        select 1 from kikimimi.forgetting f
        where f.person = m.author_id and m.received_at <= f.before and (s.first = s.last or f.before >= in_at)
          and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
      )
      or exists (
        select 1 from kikimimi.opt_out o
        where o.person = m.author_id and o.platform = split_part(m.conversation, '/', 1) and o.until is null
          and (s.first = s.last or o.since >= in_at)
      )
    )
  );
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.keep_sources(in_turn text, in_channel text, screen text[], sources jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select 'kikimimi', in_turn, conversation, first, max(last) from (
      select m.conversation, min(m.seq) as first, max(m.seq) as last from kikimimi.message m
        where m.channel = in_channel and m.id = any(screen) group by m.conversation
      union all
      select * from kikimimi.ranges_of(sources)
    ) all_sources group by conversation, first
    on conflict do nothing;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.lock_messages(in_channels text[], in_ids text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(key)
    from (select hashtextextended(channel || E'\n' || id, 0) as key from unnest(in_channels, in_ids) as m(channel, id) order by 1) keys;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.lock_sources()
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtext('kikimimi.source'))
$function$;

CREATE OR REPLACE FUNCTION kikimimi.mark_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update kikimimi.message set left_out = true where channel = new.channel and id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.memories_of(in_rules jsonb, in_conversation text DEFAULT NULL::text)
 RETURNS TABLE(channel text, memory text)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION kikimimi.memory_by_rules(in_rules jsonb, in_workspace text, in_channel text, in_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(
    in_rules->'channels'->>(case when in_rules->'channels' ? in_channel then in_channel else in_name end),
    in_rules->'workspaces'->>in_workspace,
    ''
  )
$function$;

CREATE OR REPLACE FUNCTION kikimimi.memory_moved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moved text := coalesce(new.channel, old.channel);
begin
  perform kikimimi.close_sources(moved);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.message_lost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.message_marked()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not new.own and exists (
    select 1 from kikimimi.opt_out
    where platform = split_part(new.conversation, '/', 1) and person = new.author_id and until is null
  ) then
    insert into kikimimi.left_out (channel, id, at) values (new.channel, new.id, new.received_at) on conflict do nothing;
  end if;
  new.left_out := exists (select 1 from kikimimi.left_out l where l.channel = new.channel and l.id = new.id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.message_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.messages_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.messages_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from kikimimi.author;
  delete from kikimimi.latest;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.messages_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi.uncount(g.platform, g.author_id, g.month, g.messages) from (
    select split_part(conversation, '/', 1) as platform, author_id, kikimimi.month_of(at) as month, count(*) as messages from gone
    where not own and author_id <> '' and deleted_at is null
    group by 1, 2, 3 order by 1, 2, 3
  ) g;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.month_of(at timestamp with time zone)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select date_trunc('month', at at time zone 'UTC')::date
$function$;

CREATE OR REPLACE FUNCTION kikimimi.partitions_of(parent regclass)
 RETURNS TABLE(name text, lower timestamp with time zone, upper timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select c.oid::regclass::text,
    case when bound ~ 'MINVALUE' then '-infinity' else substring(bound from 'FROM \(''([^'']+)''\)')::timestamptz end,
    substring(bound from 'TO \(''([^'']+)''\)')::timestamptz
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) bound
  where i.inhparent = parent
$function$;

CREATE OR REPLACE FUNCTION kikimimi.person_forgotten()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.tombstone (key, at) values (kikimimi.tombstone_key('person', new.platform, new.person), new.before)
    on conflict (key) do update set at = excluded.at, seq = default;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.persona_of_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rules jsonb := (select p.rules from kikimimi.personas p);
begin
  if rules is null or rules = '{"channels": {}, "workspaces": {}}' or (new.thread is not null and exists (select 1 from kikimimi.conversation c
    where c.id = array_to_string((string_to_array(new.id, '/'))[1:3], '/')))
  then return null; end if;
  perform kikimimi.keep_memories(rules, new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.purge_month(part regclass, size integer)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.ranges_of(sources jsonb)
 RETURNS TABLE(conversation text, first bigint, last bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select r.conversation, r.first, max(r.last) from (
    select m.conversation, m.seq as first, m.seq as last
      from jsonb_to_recordset(sources) as s(channel text, messages jsonb), jsonb_array_elements_text(s.messages) as one(id),
        kikimimi.message m
      where m.channel = s.channel and m.id = one.id
    union all
    select s.conversation, s.first, s.last from jsonb_to_recordset(sources) as s(conversation text, first bigint, last bigint)
      where s.conversation is not null
  ) r group by r.conversation, r.first
$function$;

CREATE OR REPLACE FUNCTION kikimimi.reacted_while_opted_out()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select r->>'emoji', p from jsonb_array_elements(new.reactions) r, jsonb_array_elements_text(r->'by') p
      where kikimimi_v1.is_opted_out(new.conversation, p)
    except
    select r->>'emoji', p from jsonb_array_elements(old.reactions) r, jsonb_array_elements_text(r->'by') p
  ) then
    new.reactions := old.reactions;
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.readers_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.readers_before (conversation, upto, visibility, own_readers, outsiders)
    select old.id, coalesce(max(seq), 0), old.visibility, old.own_readers, old.outsiders from kikimimi.message
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.readers_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from kikimimi.readers_before where conversation = old.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.reason_of(data jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when data->>'why' is null and data->'decision' ? 'confidence'
    then 'the verdict of ' || coalesce(data->'decision'->>'plugin', 'a model')
    else left(regexp_replace(split_part(coalesce(data->>'why', data->'decision'->>'why', ''), ' · ', 1), ' [-+]?\d+(,.*)?$', ''), 100) end
$function$;

CREATE OR REPLACE FUNCTION kikimimi.refuse_answers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update kikimimi.delivery d set body = null, state = kikimimi.refused(d)
    where state in ('writing', 'pending', 'sending') and (conversation = new.id or starts_with(conversation, new.id || '/'));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.refuse_write()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '%.% is read-only', tg_table_schema, tg_table_name
    using hint = 'Only the kernel writes to its tables. PluginContext has methods that change them.';
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.refused(delivery kikimimi.delivery)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when delivery.state in ('writing', 'unwanted') or (delivery.draft and delivery.message is not null) then 'unwanted' else 'failed' end
$function$;

CREATE OR REPLACE FUNCTION kikimimi.remove_message(in_channel text, in_id text, in_at timestamp with time zone, in_first timestamp with time zone, in_last timestamp with time zone, takes_back boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.sum_model_use()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.thread_described()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.conversation as c (id, platform, workspace, channel, name, visibility, outsiders)
  values (array_to_string((string_to_array(new.id, '/'))[1:3], '/'), new.platform, new.workspace, new.channel, new.name,
    new.visibility, new.outsiders)
  on conflict (id) do update set visibility = excluded.visibility, outsiders = excluded.outsiders
    where (c.visibility, c.outsiders) is distinct from (excluded.visibility, excluded.outsiders);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.tombstone_key(kind text, place text, id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select encode(sha256(convert_to(concat_ws(E'\n', kind, place, id), 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION kikimimi.took_of(data jsonb)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(sum(value::double precision), 0) from jsonb_each_text(data->'ms')
$function$;

CREATE OR REPLACE FUNCTION kikimimi.trigger_name(handler regproc)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select n.nspname || '_' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler
$function$;

CREATE OR REPLACE FUNCTION kikimimi.turn_faceted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.facets := kikimimi.facets_of(new.conversation, new.at, new.outcome, new.data);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turn_index_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from kikimimi.turn_facet;
  delete from kikimimi.turn_hour;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turn_indexed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turn_recounted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update kikimimi.turn_count
    set replies = replies + case when new.outcome = 'replied' then 1 else 0 end - case when old.outcome = 'replied' then 1 else 0 end
    where channel = kikimimi.channel_of(new.conversation) and hour = kikimimi.hour_of(new.at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turns_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.turn_count as c (channel, hour, turns, replies)
    select kikimimi.channel_of(t.conversation), kikimimi.hour_of(t.at), count(*), count(*) filter (where t.outcome = 'replied')
    from added t group by 1, 2 order by 1, 2
    on conflict (channel, hour) do update set turns = c.turns + excluded.turns, replies = c.replies + excluded.replies;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turns_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from kikimimi.turn_count;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.turns_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update kikimimi.turn_count c set turns = c.turns - g.turns, replies = c.replies - g.replies from (
    select kikimimi.channel_of(conversation) as channel, kikimimi.hour_of(at) as hour, count(*) as turns,
      count(*) filter (where outcome = 'replied') as replies
    from gone group by 1, 2
  ) g where c.channel = g.channel and c.hour = g.hour;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.uncount(in_platform text, in_author text, in_month date, by bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update kikimimi.author set messages = messages - by where platform = in_platform and id = in_author and month = in_month;
  delete from kikimimi.author where platform = in_platform and id = in_author and month = in_month and messages <= 0;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.use_personas(in_rules jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if (select rules from kikimimi.personas) is not distinct from in_rules then return; end if;
  -- A conversation that another process records meanwhile waits for the rules.
  lock table kikimimi.conversation in share row exclusive mode;
  insert into kikimimi.personas as p (rules) values (in_rules) on conflict (only_row) do update set rules = excluded.rules;
  perform kikimimi.keep_memories(in_rules);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi.week_hour_of(at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (24 * (extract(isodow from at at time zone 'UTC') - 1) + extract(hour from at at time zone 'UTC'))::int
$function$;

CREATE OR REPLACE FUNCTION kikimimi.without_words(data jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when data->>'outcome' = 'cancelled' and not data ? 'by' then data else data - 'why' end
    || case when data ? 'decision' then jsonb_build_object('decision', jsonb_set(data->'decision', '{why}', '""')) else '{}' end
    || case when data ? 'score' then jsonb_build_object('score', jsonb_set(data->'score', '{parts}', coalesce(
         (select jsonb_agg(jsonb_set(part, '{why}', '""')) from jsonb_array_elements(data->'score'->'parts') part), '[]'))) else '{}' end
    || case when data ? 'problems' then jsonb_build_object('problems', coalesce(
         (select jsonb_agg(jsonb_set(problem, '{message}', '""')) from jsonb_array_elements(data->'problems') problem), '[]'))
       else '{}' end
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.after_message_change(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I after update of text, deleted_at on kikimimi.message for each row
     when (old.text is distinct from new.text or old.deleted_at is distinct from new.deleted_at) execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.after_message_purge(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I after delete on kikimimi.message referencing old table as gone for each statement execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.after_source_change(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I after update of stale on kikimimi.source for each row
     when (new.owner = %L and new.stale is distinct from old.stale) execute function %s()',
    kikimimi.trigger_name(handler),
    (select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.after_visibility_change(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I after update of visibility on kikimimi.conversation for each row
     when (old.visibility <> new.visibility) execute function %s()', kikimimi.trigger_name(handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.audience(in_conversation text)
 RETURNS TABLE(workspace text, places text[], closed text[])
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.before_message_edit(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- An edit has a time. Removing a forgotten name from the text has none, and adds nothing.
  execute format(
    'create trigger %I before update of text on kikimimi.message for each row
     when (not old.own and old.text is distinct from new.text and old.edited_at is distinct from new.edited_at
       and new.deleted_at is null) execute function %s()', kikimimi.trigger_name(handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.before_message_reaction(handler regproc)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format(
    'create trigger %I before update of reactions on kikimimi.message for each row
     when (old.reactions is distinct from new.reactions and new.reactions <> ''[]'') execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.drop_left_out(before timestamp with time zone, in_at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    from kikimimi.left_out l where l.at < before and m.channel = l.channel and m.id = l.id and m.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.facet(kind text, value text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select ('x' || left(md5(kind || ':' || value), 16))::bit(64)::bigint
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.grams(name text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array(
    select distinct substr(whole, n, size) from lower(name) whole, generate_series(1, length(whole)) n, generate_series(1, 2) size
    where n + size - 1 <= length(whole)
  )
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.is_being_forgotten(in_platform text, in_person text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select 1 from kikimimi.forgetting where platform = in_platform and person = in_person)
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.is_forgetting(in_conversation text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select 1 from kikimimi.forgetting f
    where f.trying and f.cleared_at is null and exists (
      select 1 from kikimimi.conversation c
      where c.platform = f.platform and starts_with(c.id, split_part(in_conversation, '/', 1) || '/')
    )
  )
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.is_opted_out(in_conversation text, in_person text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select 1 from kikimimi.opt_out where platform = split_part(in_conversation, '/', 1) and person = in_person and until is null
  )
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.keep_follower(in_name text, in_began bigint, in_seq bigint, marks jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into kikimimi.follower (name, began, seq) values (in_name, in_began, in_seq) on conflict do nothing;
  insert into kikimimi.follower_mark (follower, conversation, place, visibility, upto, pending)
    select in_name, conversation, place, visibility, upto, pending
    from jsonb_to_recordset(marks) as m(conversation text, place text, visibility text, upto bigint, pending boolean)
    on conflict do nothing;
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.keep_index(in_name text, in_seq bigint, marks jsonb, edited bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  select kikimimi_v1.keep_follower(in_name, 0, in_seq, (
    select coalesce(jsonb_agg(jsonb_build_object('conversation', conversation, 'place', p.place, 'visibility', p.visibility, 'upto', seq, 'pending', false)), '[]')
    from jsonb_to_recordset(marks) as m(conversation text, seq bigint), kikimimi_v1.place_of(conversation, null, null) p
  ));
  update kikimimi.follower set again = 'edited' where name = in_name and edited is not null;
  insert into kikimimi.follower_again (follower, conversation, seq)
    select in_name, m.conversation, m.seq from kikimimi.message m where m.seq = any(edited) on conflict do nothing;
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.leave_out(in_channel text, ids text[], in_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into kikimimi.left_out (channel, id, at) select in_channel, unnest(ids), in_at on conflict do nothing;
  update kikimimi.message set deleted_at = in_at where channel = in_channel and id = any(ids) and deleted_at is null;
  update kikimimi.message set deleted_at = null
    where channel = in_channel and id = any(ids) and deleted_at = in_at and text <> '';
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.lock_message(in_channel text, in_id text, in_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select exists (
    select 1 from (
      select m.being_forgotten from kikimimi_v1.message m
      where m.channel = in_channel and m.id = in_id and m.at between in_at - interval '1 second' and in_at + interval '1 second'
        and m.deleted_at is null for share
    ) said where not said.being_forgotten
  )
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.lock_messages(in_seqs bigint[])
 RETURNS TABLE(seq bigint, text text, mentions jsonb)
 LANGUAGE sql
AS $function$
  select m.seq, m.text, m.mentions from kikimimi.message m
  where m.seq = any(in_seqs) and m.deleted_at is null and not m.left_out order by m.seq for share
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.made_from(in_owner text, in_thing text, sources jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  select kikimimi_v1.made_from(in_owner, in_thing, array_agg(conversation), array_agg(first), array_agg(last))
  from kikimimi.ranges_of(sources)
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.made_from(in_owner text, in_thing text, conversations text[], firsts bigint[], lasts bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if in_owner = 'kikimimi' then
    raise exception 'the owner of a thing is a plugin';
  end if;
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  delete from kikimimi.source where owner = in_owner and thing = in_thing;
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select in_owner, in_thing, s.conversation, s.first, max(s.last) from unnest(conversations, firsts, lasts) as s(conversation, first, last)
    group by s.conversation, s.first;
end $function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.memory_of(in_place text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select m.memory from kikimimi.channel_memory m
    where m.channel = case when cardinality(one.parts) = 2 then in_place || '/' else array_to_string(one.parts[1:3], '/') end
  ), '')
  from (select string_to_array(rtrim(in_place, '+'), '/') as parts) one
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.place_of(in_conversation text, in_visibility text, in_seq bigint)
 RETURNS TABLE(place text, visibility text)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.read_again(in_follower text, in_owner text, in_thing text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select kikimimi.come_again(in_follower, conversation, first, last) from kikimimi.source where owner = in_owner and thing = in_thing
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.readable(in_conversation text, in_places text[], in_visibilities text[])
 RETURNS TABLE(place text, visibility text)
 LANGUAGE sql
 STABLE
AS $function$
  select distinct o.place, o.visibility
  from kikimimi_v1.audience(in_conversation) a, unnest(in_places, in_visibilities) o(place, visibility),
    kikimimi_v1.told_to(a.workspace, a.places, a.closed, o.place, o.visibility)
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.thing_changed(in_owner text, in_thing bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  update kikimimi.source set stale = 'changed'
    where conversation = in_owner and first = in_thing and last = in_thing and stale is distinct from 'changed'
$function$;

CREATE OR REPLACE FUNCTION kikimimi_v1.told_to(in_workspace text, in_places text[], in_closed text[], in_place text, in_visibility text)
 RETURNS TABLE(readable boolean)
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select true where
    rtrim(in_place, '+') = any(case when in_visibility = 'public' then in_places else in_closed end)
      and (in_place like '%+' or in_workspace is not null)
    or in_visibility = 'public' and starts_with(in_place, split_part(in_workspace, '#', 1))
      and not exists (select 1 from kikimimi.conversation c where c.id = rtrim(in_place, '+') and c.visibility <> 'public')
      and split_part(in_workspace, '#', 2)
        = coalesce((select m.memory from kikimimi.channel_memory m where m.channel = rtrim(in_place, '+')), '')
$function$;

CREATE TRIGGER "0_memory_moved" AFTER INSERT OR DELETE OR UPDATE OF memory ON kikimimi.channel_memory FOR EACH ROW EXECUTE FUNCTION kikimimi.memory_moved();

CREATE TRIGGER "0_conversation_closed" AFTER UPDATE OF visibility ON kikimimi.conversation FOR EACH ROW WHEN (old.visibility = 'public'::text AND new.visibility <> 'public'::text) EXECUTE FUNCTION kikimimi.conversation_closed();

CREATE TRIGGER persona_of_new AFTER INSERT ON kikimimi.conversation FOR EACH ROW EXECUTE FUNCTION kikimimi.persona_of_conversation();

CREATE TRIGGER persona_of_renamed AFTER UPDATE OF name ON kikimimi.conversation FOR EACH ROW WHEN (old.name <> new.name) EXECUTE FUNCTION kikimimi.persona_of_conversation();

CREATE TRIGGER readers_changed AFTER UPDATE OF visibility, own_readers, outsiders ON kikimimi.conversation FOR EACH ROW WHEN (old.visibility IS DISTINCT FROM new.visibility OR old.own_readers IS DISTINCT FROM new.own_readers OR old.outsiders IS DISTINCT FROM new.outsiders) EXECUTE FUNCTION kikimimi.readers_changed();

CREATE TRIGGER readers_gone AFTER DELETE ON kikimimi.conversation FOR EACH ROW EXECUTE FUNCTION kikimimi.readers_gone();

CREATE TRIGGER refuse_answers AFTER UPDATE OF visibility, own_readers, outsiders ON kikimimi.conversation FOR EACH ROW WHEN (old.visibility IS DISTINCT FROM new.visibility OR old.own_readers IS DISTINCT FROM new.own_readers OR old.outsiders IS DISTINCT FROM new.outsiders) EXECUTE FUNCTION kikimimi.refuse_answers();

CREATE TRIGGER thread_described AFTER INSERT OR UPDATE OF visibility, own_readers, outsiders ON kikimimi.conversation FOR EACH ROW WHEN (new.thread IS NOT NULL AND new.own_readers = false) EXECUTE FUNCTION kikimimi.thread_described();

CREATE TRIGGER forget_notified BEFORE UPDATE OF body ON kikimimi.delivery FOR EACH ROW WHEN (new.body IS NULL AND new.notify IS NOT NULL) EXECUTE FUNCTION kikimimi.forget_notified();

CREATE TRIGGER person_forgotten AFTER INSERT OR UPDATE OF before ON kikimimi.forgetting FOR EACH ROW EXECUTE FUNCTION kikimimi.person_forgotten();

CREATE TRIGGER mark_added AFTER INSERT ON kikimimi.left_out FOR EACH ROW EXECUTE FUNCTION kikimimi.mark_added();

CREATE TRIGGER "0_message_lost" AFTER UPDATE OF text, parts, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text <> new.text AND POSITION((old.text) IN (new.text)) = 0 OR old.parts <> new.parts OR old.deleted_at IS NULL AND new.deleted_at IS NOT NULL) EXECUTE FUNCTION kikimimi.message_lost();

CREATE TRIGGER kikimimi_edited_while_opted_out BEFORE UPDATE OF text ON kikimimi.message FOR EACH ROW WHEN (NOT old.own AND old.text IS DISTINCT FROM new.text AND old.edited_at IS DISTINCT FROM new.edited_at AND new.deleted_at IS NULL) EXECUTE FUNCTION kikimimi.edited_while_opted_out();

CREATE TRIGGER kikimimi_follow_edit AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION kikimimi.follow_edit();

CREATE TRIGGER kikimimi_reacted_while_opted_out BEFORE UPDATE OF reactions ON kikimimi.message FOR EACH ROW WHEN (old.reactions IS DISTINCT FROM new.reactions AND new.reactions <> '[]'::jsonb) EXECUTE FUNCTION kikimimi.reacted_while_opted_out();

CREATE TRIGGER message_marked BEFORE INSERT ON kikimimi.message FOR EACH ROW EXECUTE FUNCTION kikimimi.message_marked();

CREATE TRIGGER message_recounted AFTER UPDATE OF deleted_at, author_id ON kikimimi.message FOR EACH ROW WHEN (NOT new.own AND ((old.deleted_at IS NULL) <> (new.deleted_at IS NULL) OR old.author_id <> new.author_id)) EXECUTE FUNCTION kikimimi.message_recounted();

CREATE TRIGGER messages_added AFTER INSERT ON kikimimi.message REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.messages_added();

CREATE TRIGGER messages_emptied AFTER TRUNCATE ON kikimimi.message FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.messages_emptied();

CREATE TRIGGER messages_gone AFTER DELETE ON kikimimi.message REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.messages_gone();

CREATE TRIGGER sum_deleted AFTER DELETE ON kikimimi.model_use REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.sum_model_use('-1');

CREATE TRIGGER sum_inserted AFTER INSERT ON kikimimi.model_use REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.sum_model_use('1');

CREATE TRIGGER sum_updated_1 AFTER UPDATE ON kikimimi.model_use REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.sum_model_use('1');

CREATE TRIGGER sum_updated_2 AFTER UPDATE ON kikimimi.model_use REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.sum_model_use('-1');

CREATE TRIGGER drop_prompts AFTER DELETE ON kikimimi.trace FOR EACH ROW EXECUTE FUNCTION kikimimi.drop_prompts();

CREATE TRIGGER drop_prompts_without_words AFTER UPDATE OF data ON kikimimi.trace FOR EACH ROW WHEN (new.data = kikimimi.without_words(new.data)) EXECUTE FUNCTION kikimimi.drop_prompts();

CREATE TRIGGER turn_faceted BEFORE INSERT OR UPDATE OF outcome, data ON kikimimi.trace FOR EACH ROW EXECUTE FUNCTION kikimimi.turn_faceted();

CREATE TRIGGER turn_index_emptied AFTER TRUNCATE ON kikimimi.trace FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.turn_index_emptied();

CREATE TRIGGER turn_indexed AFTER INSERT OR DELETE OR UPDATE OF outcome, data ON kikimimi.trace FOR EACH ROW EXECUTE FUNCTION kikimimi.turn_indexed();

CREATE TRIGGER turn_recounted AFTER UPDATE OF outcome ON kikimimi.trace FOR EACH ROW WHEN (old.outcome <> new.outcome) EXECUTE FUNCTION kikimimi.turn_recounted();

CREATE TRIGGER turns_added AFTER INSERT ON kikimimi.trace REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.turns_added();

CREATE TRIGGER turns_emptied AFTER TRUNCATE ON kikimimi.trace FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.turns_emptied();

CREATE TRIGGER turns_gone AFTER DELETE ON kikimimi.trace REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION kikimimi.turns_gone();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.author FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.conversation FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.latest FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.message FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.migration FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.model_use FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.model_use_place FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.model_use_work FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.prompt FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.source FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.trace FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.turn_count FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.turn_facet FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();

CREATE TRIGGER read_only INSTEAD OF INSERT OR DELETE OR UPDATE ON kikimimi_v1.turn_hour FOR EACH ROW EXECUTE FUNCTION kikimimi.refuse_write();
