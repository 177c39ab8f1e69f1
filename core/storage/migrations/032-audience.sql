-- kikimimi: online
-- Who may read what, for statements that test thousands of places: 10,000 took 100 ms by arrays, in which each was looked up and sorted.

-- step: concurrently
-- For places that are not public now.
create index concurrently conversation_closed on kikimimi.conversation (id) where visibility <> 'public'

-- step
-- Who reads a conversation, in one row, for `told_to`.
create function kikimimi_v1.audience(in_conversation text)
-- The beginning of the places whose public material all of them may read; null where outsiders read. The places whose material
-- they may read in any case, and those of them that are not public.
returns table (workspace text, places text[], closed text[])
language sql stable rows 1 as $$
  -- Materialized: it is found out once, and not for each row that it is joined with.
  with audience as materialized (
    select w.workspace, w.places, array(
      select p from unnest(w.places) p where not exists (select 1 from kikimimi.conversation c where c.id = p and c.visibility = 'public')
    )
    from (
      select case when here.place not like '%+' then array_to_string((string_to_array(in_conversation, '/'))[1:2], '/') || '/' end as workspace,
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

-- A row if this audience may read what was said in a place with a visibility. The rule: what was public then and is public now,
-- wherever all readers belong to the workspace. All else: in its place and in the threads there; once more people read the place,
-- nowhere.
create function kikimimi_v1.told_to(in_workspace text, in_places text[], in_closed text[], in_place text, in_visibility text)
returns table (readable boolean)
language sql stable rows 1 as $$
  select true where
    rtrim(in_place, '+') = any(case when in_visibility = 'public' then in_places else in_closed end)
      and (in_place like '%+' or in_workspace is not null)
    or in_visibility = 'public' and starts_with(in_place, in_workspace)
      and not exists (select 1 from kikimimi.conversation c where c.id = rtrim(in_place, '+') and c.visibility <> 'public')
$$;

create or replace function kikimimi_v1.readable(in_conversation text, in_places text[], in_visibilities text[])
returns table (place text, visibility text)
language sql stable as $$
  select distinct o.place, o.visibility
  from kikimimi_v1.audience(in_conversation) a, unnest(in_places, in_visibilities) o(place, visibility),
    kikimimi_v1.told_to(a.workspace, a.places, a.closed, o.place, o.visibility)
$$;
