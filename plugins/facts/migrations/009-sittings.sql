-- How common a word is, is counted for each realm: in one workspace, or in one place that is not public. A search adds up
-- the realms that it may read.
drop table facts.token;
create table facts.token (token int, realm int, items int not null, primary key (token, realm)) with (fillfactor = 60);
insert into facts.token (token, realm, items) select token, realm, count(*) from facts.posting group by token, realm;

create table facts.extent (realm int primary key, items bigint not null, words bigint not null) with (fillfactor = 10);
insert into facts.extent (realm, items, words)
  select s.realm, count(*), sum(i.words) from facts.item i join facts.scope s on s.id = i.scope group by s.realm;

create or replace function facts.count_added() returns trigger language plpgsql as $$
begin
  -- In one order, so that two writers do not wait for each other.
  insert into facts.token as t (token, realm, items)
    select token, realm, count(*) from added group by token, realm order by token, realm
    on conflict (token, realm) do update set items = t.items + excluded.items;
  return null;
end $$;

create or replace function facts.count_removed() returns trigger language plpgsql as $$
begin
  perform 1 from facts.token where (token, realm) in (select token, realm from removed) order by token, realm for update;
  update facts.token t set items = t.items - r.items
    from (select token, realm, count(*) as items from removed group by token, realm) r
    where t.token = r.token and t.realm = r.realm;
  delete from facts.token t using (select distinct token, realm from removed) r
    where t.token = r.token and t.realm = r.realm and t.items <= 0;
  return null;
end $$;

-- The corpus first: a writer that holds it is alone with the extents.
create or replace function facts.item_added() returns trigger language plpgsql as $$
begin
  update facts.corpus set items = items + (select count(*) from added),
    words = words + (select coalesce(sum(words), 0) from added);
  insert into facts.extent as e (realm, items, words)
    select s.realm, count(*), sum(a.words) from added a join facts.scope s on s.id = a.scope group by s.realm
    on conflict (realm) do update set items = e.items + excluded.items, words = e.words + excluded.words;
  return null;
end $$;

create or replace function facts.item_removed() returns trigger language plpgsql as $$
begin
  update facts.corpus set items = items - (select count(*) from gone),
    words = words - (select coalesce(sum(words), 0) from gone);
  update facts.extent e set items = e.items - g.items, words = e.words - g.words
    from (select s.realm, count(*) as items, sum(gone.words) as words from gone join facts.scope s on s.id = gone.scope group by s.realm) g
    where e.realm = g.realm;
  insert into facts.removed (item) select id from gone on conflict do nothing;
  return null;
end $$;

create or replace function facts.item_rewritten() returns trigger language plpgsql as $$
begin
  update facts.corpus set words = words + new.words - old.words;
  update facts.extent set words = words + new.words - old.words where realm = (select realm from facts.scope where id = new.scope);
  return null;
end $$;

-- The sitting of a message: messages of one conversation without a pause of half an hour, at most fifty. It has the id of its
-- first message. `line` is the place in it, and `asks` whether the message ends with a question mark.
alter table facts.message add column sitting bigint, add column line int, add column asks boolean;
with spoken as (
  select m.item, m.seq, l.conversation, l.text ~ '[?？]\s*$' as asks,
    coalesce(i.at - lag(i.at) over by_place > interval '30 minutes', true) as begins
  from facts.message m join facts.item i on i.id = m.item join kikimimi_v1.message l on l.seq = m.seq
  window by_place as (partition by l.conversation order by m.seq)
), burst as (
  select *, count(*) filter (where begins) over (partition by conversation order by seq) as burst from spoken
), placed as (
  select *, row_number() over (partition by conversation, burst order by seq) - 1 as place from burst
), numbered as (
  select item, asks, (place % 50)::int as line,
    first_value(item) over (partition by conversation, burst, place / 50 order by seq) as sitting
  from placed
)
update facts.message m set sitting = n.sitting, line = n.line, asks = n.asks from numbered n where n.item = m.item;
update facts.message set sitting = item, line = 0, asks = false where sitting is null;
alter table facts.message alter column sitting set not null, alter column line set not null, alter column asks set not null,
  drop column previous;
create index message_sitting on facts.message (sitting, line);

-- Where may be read, how common the words of a question are there, and who may be named in it.
create or replace function facts.look_up(in_workspace text, in_channel text, in_conversation text, asked int[], in_text text) returns json
language plpgsql stable as $$
begin
  return (
    with readable as materialized (
      select id, realm from facts.scope where id in (select facts.readable(in_workspace, in_channel, in_conversation))
    ), realm as materialized (
      select distinct realm from readable
    )
    select json_build_object(
      'scopes', (select coalesce(json_agg(id), '[]') from readable),
      'realms', (select coalesce(json_agg(realm), '[]') from realm),
      'items', coalesce(sum(e.items), 0),
      'words', coalesce(sum(e.words), 0),
      'known', (
        select coalesce(json_agg(json_build_array(token, items)), '[]') from (
          select t.token, sum(t.items) as items from facts.token t
          where t.token = any(asked) and t.realm in (select realm from realm) group by t.token
        ) k
      ),
      'people', (
        select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name)), '[]') from facts.person p
        where p.workspace = in_workspace and length(p.name) > 1 and position(lower(p.name) in in_text) > 0
      )
    ) from facts.extent e where e.realm in (select realm from realm)
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
    with wanted as materialized (
      select unnest(ids) as id
      union select o.item from facts.message b join facts.message o on o.sitting = b.sitting and o.line between b.line - 2 and b.line + 2
        where b.item = any(best)
      union select answers from facts.message where item = any(best)
      union select item from facts.message where answers = any(best)
      union select m.item from facts.fact_source s join facts.message m on m.channel = s.channel and m.id = s.message
        where s.item = any(best)
      union select s.item from facts.message m join facts.fact_source s on s.channel = m.channel and s.message = m.id
        where m.item = any(best)
    )
    select coalesce(json_agg(c), '[]') from (
      select i.id, i.kind, i.at, encode(i.tokens, 'base64') as tokens, i.words, f.kind as fact_kind, f.pinned, f.confidence,
        f.people, m.author, m.sitting, m.line, m.asks, m.answers,
        case when messages and f.item is not null then (
          select json_agg(o.item) from facts.fact_source s join facts.message o on o.channel = s.channel and o.id = s.message
          where s.item = f.item
        ) end as sources
      from wanted join facts.item i on i.id = wanted.id
        left join facts.fact f on f.item = i.id left join facts.message m on m.item = i.id
      where i.scope = any(scopes) and (messages or i.kind = 'fact')
        and (history or f.valid_to is null)
        and (history or m.item is null or not facts.says_history(m.channel, m.id))
        and not (m.item is not null and m.channel = in_channel and m.id = any(except_ids))
        and (f.item is null or cardinality(except_ids) = 0 or not exists (
          select 1 from facts.fact_source s where s.item = f.item
          having bool_and(s.channel = in_channel and s.message = any(except_ids))
        ))
    ) c
  );
end $$;
