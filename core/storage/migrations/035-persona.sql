-- Whose memory a channel has. A persona of bot.config.ts remembers only what was said in the places of its name.

-- The personas of bot.config.ts as the bot started with them last: { "workspaces": { id: memory }, "channels": { name or id: memory } }.
-- The memory '' is that of the bot itself; null is that of the wider place.
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

create function kikimimi.keep_memories(in_rules jsonb, in_conversation text default null) returns void language plpgsql as $$
begin
  insert into kikimimi.channel_memory as m (channel, memory)
    select o.channel, o.memory from kikimimi.memories_of(in_rules, in_conversation) o where o.memory <> '' order by o.channel
    on conflict (channel) do update set memory = excluded.memory where m.memory <> excluded.memory;
  delete from kikimimi.channel_memory m using kikimimi.memories_of(in_rules, in_conversation) o
    where o.channel = m.channel and o.memory = '';
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

create or replace function kikimimi.conversation_closed() returns trigger language plpgsql as $$
begin
  perform kikimimi.close_sources(new.id);
  return null;
end $$;

-- Whose memory a conversation has, or a place, or a workspace: '' is that of the bot itself.
create function kikimimi_v1.memory_of(in_place text) returns text language sql stable as $$
  select coalesce((
    select m.memory from kikimimi.channel_memory m
    where m.channel = case when cardinality(one.parts) = 2 then in_place || '/' else array_to_string(one.parts[1:3], '/') end
  ), '')
  from (select string_to_array(rtrim(in_place, '+'), '/') as parts) one
$$;

-- Who reads a conversation, in one row, for `told_to`.
create or replace function kikimimi_v1.audience(in_conversation text)
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
create or replace function kikimimi_v1.told_to(in_workspace text, in_places text[], in_closed text[], in_place text, in_visibility text)
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
