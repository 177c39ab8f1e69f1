-- For the scopes of a channel.
create index scope_channel on facts.scope (channel);

-- The scopes that may be read in a conversation, by the kernel's rule. Every reader asks this function. A workspace as the
-- conversation: what everybody in the workspace may read.
create or replace function facts.readable(in_workspace text, in_channel text, in_conversation text) returns setof int
language plpgsql stable as $$
declare
  -- Narrows the scopes by the indexes; the rule then decides.
  near int[] := array(
    select id from facts.scope where channel = in_channel
    union select id from facts.scope where visibility = 'public' and workspace = in_workspace
  );
begin
  return query
    select s.id from facts.scope s join kikimimi_v1.readable(
      in_conversation,
      (select array_agg(n.place) from facts.scope n where n.id = any(near)),
      (select array_agg(n.visibility) from facts.scope n where n.id = any(near))
    ) r using (place, visibility);
end $$;

-- A database of an earlier form of 001-facts.sql has it.
drop function if exists facts.place_of(text, text, text);
