-- Who reads a conversation, as far as its visibility does not say.
alter table kikimimi.conversation
  -- Fewer people read the thread than its channel. Null: the platform does not say.
  add column own_readers boolean,
  -- People who do not belong to the workspace read it too.
  add column outsiders boolean not null default false;

create or replace view kikimimi_v1.conversation as
select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.processed, c.last_reply_at, c.details,
  c.own_readers, c.outsiders
from kikimimi.conversation c;

-- Who read a conversation before that changed: messages up to `upto` were said then.
create table kikimimi.readers_before (
  conversation text not null,
  upto bigint not null,
  visibility text not null,
  own_readers boolean,
  outsiders boolean not null,
  primary key (conversation, upto)
);
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

-- Which places everybody who reads a conversation may read: of those given, each with its visibility when something was said
-- there. What was public then and is public now: wherever all readers belong to the workspace. All else: in its place and in
-- the threads there; once more people read the place, nowhere.
create function kikimimi_v1.readable(in_conversation text, in_places text[], in_visibilities text[])
returns table (place text, visibility text)
language plpgsql stable as $$
declare
  here text := (select p.place from kikimimi_v1.place_of(in_conversation, null, null) p);
  outside boolean := here like '%+';
  workspace text := array_to_string((string_to_array(in_conversation, '/'))[1:2], '/') || '/';
  channel text := array_to_string((string_to_array(in_conversation, '/'))[1:3], '/');
  -- Where the platform does not say who reads a thread, what was said there stays readable there.
  own text := case when (select c.own_readers from kikimimi.conversation c where c.id = in_conversation) is null
    then in_conversation end;
begin
  return query
    select distinct told.place, told.visibility
    from (
      select t.place, t.visibility, t.base, c.visibility as now
      from (select o.place, o.visibility, rtrim(o.place, '+') as base from unnest(in_places, in_visibilities) as o(place, visibility)) t
        left join kikimimi.conversation c on c.id = t.base
    ) told
    where told.visibility = 'public' and coalesce(told.now, 'public') = 'public' and not outside
        and starts_with(told.place, workspace)
      or told.base in (rtrim(here, '+'), channel, own) and (told.place like '%+' or not outside)
        and (told.visibility = 'public' or coalesce(told.now, 'private') <> 'public');
end $$;

-- The two functions that knew less of the place.
drop function kikimimi_v1.place_of(text, text, text, text);
drop function kikimimi_v1.may_read(text, text, text, text, text, text, text);
