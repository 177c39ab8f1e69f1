-- A rating repeats words of its turn: it goes when a message is lost that the turn was made from, or its answer. The sources have the owner
-- `dashboard` and the turn.
create function dashboard.keep_sources(in_turn text) returns void language sql volatile as $$
  select kikimimi_v1.made_from('dashboard', in_turn, array_agg(conversation), array_agg(first), array_agg(last)) from (
    select s.conversation, s.first, s.last from kikimimi_v1.source s where s.owner = 'kikimimi' and s.thing = in_turn
    union all
    select m.conversation, m.seq, m.seq from kikimimi_v1.trace t join kikimimi_v1.message m
      on m.channel = array_to_string((string_to_array(t.conversation, '/'))[1:3], '/') and m.own and t.data->'sent' ? m.id
      where t.turn = in_turn
  ) one
$$;
select dashboard.keep_sources(turn) from dashboard.rating;

-- A turn that keeps its words although fewer people read a source keeps its rating.
create function dashboard.source_changed() returns trigger language plpgsql as $$
begin
  delete from dashboard.rating where turn = new.thing and (
    new.stale <> 'closed' or not exists (select 1 from kikimimi_v1.source where owner = 'kikimimi' and thing = new.thing)
  );
  return null;
end $$;
select kikimimi_v1.after_source_change('dashboard.source_changed');

-- The lock of sources is taken before that of a rating, as by a deletion of a message.
create function dashboard.before_removal() returns trigger language plpgsql as $$
begin
  perform kikimimi_v1.made_from('dashboard', '', '[]');
  return null;
end $$;
create trigger before_removal before delete on dashboard.rating for each statement execute function dashboard.before_removal();

create function dashboard.removed() returns trigger language plpgsql as $$
begin
  perform kikimimi_v1.made_from('dashboard', old.turn, '[]');
  return null;
end $$;
create trigger removed after delete on dashboard.rating for each row execute function dashboard.removed();
