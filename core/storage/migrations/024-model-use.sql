-- Calls of models by hour, place, role, plugin and model.
create table kikimimi.model_use (
  -- The hour in which the calls ended, in UTC.
  hour timestamptz not null,
  -- The id of a channel, 'direct' for all direct messages, '' for work of the whole bot.
  place text not null,
  role text not null,
  -- '' for the bot itself.
  plugin text not null,
  model text not null,
  calls bigint not null,
  failed bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  ms float8 not null,
  -- In the currency of the prices in bot.config.ts. Null: the model had no price.
  cost float8,
  primary key (hour, place, role, plugin, model)
);

create view kikimimi_v1.model_use as
select u.hour, u.place, u.role, u.plugin, u.model, u.calls, u.failed, u.input_tokens, u.output_tokens, u.ms, u.cost
from kikimimi.model_use u;
create trigger read_only instead of insert or update or delete on kikimimi_v1.model_use
  for each row execute function kikimimi.refuse_write();
