-- The messages that a note was made from: [{ conversation, first, last }], by `seq`.
alter table profiles.note add column sources jsonb not null default '[]';

-- A note is made from the messages of a conversation, or of a channel with its threads. When one of these is edited or deleted, the
-- notes that were written since then go, in the same transaction: their words cannot be told apart.
create function profiles.note_message_changed() returns trigger language plpgsql as $$
begin
  delete from profiles.note where conversation in (old.conversation, old.channel) and at >= old.received_at;
  return null;
end $$;
select kikimimi_v1.after_message_change('profiles.note_message_changed');
