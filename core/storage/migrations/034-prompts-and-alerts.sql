-- Prompts of turns and the raw output of models, in the channels for which the operator asked for them.
create table kikimimi.prompt (
  turn text not null,
  -- The place of the call among the model calls of the trace, from 0.
  call int not null,
  conversation text not null,
  at timestamptz not null,
  -- As the type CapturedPrompt, without secrets.
  data jsonb not null,
  primary key (turn, call)
);
-- For retention.
create index prompt_at on kikimimi.prompt (at);

-- Prompts have the words of people. They go with the trace, and as soon as the words leave the trace, because a message that the
-- turn had on screen was deleted, edited or left out.
create function kikimimi.drop_prompts() returns trigger language plpgsql as $$
begin
  delete from kikimimi.prompt where turn = old.turn;
  return null;
end $$;
create trigger drop_prompts after delete on kikimimi.trace for each row execute function kikimimi.drop_prompts();
create trigger drop_prompts_without_words after update of data on kikimimi.trace for each row
  when (new.data = kikimimi.without_words(new.data)) execute function kikimimi.drop_prompts();

create view kikimimi_v1.prompt as select p.turn, p.call, p.conversation, p.at, p.data from kikimimi.prompt p;
create trigger read_only instead of insert or update or delete on kikimimi_v1.prompt
  for each row execute function kikimimi.refuse_write();

-- States of the bot that its operator is told about: see core/features/alerts.
create table kikimimi.alert (
  -- The name of the state, and what it is about, such as a platform; '' if the name says it.
  name text not null,
  subject text not null,
  text text not null,
  -- When a process first found it, and when one found it last.
  since timestamptz not null,
  seen timestamptz not null,
  -- The targets that know that it began, and have not been told that it is over.
  told text[] not null default '{}',
  primary key (name, subject)
);
