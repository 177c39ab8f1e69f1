-- Written by npm run schema. The migrations make this.

create sequence profiles.identity;

create table profiles.account (
  platform text not null,
  person text not null,
  identity bigint not null,
  constraint account_pkey PRIMARY KEY (platform, person)
);
CREATE INDEX account_identity ON profiles.account USING btree (identity);

create table profiles.activity (
  platform text not null,
  person text not null,
  place integer not null,
  name text not null,
  messages integer not null,
  mentions integer not null,
  seen_at timestamp with time zone not null,
  topics jsonb default '[]'::jsonb not null,
  topics_in text,
  topics_first bigint,
  topics_last bigint,
  topics_at timestamp with time zone,
  constraint activity_pkey PRIMARY KEY (platform, person, place),
  constraint activity_place_fkey FOREIGN KEY (place) REFERENCES profiles.place(id)
);
CREATE INDEX activity_place ON profiles.activity USING btree (place);

create table profiles.card (
  id bigint generated always as identity not null,
  platform text not null,
  person text not null,
  realm text not null,
  inputs text,
  checked_at timestamp with time zone not null,
  constraint card_pkey PRIMARY KEY (id),
  constraint card_platform_person_realm_key UNIQUE (platform, person, realm)
);

create table profiles.card_line (
  version bigint not null,
  line integer not null,
  text text not null,
  facts bigint[] not null,
  digests text[] not null,
  people text[] not null,
  constraint card_line_pkey PRIMARY KEY (version, line),
  constraint card_line_version_fkey FOREIGN KEY (version) REFERENCES profiles.card_version(id) ON DELETE CASCADE
);
CREATE INDEX card_line_people ON profiles.card_line USING gin (people);

create table profiles.card_version (
  id bigint generated always as identity not null,
  card bigint not null,
  made_at timestamp with time zone not null,
  constraint card_version_card_fkey FOREIGN KEY (card) REFERENCES profiles.card(id) ON DELETE CASCADE,
  constraint card_version_pkey PRIMARY KEY (id)
);
CREATE INDEX card_version_card ON profiles.card_version USING btree (card, id);

create table profiles.forgotten (
  platform text not null,
  person text not null,
  before timestamp with time zone not null,
  constraint forgotten_pkey PRIMARY KEY (platform, person)
);

create table profiles.note (
  platform text not null,
  person text not null,
  conversation text not null,
  place integer not null,
  tags jsonb default '[]'::jsonb not null,
  personality text default ''::text not null,
  last_conversation text default ''::text not null,
  at timestamp with time zone not null,
  sources jsonb default '[]'::jsonb not null,
  constraint note_pkey PRIMARY KEY (platform, person, conversation, place),
  constraint note_place_fkey FOREIGN KEY (place) REFERENCES profiles.place(id)
);
CREATE INDEX note_place ON profiles.note USING btree (place);

create table profiles.place (
  id integer generated always as identity not null,
  workspace text not null,
  channel text not null,
  place text not null,
  visibility text not null,
  name text not null,
  constraint place_pkey PRIMARY KEY (id),
  constraint place_place_visibility_key UNIQUE (place, visibility),
  constraint place_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'direct'::text])))
);

create table profiles.talk (
  platform text not null,
  person text not null,
  conversation text not null,
  first bigint not null,
  last bigint not null,
  place integer not null,
  last_at timestamp with time zone not null,
  due timestamp with time zone not null,
  constraint talk_pkey PRIMARY KEY (platform, person, conversation, first),
  constraint talk_place_fkey FOREIGN KEY (place) REFERENCES profiles.place(id)
);
CREATE INDEX talk_due ON profiles.talk USING btree (due);
CREATE INDEX talk_place ON profiles.talk USING btree (place);

CREATE OR REPLACE FUNCTION profiles.card_source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update profiles.card set inputs = null where id = new.thing::bigint;
  delete from profiles.card_line l using profiles.card_version v
    where v.id = l.version and v.card = new.thing::bigint and l.facts @> array[new.first];
  return null;
end $function$;

CREATE OR REPLACE FUNCTION profiles.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with touched as (
    update profiles.activity a set topics = '[]' from kikimimi_v1.conversation c
    where c.id = old.conversation and a.platform = c.platform and a.person = old.author_id
      and a.topics_in = old.conversation and old.seq between a.topics_first and a.topics_last
    returning a.*
  )
  insert into profiles.talk (platform, person, conversation, first, last, place, last_at, due)
    select platform, person, topics_in, topics_first, topics_last, place, topics_at, 'epoch' from touched
    on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION profiles.note_message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from profiles.note where conversation in (old.conversation, old.channel) and at >= old.received_at;
  return null;
end $function$;

CREATE TRIGGER profiles_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION profiles.message_changed();

CREATE TRIGGER profiles_note_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION profiles.note_message_changed();

CREATE TRIGGER profiles_card_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'profiles'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION profiles.card_source_changed();
