-- What is known about a person, folded from facts. One card for the readers of each realm: what is public in a workspace, and
-- each place that is not public.
create table profiles.card (
  id bigint generated always as identity primary key,
  platform text not null,
  person text not null,
  -- The workspace as in profiles.place, or the place.
  realm text not null,
  -- A hash of the facts that the last run read. Null: the card has to be made anew.
  inputs text,
  checked_at timestamptz not null,
  unique (platform, person, realm)
);

-- The latest version is shown. Earlier ones stay for 30 days, so that a run can be undone.
create table profiles.card_version (
  id bigint generated always as identity primary key,
  card bigint not null references profiles.card on delete cascade,
  made_at timestamptz not null
);
-- For the latest version.
create index card_version_card on profiles.card_version (card, id);

create table profiles.card_line (
  version bigint not null references profiles.card_version on delete cascade,
  line int not null,
  text text not null,
  -- Ids of the facts that it is made of, and their hashes in the same order.
  facts bigint[] not null,
  digests text[] not null,
  -- Ids of the authors of their messages, and of the people that the facts are about.
  people text[] not null,
  primary key (version, line)
);
-- For a person to forget.
create index card_line_people on profiles.card_line using gin (people);

-- The facts of a card are its sources, under its id. A change of a fact deletes the lines that rest on it, in the same transaction:
-- also when the message of the fact is deleted, edited or left out. The next run makes the card anew.
create function profiles.card_source_changed() returns trigger language plpgsql as $$
begin
  update profiles.card set inputs = null where id = new.thing::bigint;
  delete from profiles.card_line l using profiles.card_version v
    where v.id = l.version and v.card = new.thing::bigint and l.facts @> array[new.first];
  return null;
end $$;
select kikimimi_v1.after_source_change('profiles.card_source_changed');
