-- The indexed message before another one is found in the index.
alter table facts.message add column conversation text;
update facts.message m set conversation = l.conversation from kikimimi_v1.message l where l.seq = m.seq;
update facts.message set conversation = channel where conversation is null;
alter table facts.message alter column conversation set not null;
create index message_conversation on facts.message (conversation, seq desc);

-- The bot keeps how far the log is indexed, and which messages were edited.
select kikimimi_v1.keep_index('facts', w.seq, '[]', array(select seq from facts.edited)) from facts.watermark w;
create or replace function facts.message_changed() returns trigger language plpgsql as $$
begin
  delete from facts.item i using facts.message m where m.seq = old.seq and i.id = m.item;
  if new.deleted_at is not null then
    perform facts.forget_source(old.channel, old.id, null);
  else
    update facts.fact_source set quote = old.text where channel = old.channel and message = old.id and quote is null;
    perform facts.forget_source(old.channel, old.id, new.text);
  end if;
  return null;
end $$;
drop table facts.edited, facts.watermark;
