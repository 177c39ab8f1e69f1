-- Written by npm run schema. The migrations make this.

create table remember.off_record (
  conversation text not null,
  person text not null,
  until timestamp with time zone not null,
  constraint off_record_pkey PRIMARY KEY (conversation, person)
);

create table remember.question (
  conversation text not null,
  person text not null,
  order_id text not null,
  choices jsonb not null,
  listed text[] default '{}'::text[] not null,
  expires_at timestamp with time zone not null,
  constraint question_pkey PRIMARY KEY (conversation, person)
);

CREATE OR REPLACE FUNCTION remember.edited()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('remember.edited', '');
  return new;
end $function$;

CREATE TRIGGER remember_edited BEFORE UPDATE OF text ON kikimimi.message FOR EACH ROW WHEN (NOT old.own AND old.text IS DISTINCT FROM new.text AND old.edited_at IS DISTINCT FROM new.edited_at AND new.deleted_at IS NULL) EXECUTE FUNCTION remember.edited();
