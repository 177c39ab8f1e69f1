-- The places that may be read in a conversation, by the kernel's rule. Null: all.
create function profiles.readable(in_conversation text) returns setof int
language plpgsql stable as $$
begin
  if in_conversation is null then
    return query select id from profiles.place;
    return;
  end if;
  return query
    with near as materialized (
      select p.id, p.place, p.visibility from profiles.place p
      where p.workspace = array_to_string((string_to_array(in_conversation, '/'))[1:2], '/')
    )
    select n.id from near n join kikimimi_v1.readable(
      in_conversation, (select array_agg(place) from near), (select array_agg(visibility) from near)
    ) r using (place, visibility);
end $$;
-- For the places of a workspace.
create index place_workspace on profiles.place (workspace);

-- The kernel knows who read a message when it was said.
drop function profiles.visibility_changed() cascade;
drop table profiles.changed;
