-- A note is made from the messages of its place: a conversation, with a `+` where outsiders read it. When one of these is edited or
-- deleted, the notes that were written since then go, in the same transaction: their words cannot be told apart.
create function profiles.note_message_changed() returns trigger language plpgsql as $$
begin
  delete from profiles.note where rtrim(conversation, '+') in (old.conversation, old.channel) and at >= old.received_at;
  return null;
end $$;
select kikimimi_v1.after_message_change('profiles.note_message_changed');
