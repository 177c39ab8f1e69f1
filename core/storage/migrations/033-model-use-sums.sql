-- Sums of `model_use`, for pages that show a year: by place, and by role, plugin and model over all places. Triggers keep them equal to it.
create table kikimimi.model_use_place (
  hour timestamptz not null,
  place text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  cost float8,
  primary key (hour, place)
);
-- For the hours of the places that a page shows.
create index model_use_place_hours on kikimimi.model_use_place (place, hour);

create table kikimimi.model_use_work (
  hour timestamptz not null,
  role text not null,
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  cost float8,
  primary key (hour, role, plugin, model)
);

-- Adds the rows `changed` of model_use to their sums; with the argument -1, takes them away. In one order, so that two writers do not wait
-- for each other.
create function kikimimi.sum_model_use() returns trigger language plpgsql as $$
declare
  sign int := tg_argv[0];
begin
  insert into kikimimi.model_use_place as s (hour, place, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, place, sign * sum(calls), sign * sum(failed), sign * sum(input_tokens), sign * sum(output_tokens), sign * sum(ms),
      sign * sum(cost)
    from changed group by hour, place order by hour, place
    on conflict (hour, place) do update set calls = s.calls + excluded.calls, failed = s.failed + excluded.failed,
      input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens,
      ms = s.ms + excluded.ms, cost = coalesce(s.cost + excluded.cost, s.cost, excluded.cost);
  insert into kikimimi.model_use_work as s (hour, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
    select hour, role, plugin, model, sign * sum(calls), sign * sum(failed), sign * sum(input_tokens), sign * sum(output_tokens),
      sign * sum(ms), sign * sum(cost)
    from changed group by hour, role, plugin, model order by hour, role, plugin, model
    on conflict (hour, role, plugin, model) do update set calls = s.calls + excluded.calls, failed = s.failed + excluded.failed,
      input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens,
      ms = s.ms + excluded.ms, cost = coalesce(s.cost + excluded.cost, s.cost, excluded.cost);
  if sign = -1 then
    -- Sums without calls are those of rows that are gone.
    delete from kikimimi.model_use_place where calls = 0 and (hour, place) in (select hour, place from changed);
    delete from kikimimi.model_use_work
      where calls = 0 and (hour, role, plugin, model) in (select hour, role, plugin, model from changed);
  end if;
  return null;
end $$;

lock table kikimimi.model_use in share row exclusive mode;
create trigger sum_inserted after insert on kikimimi.model_use referencing new table as changed
  for each statement execute function kikimimi.sum_model_use('1');
-- Of an update, the new rows are added first, in the order of the names.
create trigger sum_updated_1 after update on kikimimi.model_use referencing new table as changed
  for each statement execute function kikimimi.sum_model_use('1');
create trigger sum_updated_2 after update on kikimimi.model_use referencing old table as changed
  for each statement execute function kikimimi.sum_model_use('-1');
create trigger sum_deleted after delete on kikimimi.model_use referencing old table as changed
  for each statement execute function kikimimi.sum_model_use('-1');
insert into kikimimi.model_use_place (hour, place, calls, failed, input_tokens, output_tokens, ms, cost)
  select hour, place, sum(calls), sum(failed), sum(input_tokens), sum(output_tokens), sum(ms), sum(cost) from kikimimi.model_use
  group by hour, place order by hour, place;
insert into kikimimi.model_use_work (hour, role, plugin, model, calls, failed, input_tokens, output_tokens, ms, cost)
  select hour, role, plugin, model, sum(calls), sum(failed), sum(input_tokens), sum(output_tokens), sum(ms), sum(cost) from kikimimi.model_use
  group by hour, role, plugin, model order by hour, role, plugin, model;

create view kikimimi_v1.model_use_place as
select u.hour, u.place, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use_place u;
create trigger read_only instead of insert or update or delete on kikimimi_v1.model_use_place
  for each row execute function kikimimi.refuse_write();
create view kikimimi_v1.model_use_work as
select u.hour, u.role, u.plugin, u.model, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use_work u;
create trigger read_only instead of insert or update or delete on kikimimi_v1.model_use_work
  for each row execute function kikimimi.refuse_write();
