-- Reminders, and what the bot has promised to come back to. Each has a job of its own: no statement looks for those that are overdue.
create table promises.reminder (
  -- People name it by this number.
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('reminder', 'promise')),
  -- The conversation in which it was made, and in which it is told.
  conversation text not null,
  -- The id of the conversation without its thread.
  channel text not null,
  -- The conversation as it was when it was made: if more people read it later, it is not told.
  place jsonb not null,
  author text not null,
  author_name text not null,
  -- The message that asked for it. Null: a command, which is no message.
  message text,
  content text not null,
  locale text not null,
  at timestamptz not null,
  -- How it repeats: the type Repeat. Null: once.
  repeat jsonb,
  zone text not null,
  made_at timestamptz not null,
  changed_at timestamptz not null,
  -- How often in a row it could not be told.
  failed int not null default 0
);
-- The list of a conversation.
create index on promises.reminder (conversation, at);
-- A turn that runs again after a crash makes the same reminder.
create unique index on promises.reminder (channel, message, kind, content) where message is not null;

-- "When somebody mentions …, tell them …".
create table promises.watch (
  id bigint generated always as identity primary key,
  conversation text not null,
  channel text not null,
  place jsonb not null,
  author text not null,
  author_name text not null,
  message text,
  words text not null,
  content text not null,
  made_at timestamptz not null,
  -- When it was last told.
  told_at timestamptz
);
create unique index on promises.watch (channel, message) where message is not null;

-- Whom a watch has told.
create table promises.watch_told (
  watch bigint not null references promises.watch on delete cascade,
  person text not null,
  primary key (watch, person)
);

-- Signatures of requests to webhooks, so that none counts twice.
create table promises.hook_call (
  hook text not null,
  signature text not null,
  at timestamptz not null,
  primary key (hook, signature)
);

-- A person who deletes the message takes the request back.
create function promises.message_changed() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from promises.reminder where channel = new.channel and message = new.id;
    delete from promises.watch where channel = new.channel and message = new.id;
    if found then
      perform pg_notify('promises.watch', '');
    end if;
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('promises.message_changed');
