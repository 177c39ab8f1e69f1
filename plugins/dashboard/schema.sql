-- Written by npm run schema. The migrations make this.

create table dashboard.account (
  name text not null,
  role text not null,
  password text,
  totp text,
  totp_pending text,
  totp_step bigint default 0 not null,
  recovery bytea[] default '{}'::bytea[] not null,
  constraint account_pkey PRIMARY KEY (name),
  constraint account_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'moderator'::text, 'owner'::text])))
);

create table dashboard.change (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  session text not null,
  address text not null,
  what text not null,
  about jsonb not null,
  account text default ''::text not null,
  status smallint not null,
  times integer default 1 not null,
  constraint change_pkey PRIMARY KEY (id)
);
CREATE INDEX change_account ON dashboard.change USING btree (account, id DESC);
CREATE INDEX change_at ON dashboard.change USING btree (at DESC);
CREATE INDEX change_refused ON dashboard.change USING btree (id DESC) WHERE (status >= 400);

create table dashboard.rating (
  turn text not null,
  good boolean not null,
  speaks boolean not null,
  contains text[] not null,
  forbids text[] not null,
  comment text not null,
  by text not null,
  at timestamp with time zone not null,
  constraint rating_pkey PRIMARY KEY (turn)
);
CREATE INDEX rating_at ON dashboard.rating USING btree (at DESC);

create table dashboard.refusal (
  one boolean default true not null,
  count integer not null,
  at timestamp with time zone not null,
  constraint refusal_one_check CHECK (one),
  constraint refusal_pkey PRIMARY KEY (one)
);

create table dashboard.session (
  hash bytea not null,
  begun_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  address text not null,
  browser text not null,
  account text not null,
  constraint session_account_fkey FOREIGN KEY (account) REFERENCES dashboard.account(name) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (hash)
);
CREATE INDEX session_account ON dashboard.session USING btree (account);

create table dashboard.setting_change (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  account text not null,
  changes jsonb not null,
  undoes bigint,
  constraint setting_change_pkey PRIMARY KEY (id),
  constraint setting_change_undoes_fkey FOREIGN KEY (undoes) REFERENCES dashboard.setting_change(id)
);
CREATE INDEX setting_change_undoes ON dashboard.setting_change USING btree (undoes) WHERE (undoes IS NOT NULL);

CREATE OR REPLACE FUNCTION dashboard.before_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi_v1.made_from('dashboard', '', '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION dashboard.keep_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.at < (select max(at) from dashboard.change) - interval '8760 hours' then
    return old;
  end if;
  raise exception '% of dashboard.change is refused: its rows stay for a year as they are', lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION dashboard.keep_sources(in_turn text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select kikimimi_v1.made_from('dashboard', in_turn, array_agg(conversation), array_agg(first), array_agg(last)) from (
    select s.conversation, s.first, s.last from kikimimi_v1.source s where s.owner = 'kikimimi' and s.thing = in_turn
    union all
    select m.conversation, m.seq, m.seq from kikimimi_v1.trace t join kikimimi_v1.message m
      on m.channel = array_to_string((string_to_array(t.conversation, '/'))[1:3], '/') and m.own and t.data->'sent' ? m.id
      where t.turn = in_turn
  ) one
$function$;

CREATE OR REPLACE FUNCTION dashboard.removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform kikimimi_v1.made_from('dashboard', old.turn, '[]');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION dashboard.source_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from dashboard.rating where turn = new.thing and (
    new.stale <> 'closed' or not exists (select 1 from kikimimi_v1.source where owner = 'kikimimi' and thing = new.thing)
  );
  return null;
end $function$;

CREATE TRIGGER change_kept BEFORE DELETE OR UPDATE ON dashboard.change FOR EACH ROW EXECUTE FUNCTION dashboard.keep_change();

CREATE TRIGGER before_removal BEFORE DELETE ON dashboard.rating FOR EACH STATEMENT EXECUTE FUNCTION dashboard.before_removal();

CREATE TRIGGER removed AFTER DELETE ON dashboard.rating FOR EACH ROW EXECUTE FUNCTION dashboard.removed();

CREATE TRIGGER dashboard_source_changed AFTER UPDATE OF stale ON kikimimi.source FOR EACH ROW WHEN (new.owner = 'dashboard'::text AND new.stale IS DISTINCT FROM old.stale) EXECUTE FUNCTION dashboard.source_changed();
