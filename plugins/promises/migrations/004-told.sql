-- When it was last told. One that does not repeat is kept for a day after that, so that a person can have it told again later.
alter table promises.reminder add column told_at timestamptz;

-- The how manieth of its message it is: "at 9 and at 17" asks for two with the same words.
alter table promises.reminder add column part int not null default 0;
drop index promises.reminder_channel_message_kind_content_idx;
-- A turn that runs again after a crash makes the same reminder.
create unique index on promises.reminder (channel, message, kind, content, part) where message is not null;

-- The owner of a reminder that was told misses nothing when it goes.
create or replace function promises.drop_reminders(ids bigint[]) returns void language plpgsql as $$
begin
  if cardinality(ids) > 0 then
    with gone as (delete from promises.reminder where id = any(ids) returning *)
    insert into promises.dropped (name, place, author, author_name, locale)
      select id, place, author, author_name, locale from gone where kind = 'reminder' and (told_at is null or repeat is not null);
    perform pg_notify('promises.edited', '');
  end if;
end $$;

-- People who do not want reminders from others.
create table promises.refusal (
  platform text not null,
  person text not null,
  primary key (platform, person)
);
