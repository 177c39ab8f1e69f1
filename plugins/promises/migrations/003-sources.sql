-- A reminder follows the message that asked for it. What else it is made from, such as the answer with a promise of the bot, are sources
-- with the owner `promises` and its number.

-- Reminders and watches whose message or source is gone, and of which their owner has not been told. They have no words.
create table promises.dropped (
  -- As people name it: `3`, `w3`.
  name text primary key,
  place jsonb not null,
  author text not null,
  author_name text not null,
  -- Null: that of the bot.
  locale text
);

create function promises.drop_reminders(ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 0 then
    with gone as (delete from promises.reminder where id = any(ids) returning *)
    insert into promises.dropped (name, place, author, author_name, locale)
      select id, place, author, author_name, locale from gone where kind = 'reminder';
    perform pg_notify('promises.edited', '');
  end if;
end $$;

-- A person who deletes the message takes the request back. One who edits it asks for something else.
create or replace function promises.message_changed() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform promises.drop_reminders(array(select id from promises.reminder where channel = new.channel and message = new.id));
    delete from promises.edited where channel = new.channel and message = new.id;
    with gone as (delete from promises.watch where channel = new.channel and message = new.id returning *)
    insert into promises.dropped (name, place, author, author_name) select 'w' || id, place, author, author_name from gone;
    if found then
      perform pg_notify('promises.watch', '');
      perform pg_notify('promises.edited', '');
    end if;
  elsif new.text is distinct from old.text then
    insert into promises.edited
    select new.channel, new.id where exists (
      select 1 from promises.reminder where channel = new.channel and message = new.id and kind = 'reminder'
      union all select 1 from promises.watch where channel = new.channel and message = new.id
    ) on conflict do nothing;
    if found then
      perform pg_notify('promises.edited', '');
    end if;
  end if;
  return null;
end $$;

-- What was said in the channel of a reminder stays readable there.
create function promises.source_changed() returns trigger language plpgsql as $$
begin
  perform promises.drop_reminders(array(
    select id from promises.reminder where id = new.thing::bigint
      and (new.stale <> 'closed' or not starts_with(new.conversation || '/', channel || '/'))
  ));
  return null;
end $$;
select kikimimi_v1.after_source_change('promises.source_changed');

select kikimimi_v1.made_from('promises', r.id::text, array_agg(m.conversation), array_agg(m.seq), array_agg(m.seq))
from promises.reminder r join kikimimi_v1.message m on m.conversation = r.conversation and m.own and position(r.content in m.text) > 0
where r.kind = 'promise' group by r.id;

-- The lock of sources is taken before that of a reminder, as by a deletion of a message.
create function promises.before_removal() returns trigger language plpgsql as $$
begin
  perform kikimimi_v1.made_from('promises', '', '[]');
  return null;
end $$;
create trigger before_removal before delete on promises.reminder for each statement execute function promises.before_removal();

create function promises.removed() returns trigger language plpgsql as $$
begin
  perform kikimimi_v1.made_from('promises', old.id::text, '[]');
  return null;
end $$;
create trigger removed after delete on promises.reminder for each row execute function promises.removed();
