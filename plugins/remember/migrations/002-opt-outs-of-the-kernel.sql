-- The kernel keeps opt-outs, with their rules for edits and reactions. Its migration has moved the rows.
drop function remember.reacted() cascade;
drop table remember.opt_out;

-- Each process learns of every edit, because the new words may ask not to remember them.
create or replace function remember.edited() returns trigger language plpgsql as $$
begin
  perform pg_notify('remember.edited', '');
  return new;
end $$;
