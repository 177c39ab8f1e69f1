-- Answers that the platform did not take at first.
alter table kikimimi.delivery
  -- When its first sending began.
  add column begun timestamptz,
  -- When it is tried again. Null: at once.
  add column retry_at timestamptz,
  -- The latest time at which it is still sent. Null: it answers no message.
  add column until timestamptz;

-- Other people read the channel now: an answer that was made for the readers of before is not sent.
create function kikimimi.refuse_answers() returns trigger language plpgsql as $$
begin
  update kikimimi.delivery set body = null, state = 'failed'
    where state in ('pending', 'sending') and (conversation = new.id or starts_with(conversation, new.id || '/'));
  return null;
end $$;

create trigger refuse_answers after update of visibility, own_readers, outsiders on kikimimi.conversation
  for each row when (
    old.visibility is distinct from new.visibility
    or old.own_readers is distinct from new.own_readers
    or old.outsiders is distinct from new.outsiders
  ) execute function kikimimi.refuse_answers();
