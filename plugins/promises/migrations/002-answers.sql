-- Whom it is told, if that is another person than the one who asked.
alter table promises.reminder add column target text, add column target_name text;

-- Messages that asked for a reminder or a watch, and whose edit has not been followed yet.
create table promises.edited (
  channel text not null,
  message text not null,
  primary key (channel, message)
);

-- A person who deletes the message takes the request back. One who edits it asks for something else.
create or replace function promises.message_changed() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    delete from promises.reminder where channel = new.channel and message = new.id;
    delete from promises.edited where channel = new.channel and message = new.id;
    delete from promises.watch where channel = new.channel and message = new.id;
    if found then
      perform pg_notify('promises.watch', '');
    end if;
  elsif new.text is distinct from old.text then
    insert into promises.edited
    select new.channel, new.id where exists (
      select 1 from promises.reminder where channel = new.channel and message = new.id
      union all select 1 from promises.watch where channel = new.channel and message = new.id
    ) on conflict do nothing;
    if found then
      perform pg_notify('promises.edited', '');
    end if;
  end if;
  return null;
end $$;

-- Requests without a valid time, after which the bot has asked for one. The words are in the log.
create table promises.question (
  conversation text not null,
  person text not null,
  channel text not null,
  message text not null,
  expires_at timestamptz not null,
  primary key (conversation, person)
);
