-- Written by npm run schema. The migrations make this.

create table remember.off_record (
  conversation text not null,
  person text not null,
  until timestamp with time zone not null,
  constraint off_record_pkey PRIMARY KEY (conversation, person)
);

create table remember.opt_out (
  platform text not null,
  person text not null,
  since timestamp with time zone not null,
  until timestamp with time zone,
  constraint opt_out_pkey PRIMARY KEY (platform, person, since)
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
end $function$;

CREATE OR REPLACE FUNCTION remember.reacted()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE TRIGGER remember_edited BEFORE UPDATE OF text ON kikimimi.message FOR EACH ROW WHEN (NOT old.own AND old.text IS DISTINCT FROM new.text AND old.edited_at IS DISTINCT FROM new.edited_at AND new.deleted_at IS NULL) EXECUTE FUNCTION remember.edited();

CREATE TRIGGER remember_reacted BEFORE UPDATE OF reactions ON kikimimi.message FOR EACH ROW WHEN (old.reactions IS DISTINCT FROM new.reactions AND new.reactions <> '[]'::jsonb) EXECUTE FUNCTION remember.reacted();
