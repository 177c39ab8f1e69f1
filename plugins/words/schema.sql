-- Written by npm run schema. The migrations make this.

create sequence words.word_id;

create table words.asked (
  channel text not null,
  hash text not null,
  at timestamp with time zone not null,
  constraint asked_pkey PRIMARY KEY (channel, hash)
);

create table words.word (
  id bigint not null,
  place text not null,
  visibility text not null,
  channel text not null,
  message text not null,
  word text not null,
  key text not null,
  meaning text not null,
  person text,
  author text not null,
  author_name text not null,
  at timestamp with time zone not null,
  stale boolean default false not null,
  constraint word_pkey PRIMARY KEY (id),
  constraint word_place_visibility_key_author_key UNIQUE (place, visibility, key, author)
);
CREATE INDEX word_channel ON words.word USING btree (channel);
CREATE INDEX word_message ON words.word USING btree (channel, message);
CREATE INDEX word_stale ON words.word USING btree (id) WHERE stale;

CREATE OR REPLACE FUNCTION words.drop(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  one bigint;
begin
  foreach one in array ids loop
    perform kikimimi_v1.made_from('words', one::text, '{}', '{}', '{}');
    delete from words.word where id = one;
    perform kikimimi_v1.thing_changed('words', one);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION words.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update words.word set stale = true where channel = new.channel and message = new.id;
  if found then
    perform pg_notify('words.stale', '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION words.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- What was said in a channel stays readable there.
  if new.stale = 'closed' then
    return null;
  end if;
  update words.word set stale = true where id = new.thing::bigint;
  perform pg_notify('words.stale', '');
  return null;
end $function$;

CREATE TRIGGER words_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION words.message_changed();

CREATE TRIGGER words_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'words'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION words.source_changed();
