-- When the operator of the bot said that a fact is true. It fades from then on as if an answer had used it.
alter table facts.fact add column confirmed_at timestamptz,
  -- When the fact ends by itself: at the time that it states, or when the sweep deletes it. Null: it does not end.
  add column ends_at timestamptz;

-- The options by which facts fade.
create table facts.decay (
  id int primary key default 1 check (id = 1),
  half_life_ms float8 not null,
  forget_below float8 not null
);
insert into facts.decay (half_life_ms, forget_below) values (30 * 86400000.0, 0.05);

-- When a fact will have faded below the limit. Null: it does not fade. A hundred years at most, so that the time can be stored.
create function facts.fades_at(f facts.fact) returns timestamptz language sql stable as $$
  select greatest(i.at, f.last_recalled_at, f.confirmed_at) + interval '1 millisecond' * least(36500 * 86400000.0,
      d.half_life_ms * (1 + f.strength) * greatest(0, log(2, (greatest(f.confidence, 1e-9) / d.forget_below)::numeric)::float8))
  from facts.decay d, facts.item i
  where i.id = f.item and d.forget_below > 0 and not f.pinned and (f.kind <> 'durable' or f.valid_to is not null)
$$;

create function facts.set_end() returns trigger language plpgsql as $$
begin
  new.ends_at := least(new.expires_at, facts.fades_at(new));
  return new;
end $$;
create trigger set_end before insert or update of kind, confidence, pinned, strength, last_recalled_at, confirmed_at, valid_to, expires_at
  on facts.fact for each row execute function facts.set_end();

-- A fact that is stated again is newer.
create function facts.stated_again() returns trigger language plpgsql as $$
begin
  update facts.fact f set ends_at = least(f.expires_at, facts.fades_at(f)) where f.item = new.id;
  return null;
end $$;
create trigger stated_again after update of at on facts.item
  for each row when (new.kind = 'fact' and old.at <> new.at) execute function facts.stated_again();

update facts.fact f set ends_at = least(f.expires_at, facts.fades_at(f));

-- For facts that nobody has looked at.
create index fact_unseen on facts.fact (item) where valid_to is null and confirmed_at is null and edited_at is null;
-- For facts that end soon.
create index fact_ends on facts.fact (ends_at, item) where valid_to is null and ends_at is not null;
-- For facts with other values of the same relation, and the newest of them.
create index fact_single on facts.fact (item) where single and valid_to is null and subject is not null;
create index fact_claim on facts.fact (subject, relation, item) where single and valid_to is null;
-- For replacements, the latest first.
drop index facts.fact_retired;
create index fact_retired on facts.fact (retired_in, item) where retired_in is not null;
-- For facts with a word, in all places.
create index posting_fact on facts.posting (token, item) where fact;

-- Facts as the callers get them, in the order of the ids.
create or replace function facts.told(ids bigint[]) returns json
language plpgsql stable as $$
begin
  return (
    select coalesce(json_agg(t), '[]') from (
      select i.id, f.content, f.kind, f.people, f.keywords, f.confidence, f.shareable, f.pinned, i.at, s.channel, s.visibility,
        f.subject, f.relation, f.value, f.single, coalesce(f.valid_from, i.at) as valid_from, f.expires_at, f.fields,
        f.strength, f.last_recalled_at, f.valid_to, f.superseded_by, f.confirmed_at, f.edited_at,
        (select json_agg(json_build_object('message', o.message, 'channel', o.channel, 'author', o.author, 'quote', o.quote)
                         order by o.message)
         from facts.fact_source o where o.item = i.id) as sources
      from unnest(ids) with ordinality as wanted(id, place)
        join facts.item i on i.id = wanted.id join facts.fact f on f.item = i.id join facts.scope s on s.id = i.scope
      order by wanted.place
    ) t
  );
end $$;
