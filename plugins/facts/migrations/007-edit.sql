-- Since when a fact says what whoever runs the bot made of it, and no more what was read from its messages.
alter table facts.fact add column edited_at timestamptz;

-- An entry is written anew: the index holds as many words as its entries.
create function facts.item_rewritten() returns trigger language plpgsql as $$
begin
  update facts.corpus set words = words + new.words - old.words;
  return null;
end $$;
create trigger item_rewritten after update of words on facts.item
  for each row when (old.words <> new.words) execute function facts.item_rewritten();

-- Facts as the callers get them, in the order of the ids.
create or replace function facts.told(ids bigint[]) returns json
language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(t), '[]') from (
      select i.id, f.content, f.kind, f.people, f.keywords, f.confidence, f.shareable, f.pinned, i.at, s.channel, s.visibility,
        f.strength, f.last_recalled_at, f.valid_to, f.superseded_by, f.edited_at,
        (select json_agg(json_build_object('message', o.message, 'channel', o.channel, 'author', o.author, 'quote', o.quote)
                         order by o.message)
         from facts.fact_source o where o.item = i.id) as sources
      from unnest(ids) with ordinality as wanted(id, place)
        join facts.item i on i.id = wanted.id join facts.fact f on f.item = i.id join facts.scope s on s.id = i.scope
      order by wanted.place
    ) t
  );
end $$;
