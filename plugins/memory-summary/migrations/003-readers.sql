-- The place in which the messages of a memory were said, see kikimimi_v1.place_of. Of a workspace: its id and a slash.
alter table memory_summary.memory add column place text;
update memory_summary.memory m set place = case when m.kind = 'workspace' then m.id || '/' else
  (select p.place from kikimimi_v1.place_of(m.id, m.visibility, null) p) end;
alter table memory_summary.memory alter column place set not null;

-- The memories that may be read in a conversation, by the kernel's rule. A workspace as the conversation: what everybody in the
-- workspace may read.
create function memory_summary.readable(in_workspace text, in_channel text, in_conversation text) returns setof text
language plpgsql stable as $$
begin
  return query
    with near as materialized (
      select m.id, m.place, m.visibility from memory_summary.memory m
      where m.workspace = in_workspace and m.kind <> 'thread' or m.channel = in_channel and m.kind = 'thread'
    )
    select n.id from near n join kikimimi_v1.readable(
      in_conversation, (select array_agg(place) from near), (select array_agg(visibility) from near)
    ) r using (place, visibility);
end $$;
