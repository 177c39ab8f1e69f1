-- The people whom a message that is not sent yet notifies: [{"id": …, "name": …}].
alter table kikimimi.delivery add column notify jsonb;

-- A finished delivery names nobody.
create function kikimimi.forget_notified() returns trigger language plpgsql as $$
begin
  new.notify := null;
  return new;
end $$;
create trigger forget_notified before update of body on kikimimi.delivery
  for each row when (new.body is null and new.notify is not null) execute function kikimimi.forget_notified();
