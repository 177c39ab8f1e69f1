-- The places in which something was said, with their visibility at the time: see kikimimi_v1.place_of and kikimimi_v1.readable.
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

-- The visibility of a conversation before it was opened or closed. Messages from before may be counted later, and belong to
-- the people who could read them then.
create table profiles.changed (
  conversation text not null,
  -- `seq` of the last message before the change.
  upto bigint not null,
  visibility text not null,
  primary key (conversation, upto)
);
create function profiles.visibility_changed() returns trigger language plpgsql as $$
begin
  insert into profiles.changed (conversation, upto, visibility)
    select old.id, coalesce(max(seq), 0), old.visibility from kikimimi_v1.message
    on conflict do nothing;
  return null;
end $$;
select kikimimi_v1.after_visibility_change('profiles.visibility_changed');

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
