-- Written by npm run schema. The migrations make this.

create table digest.plan (
  channel text not null,
  conversation jsonb not null,
  at timestamp with time zone not null,
  schedule text not null,
  since timestamp with time zone not null,
  constraint plan_pkey PRIMARY KEY (channel)
);

create table digest.post (
  id bigint generated always as identity not null,
  conversation jsonb not null,
  messages text[],
  at timestamp with time zone not null,
  stale boolean default false not null,
  constraint post_pkey PRIMARY KEY (id)
);
CREATE INDEX post_at ON digest.post USING btree (at);
CREATE INDEX post_stale ON digest.post USING btree (id) WHERE stale;

CREATE OR REPLACE FUNCTION digest.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- What was said in a channel stays readable there.
  if new.stale = 'closed' then
    return null;
  end if;
  update digest.post set stale = true where id = new.thing::bigint;
  perform pg_notify('digest.stale', '');
  return null;
end $function$;

CREATE TRIGGER digest_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'digest'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION digest.source_changed();
