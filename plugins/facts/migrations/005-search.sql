-- A search, in three steps. They are functions because a session keeps the plans of those: on the embedded database parsing
-- and planning took more than half of the time. And they give JSON, which is read four times faster than a hundred rows.

-- Where may be read, how common the words of a question are, and who may be named in it.
create function facts.look_up(in_workspace text, in_channel text, in_conversation text, asked int[], in_text text) returns json
language plpgsql stable as $$
begin
  return (
    with readable as materialized (
      select id, realm from facts.scope where id in (select facts.readable(in_workspace, in_channel, in_conversation))
    )
    select json_build_object(
      'scopes', (select coalesce(json_agg(id), '[]') from readable),
      'realms', (select coalesce(json_agg(distinct realm), '[]') from readable),
      'items', c.items,
      'words', c.words,
      'known', (select coalesce(json_agg(json_build_array(t.token, t.items)), '[]') from facts.token t where t.token = any(asked)),
      'people', (
        select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)), '[]') from facts.person p
        where p.workspace = in_workspace and length(p.name) > 1 and position(lower(p.name) in in_text) > 0
      )
    ) from facts.corpus c
  );
end $$;

-- The best by words, facts and messages each, best first. Of each word the newest `reads` places in each realm are looked at.
create function facts.by_words(
  tokens int[], weights float8[], realms int[], scopes int[], messages boolean, reads int, per_leg int
) returns json
language plpgsql stable as $$
begin
  return (
    with hit as materialized (
      select p.item, p.fact, sum(q.weight) as score
      from unnest(tokens, weights) as q(token, weight), unnest(realms) as r(realm), lateral (
        select item, scope, fact from facts.posting o where o.token = q.token and o.realm = r.realm order by item desc limit reads
      ) p
      where p.scope = any(scopes) and (p.fact or messages)
      group by p.item, p.fact
    ), best as (
      (select item, score from hit where fact order by score desc, item desc limit per_leg)
      union all
      (select item, score from hit where not fact order by score desc, item desc limit per_leg)
    )
    select coalesce(json_agg(item order by score desc), '[]') from best
  );
end $$;

-- All that the ranking needs to know of what was found, and of the neighbours of the best.
create function facts.candidates(
  ids bigint[], best bigint[], scopes int[], messages boolean, history boolean, in_channel text, except_ids text[]
) returns json
language plpgsql stable as $$
begin
  return (
    with wanted as materialized (
      select unnest(ids) as id
      union select previous from facts.message where item = any(best)
      union select answers from facts.message where item = any(best)
      union select item from facts.message where previous = any(best)
      union select item from facts.message where answers = any(best)
    )
    select coalesce(json_agg(c), '[]') from (
      select i.id, i.kind, i.at, encode(i.tokens, 'base64') as tokens, i.words, f.kind as fact_kind, f.pinned, f.confidence,
        f.people, m.author, m.previous, m.answers
      from wanted join facts.item i on i.id = wanted.id
        left join facts.fact f on f.item = i.id left join facts.message m on m.item = i.id
      where i.scope = any(scopes) and (messages or i.kind = 'fact')
        and (history or f.valid_to is null)
        -- A message that said what is history now is history too, unless it said something else besides.
        and (history or m.item is null or not exists (
          select 1 from facts.fact_source s join facts.fact o on o.item = s.item
          where s.channel = m.channel and s.message = m.id having bool_and(o.valid_to is not null)
        ))
        and not (m.item is not null and m.channel = in_channel and m.id = any(except_ids))
    ) c
  );
end $$;

-- Facts as the callers get them, in the order of the ids.
create function facts.told(ids bigint[]) returns json
language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(t), '[]') from (
      select i.id, f.content, f.kind, f.people, f.keywords, f.confidence, f.shareable, f.pinned, i.at, s.channel, s.visibility,
        f.strength, f.last_recalled_at, f.valid_to, f.superseded_by,
        (select json_agg(json_build_object('message', o.message, 'channel', o.channel, 'author', o.author, 'quote', o.quote)
                         order by o.message)
         from facts.fact_source o where o.item = i.id) as sources
      from unnest(ids) with ordinality as wanted(id, place)
        join facts.item i on i.id = wanted.id join facts.fact f on f.item = i.id join facts.scope s on s.id = i.scope
      order by wanted.place
    ) t
  );
end $$;
