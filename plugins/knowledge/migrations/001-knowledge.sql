-- What documents come from, by its name in bot.config.ts. `passages` and `words` are kept by triggers.
create table knowledge.source (
  id int generated always as identity primary key,
  name text not null unique,
  -- Why it could not be read the last time; null: it could.
  problem text,
  -- When all of it was read the last time.
  checked_at timestamptz,
  passages bigint not null default 0,
  words bigint not null default 0,
  -- The channel of a source that is one, and its visibility when it was read. Null: the source is none.
  conversation text,
  visibility text
);

-- A file or a page. `hash` is that of the bytes whose passages are complete; null: none are yet.
create table knowledge.document (
  id bigint generated always as identity primary key,
  source int not null references knowledge.source on delete cascade,
  path text not null,
  version text,
  hash text,
  title text not null default '',
  link text,
  problem text,
  checked_at timestamptz not null,
  -- The message that a document comes from, and its author. Null: it comes from none.
  channel text,
  message text,
  author text,
  unique (source, path)
);
-- For a message of the log that was changed, and a person who is forgotten.
create index document_message on knowledge.document (channel, message) where channel is not null;

-- A piece of a document. `tokens` are ids of words, with repetitions; `space` names the model of its vector.
create table knowledge.passage (
  id bigint generated always as identity primary key,
  document bigint not null references knowledge.document on delete cascade,
  source int not null,
  hash text not null,
  headings text[] not null,
  anchor text,
  text text not null,
  tokens int[] not null,
  words int not null,
  space text
);
create index passage_document on knowledge.passage (document);
create index passage_source on knowledge.passage (source);
-- Finds the passages that have a word. An index row for each word and passage would take ten times as much space.
create index passage_tokens on knowledge.passage using gin (tokens) with (fastupdate = off);

-- In how many passages of a source a word is.
create table knowledge.token (
  token int not null,
  source int not null,
  passages int not null,
  primary key (token, source)
) with (fillfactor = 70);

create table knowledge.vector (
  passage bigint primary key references knowledge.passage on delete cascade,
  source int not null,
  space text not null,
  embedding vector not null
);
create index vector_space on knowledge.vector (space, source);

-- In one order, so that two writers do not wait for each other.
create function knowledge.passage_added() returns trigger language plpgsql as $$
begin
  insert into knowledge.token as t (token, source, passages)
    select w.token, a.source, count(*) from added a, lateral (select distinct unnest(a.tokens) as token) w
    group by w.token, a.source order by w.token, a.source
    on conflict (token, source) do update set passages = t.passages + excluded.passages;
  update knowledge.source s set passages = s.passages + a.passages, words = s.words + a.words
    from (select source, count(*) as passages, sum(words) as words from added group by source) a where a.source = s.id;
  return null;
end $$;
create trigger passage_added after insert on knowledge.passage
  referencing new table as added for each statement execute function knowledge.passage_added();

create function knowledge.passage_removed() returns trigger language plpgsql as $$
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
end $$;
create trigger passage_removed after delete on knowledge.passage
  referencing old table as removed for each statement execute function knowledge.passage_removed();

-- What was found for the questions that the bot answered, without their words: these are in the message log alone.
create table knowledge.question (
  turn text primary key,
  conversation text not null,
  channel text not null,
  message text not null,
  at timestamptz not null,
  -- [{ source, place, score, cited }], best first
  found jsonb not null
);
create index question_at on knowledge.question (at);
create index question_message on knowledge.question (channel, message);

-- A deleted message takes its documents along, and an edited one its text, in the same transaction. The next reading brings the new text.
create function knowledge.message_changed() returns trigger language plpgsql as $$
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
end $$;
select kikimimi_v1.after_message_change('knowledge.message_changed');
