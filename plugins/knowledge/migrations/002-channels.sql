-- The channel of a source that is one, and its visibility when it was read. Null: the source is none.
alter table knowledge.source add column conversation text, add column visibility text;

-- The message that a document comes from, and its author. Null: it comes from none.
alter table knowledge.document add column channel text, add column message text, add column author text;
-- A message of the log was changed; a person is forgotten.
create index document_message on knowledge.document (channel, message) where channel is not null;

-- A deleted message takes its documents along, and an edited one its text, in the same transaction. The next reading brings the new text.
create function knowledge.message_changed() returns trigger language plpgsql as $$
declare
  gone bigint[];
begin
  gone := array(
    select d.id from knowledge.document d
    where d.channel = old.channel and d.message = old.id and (new.deleted_at is not null or d.path = 'message:' || old.id)
  );
  if gone <> '{}' then
    delete from knowledge.passage where document = any(gone);
    delete from knowledge.document where id = any(gone);
    perform pg_notify('knowledge_changed', old.channel);
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('knowledge.message_changed');
