-- What another plugin made of a fact is stale when the fact changes, becomes history or is deleted.
create function facts.fact_changed() returns trigger language plpgsql as $$
begin
  perform kikimimi_v1.thing_changed('facts', old.item);
  return null;
end $$;
create trigger fact_changed after update of content, people, valid_to on facts.fact for each row
  when (old.content <> new.content or old.people <> new.people or old.valid_to is distinct from new.valid_to)
  execute function facts.fact_changed();
create trigger fact_removed after delete on facts.fact for each row execute function facts.fact_changed();
