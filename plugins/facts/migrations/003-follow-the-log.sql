-- A change of a message changes the memory of it in the same transaction, also while this plugin is not running: a deleted
-- message leaves the index at once, and facts without another source go with it.

create function facts.forget_source(in_channel text, in_message text, in_text text) returns void language plpgsql as $$
begin
  -- With a text: only sources whose quote the text does not contain any more.
  with gone as (
    delete from facts.fact_source
    where channel = in_channel and message = in_message
      and (in_text is null or (quote is not null and position(quote in in_text) = 0))
    returning item
  )
  delete from facts.item i using gone
  where i.id = gone.item and not exists (
    select 1 from facts.fact_source s
    where s.item = i.id and (s.channel, s.message) is distinct from (in_channel, in_message)
  );
end $$;

create function facts.message_changed() returns trigger language plpgsql as $$
begin
  delete from facts.item i using facts.message m where m.seq = old.seq and i.id = m.item;
  if new.deleted_at is not null then
    perform facts.forget_source(old.channel, old.id, null);
  else
    perform facts.forget_source(old.channel, old.id, new.text);
    insert into facts.edited (seq) values (old.seq) on conflict do nothing;
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('facts.message_changed');

-- Retention removes the message from the index. A fact outlives the messages that it comes from.
create function facts.messages_gone() returns trigger language plpgsql as $$
begin
  delete from facts.item i using facts.message m, gone where m.seq = gone.seq and i.id = m.item;
  return null;
end $$;
select kikimimi_v1.after_message_purge('facts.messages_gone');
