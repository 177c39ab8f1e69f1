-- The bot keeps how far the log is read: into the memories of channels, and into those of threads that a channel tells of.
select kikimimi_v1.keep_follower(f.name, w.began, w.seq, (
    select coalesce(jsonb_agg(jsonb_build_object('conversation', p.conversation, 'place', case when f.threads then m.id else t.place end,
      'visibility', t.visibility, 'upto', p.upto, 'pending', p.pending)), '[]')
    from memory_summary.progress p join memory_summary.memory m on m.id = p.memory,
      kikimimi_v1.place_of(p.conversation, null, null) t
    where f.threads = (m.kind = 'thread' and m.id <> rtrim(t.place, '+')) and (f.threads or m.id = rtrim(t.place, '+'))
  ))
  from memory_summary.watermark w, (values ('memory-summary', false), ('memory-summary-threads', true)) f(name, threads);
drop table memory_summary.progress, memory_summary.watermark;
alter table memory_summary.memory drop column failed_upto;

-- Clears a part of a memory. The messages that are left of its sources are read again.
create or replace function memory_summary.clear(in_memory text, with_history boolean) returns void language plpgsql as $$
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
end $$;
