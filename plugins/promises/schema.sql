-- Written by npm run schema. The migrations make this.

create table promises.dropped (
  name text not null,
  place jsonb not null,
  author text not null,
  author_name text not null,
  locale text,
  constraint dropped_pkey PRIMARY KEY (name)
);

create table promises.edited (
  channel text not null,
  message text not null,
  constraint edited_pkey PRIMARY KEY (channel, message)
);

create table promises.hook_call (
  hook text not null,
  signature text not null,
  at timestamp with time zone not null,
  constraint hook_call_pkey PRIMARY KEY (hook, signature)
);

create table promises.question (
  conversation text not null,
  person text not null,
  channel text not null,
  message text not null,
  expires_at timestamp with time zone not null,
  constraint question_pkey PRIMARY KEY (conversation, person)
);

create table promises.refusal (
  platform text not null,
  person text not null,
  constraint refusal_pkey PRIMARY KEY (platform, person)
);

create table promises.reminder (
  id bigint generated always as identity not null,
  kind text not null,
  conversation text not null,
  channel text not null,
  place jsonb not null,
  author text not null,
  author_name text not null,
  message text,
  content text not null,
  locale text not null,
  at timestamp with time zone not null,
  repeat jsonb,
  zone text not null,
  made_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  failed integer default 0 not null,
  target text,
  target_name text,
  told_at timestamp with time zone,
  part integer default 0 not null,
  constraint reminder_kind_check CHECK ((kind = ANY (ARRAY['reminder'::text, 'promise'::text]))),
  constraint reminder_pkey PRIMARY KEY (id)
);
CREATE INDEX reminder_conversation_at_idx ON promises.reminder USING btree (conversation, at);
CREATE UNIQUE INDEX reminder_channel_message_kind_content_part_idx ON promises.reminder USING btree (channel, message, kind, content, part) WHERE (message IS NOT NULL);

create table promises.unsaid (
  reminder bigint not null,
  platform text not null,
  person text not null,
  locale text not null,
  why text not null,
  at timestamp with time zone not null,
  known boolean default false not null,
  constraint unsaid_pkey PRIMARY KEY (reminder),
  constraint unsaid_why_check CHECK ((why = ANY (ARRAY['halted'::text, 'failed'::text, 'readers'::text, 'refuses'::text])))
);
CREATE INDEX unsaid_platform_person_idx ON promises.unsaid USING btree (platform, person) WHERE (NOT known);

create table promises.watch (
  id bigint generated always as identity not null,
  conversation text not null,
  channel text not null,
  place jsonb not null,
  author text not null,
  author_name text not null,
  message text,
  words text not null,
  content text not null,
  made_at timestamp with time zone not null,
  told_at timestamp with time zone,
  constraint watch_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX watch_channel_message_idx ON promises.watch USING btree (channel, message) WHERE (message IS NOT NULL);

create table promises.watch_told (
  watch bigint not null,
  person text not null,
  constraint watch_told_pkey PRIMARY KEY (watch, person),
  constraint watch_told_watch_fkey FOREIGN KEY (watch) REFERENCES promises.watch(id) ON DELETE CASCADE
);

CREATE OR REPLACE FUNCTION promises.before_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi_v1.made_from('promises', '', '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION promises.drop_reminders(ids bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if cardinality(ids) > 0 then
    with gone as (delete from promises.reminder where id = any(ids) returning *)
    insert into promises.dropped (name, place, author, author_name, locale)
      select id, place, author, author_name, locale from gone where kind = 'reminder' and (told_at is null or repeat is not null);
    perform pg_notify('promises.edited', '');
  end if;
end $function$;

CREATE OR REPLACE FUNCTION promises.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.deleted_at is not null then
    perform promises.drop_reminders(array(select id from promises.reminder where channel = new.channel and message = new.id));
    delete from promises.edited where channel = new.channel and message = new.id;
    with gone as (delete from promises.watch where channel = new.channel and message = new.id returning *)
    insert into promises.dropped (name, place, author, author_name) select 'w' || id, place, author, author_name from gone;
    if found then
      perform pg_notify('promises.watch', '');
      perform pg_notify('promises.edited', '');
    end if;
  elsif new.text is distinct from old.text then
    insert into promises.edited
    select new.channel, new.id where exists (
      select 1 from promises.reminder where channel = new.channel and message = new.id and kind = 'reminder'
      union all select 1 from promises.watch where channel = new.channel and message = new.id
    ) on conflict do nothing;
    if found then
      perform pg_notify('promises.edited', '');
    end if;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION promises.removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi_v1.made_from('promises', old.id::text, '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION promises.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform promises.drop_reminders(array(
    select id from promises.reminder where id = new.thing::bigint
      and (new.stale <> 'closed' or not starts_with(new.conversation || '/', channel || '/'))
  ));
  return null;
end $function$;

CREATE TRIGGER promises_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION promises.message_changed();

CREATE TRIGGER promises_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'promises'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION promises.source_changed();

CREATE TRIGGER before_removal BEFORE DELETE ON promises.reminder FOR EACH STATEMENT EXECUTE FUNCTION promises.before_removal();

CREATE TRIGGER removed AFTER DELETE ON promises.reminder FOR EACH ROW EXECUTE FUNCTION promises.removed();
