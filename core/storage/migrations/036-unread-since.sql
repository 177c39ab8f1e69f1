-- Conversations that may have no recorded message, whose history is to be read from this time on.
create table kikimimi.unread_since (
  conversation text primary key,
  platform text not null,
  since timestamptz not null
);
