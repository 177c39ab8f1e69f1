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

-- Who deletes waits for the other writers of the index before it holds an entry: they hold the corpus when they come to those.
create function facts.item_to_be_removed() returns trigger language plpgsql as $$
begin
  perform 1 from facts.corpus for update;
  return null;
end $$;
create trigger item_to_be_removed before delete on facts.item
  for each statement execute function facts.item_to_be_removed();

-- Without a space too: the vector of what a fact said before its edit may still be in a home that was out of reach.
create or replace function facts.item_removed() returns trigger language plpgsql as $$
begin
  update facts.corpus set items = items - (select count(*) from gone),
    words = words - (select coalesce(sum(words), 0) from gone);
  insert into facts.removed (item) select id from gone on conflict do nothing;
  return null;
end $$;

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
