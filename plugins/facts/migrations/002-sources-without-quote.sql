-- A source without a quote is the whole message: it goes when the message does not say that any more.
create or replace function facts.message_changed() returns trigger language plpgsql as $$
begin
  delete from facts.item i using facts.message m where m.seq = old.seq and i.id = m.item;
  if new.deleted_at is not null then
    perform facts.forget_source(old.channel, old.id, null);
  else
    update facts.fact_source set quote = old.text where channel = old.channel and message = old.id and quote is null;
    perform facts.forget_source(old.channel, old.id, new.text);
    insert into facts.edited (seq) values (old.seq) on conflict do nothing;
  end if;
  return null;
end $$;
