-- Written by npm run schema. The migrations make this.

create table reflection.place (
  id text not null,
  version integer default 0 not null,
  failures integer default 0 not null,
  refusals integer default 0 not null,
  failed_upto bigint,
  retry_at timestamp with time zone,
  constraint place_pkey PRIMARY KEY (id)
);

create table reflection.progress (
  conversation text not null,
  place text not null,
  visibility text not null,
  upto bigint not null,
  pending boolean not null,
  constraint progress_pkey PRIMARY KEY (conversation),
  constraint progress_visibility_check CHECK ((visibility = ANY (ARRAY['public'::text, 'private'::text, 'direct'::text])))
);
CREATE INDEX progress_pending ON reflection.progress USING btree (place) WHERE pending;

create table reflection.set_aside (
  seq bigint not null,
  place text not null,
  at timestamp with time zone not null,
  constraint set_aside_pkey PRIMARY KEY (seq)
);

create table reflection.watermark (
  id integer default 1 not null,
  seq bigint not null,
  began bigint not null,
  constraint watermark_id_check CHECK ((id = 1)),
  constraint watermark_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION reflection.messages_gone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from reflection.set_aside a using gone where a.seq = gone.seq;
  return null;
end $function$;

CREATE TRIGGER reflection_messages_gone AFTER DELETE ON kikimimi.message REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION reflection.messages_gone();
