-- What people said that a word means, in their own words.
create sequence words.word_id;

create table words.word (
  id bigint primary key,
  -- Who reads along where it was said.
  place text not null,
  visibility text not null,
  -- The id of the channel, and of the message there that says it.
  channel text not null,
  message text not null,
  word text not null,
  -- The word in lower case and folded width.
  key text not null,
  meaning text not null,
  -- The person whose nickname it is.
  person text,
  author text not null,
  author_name text not null,
  at timestamptz not null,
  -- A message that it was made from has changed. It is not shown, and is soon read again.
  stale boolean not null default false,
  -- A person says it anew.
  unique (place, visibility, key, author)
);
create index word_channel on words.word (channel);
-- For an edit of its message.
create index word_message on words.word (channel, message);
create index word_stale on words.word (id) where stale;

-- Hashes of words that a model was asked for, so that it is asked once.
create table words.asked (
  channel text not null,
  hash text not null,
  at timestamptz not null,
  primary key (channel, hash)
);

create function words.source_changed() returns trigger language plpgsql as $$
begin
  -- What was said in a channel stays readable there.
  if new.stale = 'closed' then
    return null;
  end if;
  update words.word set stale = true where id = new.thing::bigint;
  perform pg_notify('words.stale', '');
  return null;
end $$;
select kikimimi_v1.after_source_change('words.source_changed');

-- An edit that only adds words does not change a source, and can change a meaning.
create function words.message_changed() returns trigger language plpgsql as $$
begin
  update words.word set stale = true where channel = new.channel and message = new.id;
  if found then
    perform pg_notify('words.stale', '');
  end if;
  return null;
end $$;
select kikimimi_v1.after_message_change('words.message_changed');

-- Forgets words, and the answers of the bot that had them on screen.
create function words.drop(ids bigint[]) returns void language plpgsql as $$
declare
  one bigint;
begin
  foreach one in array ids loop
    perform kikimimi_v1.made_from('words', one::text, '{}', '{}', '{}');
    delete from words.word where id = one;
    perform kikimimi_v1.thing_changed('words', one);
  end loop;
end $$;
