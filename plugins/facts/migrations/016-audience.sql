-- Places and words are tested as sets. The rule of the kernel is tested on each place, where it was handed all of them in arrays: with
-- 10,000 places that took 100 ms.

-- The scopes that may be read in a conversation, by the kernel's rule. Every reader asks this function. A workspace as the
-- conversation: what everybody in the workspace may read.
drop function facts.readable(text, text, text);
create function facts.readable(in_workspace text, in_channel text, in_conversation text) returns table (id int, realm int)
-- No SQL function, so that a statement that tests many items for their scopes asks once.
language plpgsql stable as $$
begin
  return query select s.id, s.realm from kikimimi_v1.audience(in_conversation) a, facts.scope s,
    kikimimi_v1.told_to(a.workspace, a.places, a.closed, s.place, s.visibility)
  -- Narrows the scopes by the indexes; the rule then decides.
  where s.channel = in_channel or s.visibility = 'public' and s.workspace = in_workspace;
end $$;

-- Where may be read, how common the words of a question are there, and who may be named in it.
create or replace function facts.look_up(in_workspace text, in_channel text, in_conversation text, asked int[], in_text text) returns json
language plpgsql stable as $$
declare
  scopes int[];
  realms int[];
begin
  select coalesce(array_agg(id), '{}'), coalesce(array_agg(distinct realm), '{}') into scopes, realms
    from facts.readable(in_workspace, in_channel, in_conversation);
  return (
    select json_build_object(
      'scopes', scopes,
      'realms', realms,
      'items', coalesce(sum(e.items), 0),
      'words', coalesce(sum(e.words), 0),
      'known', (
        select coalesce(json_agg(json_build_array(token, items)), '[]') from (
          select t.token, sum(t.items) as items from facts.token t where t.token = any(asked) and t.realm = any(realms) group by t.token
        ) k
      ),
      'people', (
        select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)), '[]') from facts.person p
        where p.workspace = in_workspace and length(p.name) > 1 and position(lower(p.name) in in_text) > 0
      )
    ) from facts.extent e where e.realm = any(realms)
  );
end $$;

-- The best by words, facts and messages each, best first. Of each word the newest `reads` places in each realm are looked at.
create or replace function facts.by_words(
  tokens int[], weights float8[], realms int[], scopes int[], messages boolean, reads int, per_leg int
) returns json
language plpgsql stable as $$
begin
  return (
    with searched as materialized (
      select unnest(scopes) as scope
    ), hit as materialized (
      select p.item, p.fact, sum(q.weight) as score
      from unnest(tokens, weights) as q(token, weight), unnest(realms) as r(realm), lateral (
        select item, scope, fact from facts.posting o where o.token = q.token and o.realm = r.realm order by item desc limit reads
      ) p
      -- `is true`: Postgres looks them up in a hash. It reads an array from its beginning for each place, and may join the set in a loop.
      where p.scope in (select scope from searched) is true and (p.fact or messages)
      group by p.item, p.fact
    ), best as (
      (select item, score from hit where fact order by score desc, item desc limit per_leg)
      union all
      (select item, score from hit where not fact order by score desc, item desc limit per_leg)
    )
    select coalesce(json_agg(item order by score desc), '[]') from best
  );
end $$;

-- All that the ranking needs to know of what was found; of the lines around the best; and of the messages and facts that
-- belong together. What is on screen is left out: the messages, and the facts that come from these alone.
create or replace function facts.candidates(
  ids bigint[], best bigint[], scopes int[], messages boolean, history boolean, in_channel text, except_ids text[]
) returns json
language plpgsql stable as $$
begin
  return (
    with searched as materialized (
      select unnest(scopes) as scope
    ), wanted as materialized (
      select unnest(ids) as id
      union select o.item from facts.message b join facts.message o on o.sitting = b.sitting and o.line between b.line - 2 and b.line + 2
        where b.item = any(best)
      union select answers from facts.message where item = any(best)
      union select item from facts.message where answers = any(best)
      union select m.item from facts.fact_source s
          cross join lateral (select item from facts.message where channel = s.channel and id = s.message offset 0) m
        where s.item = any(best)
      union select s.item from facts.message m
          cross join lateral (select item from facts.fact_source where channel = m.channel and message = m.id offset 0) s
        where m.item = any(best)
    )
    select coalesce(json_agg(c), '[]') from (
      select i.id, i.kind, i.at, encode(i.tokens, 'base64') as tokens, i.words, f.kind as fact_kind, f.pinned, f.confidence,
        f.people, m.author, m.sitting, m.line, m.asks, m.answers,
        case when messages and f.item is not null then (
          select json_agg(o.item) from facts.fact_source s join facts.message o on o.channel = s.channel and o.id = s.message
          where s.item = f.item
        ) end as sources
      -- `offset 0`: each is read by its key. Otherwise Postgres may read all items of the scopes, of which it expects few, or all facts.
      from wanted cross join lateral (select * from facts.item where id = wanted.id offset 0) i
        left join lateral (select * from facts.fact where item = i.id offset 0) f on true
        left join lateral (select * from facts.message where item = i.id offset 0) m on true
      where i.scope in (select scope from searched) is true and (messages or i.kind = 'fact')
        and (history or f.valid_to is null)
        and (history or m.item is null or not (
          exists (select 1 from facts.fact_source s where s.channel = m.channel and s.message = m.id) and facts.says_history(m.channel, m.id)
        ))
        and not (m.item is not null and m.channel = in_channel and m.id = any(except_ids))
        and (f.item is null or cardinality(except_ids) = 0 or not exists (
          select 1 from facts.fact_source s where s.item = f.item
          having bool_and(s.channel = in_channel and s.message = any(except_ids))
        ))
    ) c
  );
end $$;
