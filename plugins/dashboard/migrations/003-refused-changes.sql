-- Refused requests are in the list too. `status` is the status of the HTTP answer; `times`, how many equal requests the row stands for.
alter table dashboard.change add column status smallint not null default 200, add column times integer not null default 1;
alter table dashboard.change alter column status drop default;
create index change_refused on dashboard.change (id desc) where status >= 400;

-- Rows are only added, and deleted when they are a year older than the latest one.
create function dashboard.keep_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < (select max(at) from dashboard.change) - interval '8760 hours' then
    return old;
  end if;
  raise exception '% of dashboard.change is refused: its rows stay for a year as they are', lower(tg_op);
end
$$;
create trigger change_kept before update or delete on dashboard.change for each row execute function dashboard.keep_change();
