-- Each order has a turn of its own, which answers it.
drop table remember.answered;

-- An edit brings new words of a person who opted out, and the old words do not hold any more: the message is deleted, with its cards.
create or replace function remember.edited() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from remember.opt_out
    where platform = split_part(old.conversation, '/', 1) and person = old.author_id and until is null
  ) then
    new.text := '';
    new.mentions := '[]';
    new.attachments := '[]';
    new.parts := '[]';
    new.reactions := '[]';
    new.deleted_at := new.edited_at;
  end if;
  return new;
end $$;
