-- The messages that a memory is made from are stored as sources of two things: `recent ID` and `history ID`. When one of the
-- messages changes, the part is cleared in the same transaction, and the next update makes it again from what is left.

-- Adds sources to a part. The ranges of one conversation are joined: a memory reads without gaps.
create function memory_summary.add_sources(in_thing text, conversations text[], firsts bigint[], lasts bigint[])
returns void language plpgsql as $$
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
end $$;

-- Adds the sources of other parts to a part.
create function memory_summary.take_sources(in_thing text, parts text[]) returns void language plpgsql as $$
begin
  perform memory_summary.add_sources(in_thing, array_agg(s.conversation), array_agg(s.first), array_agg(s.last))
    from kikimimi_v1.source s where s.owner = 'memory_summary' and s.thing = any(parts);
end $$;

create function memory_summary.clear(in_memory text, with_history boolean) returns void language plpgsql as $$
begin
  perform kikimimi_v1.made_from('memory_summary', 'recent ' || in_memory, '{}', '{}', '{}');
  if with_history then
    perform kikimimi_v1.made_from('memory_summary', 'history ' || in_memory, '{}', '{}', '{}');
    update memory_summary.memory set history = '' where id = in_memory;
    update memory_summary.progress p set recent_from = m.began from memory_summary.memory m where m.id = p.memory and m.id = in_memory;
    delete from memory_summary.speaker where memory = in_memory;
  end if;
  update memory_summary.memory set recent = '', recent_since = null, mood = '', topics = '[]', active_users = '[]',
    updated_at = null, version = version + 1, failed_upto = null, retry_at = null where id = in_memory;
  update memory_summary.progress set upto = recent_from, pending = true, changed = true where memory = in_memory;
  delete from memory_summary.speaker where memory = in_memory and not history;
  update memory_summary.speaker set recent = false where memory = in_memory;
end $$;

-- Tells the bot that a summary was cleared, so that it makes it again.
create function memory_summary.source_changed() returns trigger language plpgsql as $$
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
select kikimimi_v1.after_source_change('memory_summary.source_changed');
drop function memory_summary.message_deleted() cascade;

-- What was written before this migration.
select memory_summary.add_sources('recent ' || memory, array_agg(conversation), array_agg(recent_from + 1), array_agg(upto))
  from memory_summary.progress where upto > recent_from group by memory;
select memory_summary.add_sources('history ' || p.memory, array_agg(conversation), array_agg(m.began + 1), array_agg(recent_from))
  from memory_summary.progress p join memory_summary.memory m on m.id = p.memory where recent_from > m.began group by p.memory;
select memory_summary.take_sources(part || ' ' || w.id,
    (select array_agg(from_part || ' ' || c.id) from memory_summary.memory c, unnest(array['recent', 'history']) from_part
     where c.workspace = w.workspace and c.kind = 'channel' and c.visibility = 'public'))
  from memory_summary.memory w, unnest(array['recent', 'history']) part
  where w.kind = 'workspace' and case part when 'recent' then w.recent else w.history end <> '';
