-- Written by npm run schema. The migrations make this.

create table knowledge.document (
  id bigint generated always as identity not null,
  source integer not null,
  path text not null,
  version text,
  hash text,
  title text default ''::text not null,
  link text,
  problem text,
  checked_at timestamp with time zone not null,
  channel text,
  message text,
  author text,
  constraint document_pkey PRIMARY KEY (id),
  constraint document_source_fkey FOREIGN KEY (source) REFERENCES knowledge.source(id) ON DELETE CASCADE,
  constraint document_source_path_key UNIQUE (source, path)
);
CREATE INDEX document_message ON knowledge.document USING btree (channel, message) WHERE (channel IS NOT NULL);

create table knowledge.passage (
  id bigint generated always as identity not null,
  document bigint not null,
  source integer not null,
  hash text not null,
  headings text[] not null,
  anchor text,
  text text not null,
  tokens integer[] not null,
  words integer not null,
  space text,
  constraint passage_document_fkey FOREIGN KEY (document) REFERENCES knowledge.document(id) ON DELETE CASCADE,
  constraint passage_pkey PRIMARY KEY (id)
);
CREATE INDEX passage_document ON knowledge.passage USING btree (document);
CREATE INDEX passage_source ON knowledge.passage USING btree (source);
CREATE INDEX passage_tokens ON knowledge.passage USING gin (tokens) WITH (fastupdate=off);

create table knowledge.question (
  turn text not null,
  conversation text not null,
  channel text not null,
  message text not null,
  at timestamp with time zone not null,
  found jsonb not null,
  author text default ''::text not null,
  constraint question_pkey PRIMARY KEY (turn)
);
CREATE INDEX question_at ON knowledge.question USING btree (at);
CREATE INDEX question_message ON knowledge.question USING btree (channel, message);

create table knowledge.source (
  id integer generated always as identity not null,
  name text not null,
  problem text,
  checked_at timestamp with time zone,
  passages bigint default 0 not null,
  words bigint default 0 not null,
  conversation text,
  visibility text,
  constraint source_name_key UNIQUE (name),
  constraint source_pkey PRIMARY KEY (id)
);

create table knowledge.token (
  token integer not null,
  source integer not null,
  passages integer not null,
  constraint token_pkey PRIMARY KEY (token, source)
) with (fillfactor=70);

create table knowledge.vector (
  passage bigint not null,
  source integer not null,
  space text not null,
  embedding vector not null,
  constraint vector_passage_fkey FOREIGN KEY (passage) REFERENCES knowledge.passage(id) ON DELETE CASCADE,
  constraint vector_pkey PRIMARY KEY (passage)
);
CREATE INDEX vector_space ON knowledge.vector USING btree (space, source);

CREATE OR REPLACE FUNCTION knowledge.message_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  gone bigint[];
begin
  gone := array(
    select d.id from knowledge.document d
    where d.channel = old.channel and d.message = old.id and (new.deleted_at is not null or d.path = 'message:' || old.id)
  );
  if gone <> '{}' then
    delete from knowledge.passage where document = any(gone);
    delete from knowledge.document where id = any(gone);
    perform pg_notify('knowledge_changed', old.channel);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION knowledge.passage_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into knowledge.token as t (token, source, passages)
    select w.token, a.source, count(*) from added a, lateral (select distinct unnest(a.tokens) as token) w
    group by w.token, a.source order by w.token, a.source
    on conflict (token, source) do update set passages = t.passages + excluded.passages;
  update knowledge.source s set passages = s.passages + a.passages, words = s.words + a.words
    from (select source, count(*) as passages, sum(words) as words from added group by source) a where a.source = s.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION knowledge.passage_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with gone as (
    select w.token, r.source, count(*) as passages from removed r, lateral (select distinct unnest(r.tokens) as token) w
    group by w.token, r.source
  ), locked as (
    select t.token, t.source, g.passages from knowledge.token t join gone g using (token, source)
    order by t.token, t.source for update of t
  )
  update knowledge.token t set passages = t.passages - l.passages from locked l where t.token = l.token and t.source = l.source;
  delete from knowledge.token t using removed r where t.source = r.source and t.passages <= 0 and t.token = any(r.tokens);
  update knowledge.source s set passages = s.passages - r.passages, words = s.words - r.words
    from (select source, count(*) as passages, sum(words) as words from removed group by source) r where r.source = s.id;
  return null;
end $function$;

CREATE TRIGGER knowledge_message_changed AFTER UPDATE OF text, deleted_at ON kikimimi.message FOR EACH ROW WHEN (old.text IS DISTINCT FROM new.text OR old.deleted_at IS DISTINCT FROM new.deleted_at) EXECUTE FUNCTION knowledge.message_changed();

CREATE TRIGGER passage_added AFTER INSERT ON knowledge.passage REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION knowledge.passage_added();

CREATE TRIGGER passage_removed AFTER DELETE ON knowledge.passage REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION knowledge.passage_removed();
