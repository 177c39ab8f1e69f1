-- The places in which something was said, with their visibility at the time: see kikimimi_v1.place_of.
create table profiles.place (
  id int generated always as identity primary key,
  -- platform/workspace, URL-encoded like conversation ids.
  workspace text not null,
  channel text not null,
  place text not null,
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- What the channel is called, where only its threads were heard.
  name text not null,
  unique (place, visibility)
);

-- How much a person talks in a place, and what about.
create table profiles.activity (
  platform text not null,
  person text not null,
  place int not null references profiles.place,
  -- What they were called there last.
  name text not null,
  messages int not null,
  -- Of those, how many call the bot.
  mentions int not null,
  seen_at timestamptz not null,
  -- Words of their last talk there that is over; and which one that was, as in profiles.talk.
  topics jsonb not null default '[]',
  topics_in text,
  topics_first bigint,
  topics_last bigint,
  topics_at timestamptz,
  primary key (platform, person, place)
);
-- For the other people of a place.
create index activity_place on profiles.activity (place);

-- What a person says in a conversation without a long silence: a row until its topics are found. The words stay in the log.
create table profiles.talk (
  platform text not null,
  person text not null,
  conversation text not null,
  -- Its messages in the log.
  first bigint not null,
  last bigint not null,
  place int not null references profiles.place,
  last_at timestamptz not null,
  -- When it counts as over unless it goes on; 1970 for a talk that is over.
  due timestamptz not null,
  primary key (platform, person, conversation, first)
);
-- For talks that are over.
create index talk_due on profiles.talk (due);
create index talk_place on profiles.talk (place);

-- What was understood of a person from a conversation.
create table profiles.note (
  platform text not null,
  person text not null,
  conversation text not null,
  place int not null references profiles.place,
  tags jsonb not null default '[]',
  personality text not null default '',
  last_conversation text not null default '',
  at timestamptz not null,
  -- The messages that it was made from: [{ conversation, first, last }], by `seq`.
  sources jsonb not null default '[]',
  primary key (platform, person, conversation, place)
);
create index note_place on profiles.note (place);

-- Accounts of one person.
create table profiles.account (
  platform text not null,
  person text not null,
  -- The same for all of them.
  identity bigint not null,
  primary key (platform, person)
);
create index account_identity on profiles.account (identity);
create sequence profiles.identity;

-- Up to where the log has been counted, everywhere and in each conversation: its order of recording is an order of writing
-- within a conversation only.
create table profiles.watermark (id int primary key default 1 check (id = 1), seq bigint not null);
insert into profiles.watermark (seq) values (0);
create table profiles.counted (conversation text primary key, seq bigint not null);

-- Forgotten people: messages received until `before` are not counted again, and notes made of them are not kept.
create table profiles.forgotten (
  platform text not null,
  person text not null,
  before timestamptz not null,
  primary key (platform, person)
);

-- What is known about a person, folded from facts. One card for the readers of each realm: what is public in a workspace, and
-- each place that is not public.
create table profiles.card (
  id bigint generated always as identity primary key,
  platform text not null,
  person text not null,
  -- The workspace as in profiles.place, or the place.
  realm text not null,
  -- A hash of the facts that the last run read. Null: the card has to be made anew.
  inputs text,
  checked_at timestamptz not null,
  unique (platform, person, realm)
);

-- The latest version is shown. Earlier ones stay for 30 days, so that a run can be undone.
create table profiles.card_version (
  id bigint generated always as identity primary key,
  card bigint not null references profiles.card on delete cascade,
  made_at timestamptz not null
);
-- For the latest version.
create index card_version_card on profiles.card_version (card, id);

create table profiles.card_line (
  version bigint not null references profiles.card_version on delete cascade,
  line int not null,
  text text not null,
  -- Ids of the facts that it is made of, and their hashes in the same order.
  facts bigint[] not null,
  digests text[] not null,
  -- Ids of the authors of their messages, and of the people that the facts are about.
  people text[] not null,
  primary key (version, line)
);
-- For a person to forget.
create index card_line_people on profiles.card_line using gin (people);

-- ---------------------------------------------------------------- in step with the log

-- A change of a message clears the topics that were made of it, in the same transaction; they are determined again.
create function profiles.message_changed() returns trigger language plpgsql as $$
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
end $$;
select kikimimi_v1.after_message_change('profiles.message_changed');

-- A note is made from the messages of a conversation, or of a channel with its threads. When one of these is edited or deleted, the
-- notes that were written since then go, in the same transaction: their words cannot be told apart.
create function profiles.note_message_changed() returns trigger language plpgsql as $$
begin
  delete from profiles.note where conversation in (old.conversation, old.channel) and at >= old.received_at;
  return null;
end $$;
select kikimimi_v1.after_message_change('profiles.note_message_changed');

-- The facts of a card are its sources, under its id. A change of a fact deletes the lines that rest on it, in the same transaction:
-- also when the message of the fact is deleted, edited or left out. The next run makes the card anew.
create function profiles.card_source_changed() returns trigger language plpgsql as $$
begin
  update profiles.card set inputs = null where id = new.thing::bigint;
  delete from profiles.card_line l using profiles.card_version v
    where v.id = l.version and v.card = new.thing::bigint and l.facts @> array[new.first];
  return null;
end $$;
select kikimimi_v1.after_source_change('profiles.card_source_changed');
