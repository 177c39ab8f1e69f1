-- Written by npm run schema. The migrations make this.

create table memory_summary.forgotten (
  platform text not null,
  person text not null,
  upto bigint not null,
  constraint forgotten_pkey PRIMARY KEY (platform, person)
);

create table memory_summary.memory (
  id text not null,
  kind text not null,
  workspace text not null,
  channel text not null,
  name text not null,
  visibility text not null,
  active_at timestamp with time zone not null,
  began bigint not null,
  recent text default ''::text not null,
  recent_since timestamp with time zone,
  mood text default ''::text not null,
  topics jsonb default '[]'::jsonb not null,
  active_users jsonb default '[]'::jsonb not null,
  history text default ''::text not null,
  updated_at timestamp with time zone,
  version integer default 0 not null,
  failures integer default 0 not null,
  refusals integer default 0 not null,
  retry_at timestamp with time zone,
  place text not null,
  constraint memory_kind_check CHECK ((kind = ANY (ARRAY['workspace'::text, 'channel'::text, 'thread'::text]))),
  constraint memory_pkey PRIMARY KEY (id),
  constraint memory_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'direct'::text])))
);
CREATE INDEX memory_channel ON memory_summary.memory USING btree (channel, active_at DESC) WHERE (kind = 'thread'::text);
CREATE INDEX memory_recent_since ON memory_summary.memory USING btree (recent_since) WHERE (recent_since IS NOT NULL);
CREATE INDEX memory_updated ON memory_summary.memory USING btree (workspace, updated_at) WHERE (kind = 'channel'::text);
CREATE INDEX memory_workspace ON memory_summary.memory USING btree (workspace, kind, active_at DESC);

create table memory_summary.set_aside (
  memory text not null,
  messages bigint[] not null,
  at timestamp with time zone not null,
  constraint set_aside_memory_fkey FOREIGN KEY (memory) REFERENCES memory_summary.memory(id) ON DELETE CASCADE
);
CREATE INDEX set_aside_memory ON memory_summary.set_aside USING btree (memory);

create table memory_summary.speaker (
  memory text not null,
  person text not null,
  recent boolean not null,
  history boolean not null,
  constraint speaker_memory_fkey FOREIGN KEY (memory) REFERENCES memory_summary.memory(id) ON DELETE CASCADE,
  constraint speaker_pkey PRIMARY KEY (memory, person)
);
CREATE INDEX speaker_person ON memory_summary.speaker USING btree (person);

CREATE OR REPLACE FUNCTION memory_summary.add_sources(in_thing text, conversations text[], firsts bigint[], lasts bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  all_conversations text[];
  all_firsts bigint[];
  all_lasts bigint[];
begin
  select array_agg(conversation), array_agg(first), array_agg(last) into all_conversations, all_firsts, all_lasts from (
    select conversation, min(first) as first, max(last) as last from (
      select conversation, first, last from kikimimi_v1.source where owner = 'memory_summary' and thing = in_thing
      union all
      select * from unnest(conversations, firsts, lasts)
    ) each group by conversation
  ) joined;
  perform kikimimi_v1.made_from('memory_summary', in_thing, all_conversations, all_firsts, all_lasts);
end $function$;

CREATE OR REPLACE FUNCTION memory_summary.clear(in_memory text, with_history boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  part text;
begin
  foreach part in array case when with_history then array['recent ', 'history '] else array['recent '] end loop
    perform kikimimi_v1.read_again(
        case when kind = 'thread' and id <> rtrim(place, '+') then 'memory-summary-threads' else 'memory-summary' end,
        'memory_summary', part || id)
      from memory_summary.memory where id = in_memory and kind <> 'workspace';
    perform kikimimi_v1.made_from('memory_summary', part || in_memory, '{}', '{}', '{}');
  end loop;
  update memory_summary.memory set recent = '', recent_since = null, mood = '', topics = '[]', active_users = '[]', updated_at = null,
    history = case when with_history then '' else history end, version = version + 1, retry_at = null where id = in_memory;
  delete from memory_summary.speaker where memory = in_memory and (with_history or not history);
  update memory_summary.speaker set recent = false where memory = in_memory;
end $function$;

CREATE OR REPLACE FUNCTION memory_summary.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed_memory text := substr(new.thing, position(' ' in new.thing) + 1);
begin
  -- The memory of a closed channel is read in that channel only. A workspace must not tell of it any more.
  if new.stale = 'closed' and not exists (select 1 from memory_summary.memory where id = changed_memory and kind = 'workspace') then
    return null;
  end if;
  perform memory_summary.clear(changed_memory, starts_with(new.thing, 'history '));
  perform pg_notify('memory_summary.cleared', '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION memory_summary.take_sources(in_thing text, parts text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform memory_summary.add_sources(in_thing, array_agg(s.conversation), array_agg(s.first), array_agg(s.last))
    from kikimimi_v1.source s where s.owner = 'memory_summary' and s.thing = any(parts);
end $function$;

CREATE TRIGGER memory_summary_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'memory_summary'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION memory_summary.source_changed();
