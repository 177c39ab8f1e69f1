-- People who opted out, and when: their messages of that time are not recorded, also when they are read later.
create table remember.opt_out (
  -- URL-encoded, as conversation ids begin.
  platform text not null,
  person text not null,
  since timestamptz not null,
  -- Null as long as it lasts.
  until timestamptz,
  primary key (platform, person, since)
);

-- People who said that what follows is off the record, in one conversation and for a while.
create table remember.off_record (
  conversation text not null,
  person text not null,
  until timestamptz not null,
  primary key (conversation, person)
);

-- Open questions of the bot about which of the found facts and messages to forget. They hold no text.
create table remember.question (
  conversation text not null,
  person text not null,
  -- The message that told the bot to forget.
  order_id text not null,
  -- [{ facts: [id], messages: [{ channel, id }] }], in the order of the list.
  choices jsonb not null,
  -- The bot's messages that hold the list.
  listed text[] not null default '{}',
  expires_at timestamptz not null,
  primary key (conversation, person)
);

-- An edited message of a person who opted out is deleted, with its cards: the new words must not be stored, and the old ones do
-- not hold any more. Each process learns of every edit, because the new words may ask not to remember them.
create function remember.edited() returns trigger language plpgsql as $$
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
select kikimimi_v1.before_message_edit('remember.edited');

-- Their reactions are not recorded either. A reaction from before the opt-out stays, and can be taken back.
create function remember.reacted() returns trigger language plpgsql as $$
begin
  if exists (
    select r->>'emoji', p from jsonb_array_elements(new.reactions) r, jsonb_array_elements_text(r->'by') p
      join remember.opt_out o on o.person = p and o.platform = split_part(new.conversation, '/', 1) and o.until is null
    except
    select r->>'emoji', p from jsonb_array_elements(old.reactions) r, jsonb_array_elements_text(r->'by') p
  ) then
    new.reactions := old.reactions;
  end if;
  return new;
end $$;
select kikimimi_v1.before_message_reaction('remember.reacted');
