-- Each order has a turn of its own, which answers it.
drop table remember.answered;

-- An edited message of a person who opted out is deleted, with its cards: the new words must not be stored, and the old ones do
-- not hold any more. Each process learns of every edit, because the new words may ask not to remember them.
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
  perform pg_notify('remember.edited', '');
  return new;
end $$;
