-- Which items a token is in. `scope` and `fact` are copies, so that a search looks only where it may.
create table facts.posting (
  token int not null,
  item bigint not null references facts.item on delete cascade,
  scope int not null,
  fact boolean not null,
  count smallint not null,
  primary key (token, item)
);
create index posting_item on facts.posting (item);

-- In how many items a token is, and how many words there are in all. Kept by triggers, so that whatever deletes keeps it right.
-- Room on each page lets an update stay on it: the embedded database has no autovacuum.
create table facts.token (token int primary key, items int not null) with (fillfactor = 60);
create table facts.corpus (
  id int primary key default 1 check (id = 1),
  items bigint not null,
  words bigint not null
) with (fillfactor = 10);
insert into facts.corpus (items, words) values (0, 0);

create function facts.count_added() returns trigger language plpgsql as $$
begin
  -- In one order, so that two writers do not wait for each other.
  insert into facts.token as t (token, items)
    select token, count(*) from added group by token order by token
    on conflict (token) do update set items = t.items + excluded.items;
  return null;
end $$;
create trigger count_added after insert on facts.posting
  referencing new table as added for each statement execute function facts.count_added();

create function facts.count_removed() returns trigger language plpgsql as $$
begin
  perform 1 from facts.token where token in (select token from removed) order by token for update;
  update facts.token t set items = t.items - r.items
    from (select token, count(*) as items from removed group by token) r where t.token = r.token;
  delete from facts.token t using (select distinct token from removed) r where t.token = r.token and t.items <= 0;
  return null;
end $$;
create trigger count_removed after delete on facts.posting
  referencing old table as removed for each statement execute function facts.count_removed();

create function facts.item_added() returns trigger language plpgsql as $$
begin
  update facts.corpus set items = items + (select count(*) from added),
    words = words + (select coalesce(sum(words), 0) from added);
  return null;
end $$;
create trigger item_added after insert on facts.item
  referencing new table as added for each statement execute function facts.item_added();

create function facts.item_removed() returns trigger language plpgsql as $$
begin
  update facts.corpus set items = items - (select count(*) from gone),
    words = words - (select coalesce(sum(words), 0) from gone);
  insert into facts.removed (item) select id from gone where space is not null on conflict do nothing;
  return null;
end $$;
create trigger item_removed after delete on facts.item
  referencing old table as gone for each statement execute function facts.item_removed();

-- The default home of vectors. Their signs, in a narrow table that is read whole: comparing those finds the few that are
-- worth comparing in full.
create table facts.space (id int generated always as identity primary key, key text not null unique);
create table facts.sign (
  item bigint not null,
  space int not null references facts.space on delete cascade,
  scope int not null,
  bits varbit not null,
  primary key (item, space)
);
create index sign_space_scope on facts.sign (space, scope);
create table facts.vector (
  item bigint not null,
  space int not null references facts.space on delete cascade,
  embedding vector not null,
  primary key (item, space)
);
-- A space that is given up.
create index vector_space on facts.vector (space);
