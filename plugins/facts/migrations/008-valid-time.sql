-- What a fact says, in parts: whom or what it is about, in which relation, and what. And when it is true, apart from when it was
-- learned (`facts.item.at`).
alter table facts.fact
  -- The id of a person, or the name of a thing.
  add column subject text,
  add column relation text,
  add column value text,
  -- The relation has one value at a time: a person lives in one place, and speaks several languages.
  add column single boolean not null default false,
  -- Null for facts from before this column: since they were learned. `dated`: the statement itself gives the time.
  add column valid_from timestamptz,
  add column dated boolean not null default false,
  -- It ends then. `valid_to` is set as soon as that time has come.
  add column expires_at timestamptz,
  -- Values by a schema of the operator.
  add column fields jsonb,
  -- The batch of replacements in which it became history, and when. Such a batch can be undone.
  add column retired_in bigint,
  add column retired_at timestamptz,
  -- `expires_at` before that.
  add column expired_before timestamptz;
-- For facts with the same subject and relation.
create index fact_subject on facts.fact (subject, relation) where subject is not null;
-- For facts whose time has come.
create index fact_expires on facts.fact (expires_at) where valid_to is null and expires_at is not null;
create index fact_retired on facts.fact (retired_in) where retired_in is not null;
create sequence facts.batch;

-- Facts as the callers get them, in the order of the ids.
create or replace function facts.told(ids bigint[]) returns json
language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(t), '[]') from (
      select i.id, f.content, f.kind, f.people, f.keywords, f.confidence, f.shareable, f.pinned, i.at, s.channel, s.visibility,
        f.subject, f.relation, f.value, f.single, coalesce(f.valid_from, i.at) as valid_from, f.expires_at, f.fields,
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

-- Whether a message only says what is history: all its facts are, and their quotes are at least half of its text.
create function facts.says_history(in_channel text, in_message text) returns boolean
language sql stable as $$
  select coalesce(bool_and(over) and (bool_or(quote is null) or 2 * sum(length(quote)) >= (
    select length(l.text) from kikimimi_v1.message l where l.channel = in_channel and l.id = in_message
  )), false)
  from (
    select s.quote, bool_and(f.valid_to is not null) as over from facts.fact_source s join facts.fact f on f.item = s.item
    where s.channel = in_channel and s.message = in_message group by s.quote
  ) told
$$;
