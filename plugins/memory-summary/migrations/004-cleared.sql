-- Tells the bot that a summary was cleared, so that it makes it again.
create or replace function memory_summary.source_changed() returns trigger language plpgsql as $$
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
end $$;
