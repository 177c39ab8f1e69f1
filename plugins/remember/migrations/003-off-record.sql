-- People who said that what follows is off the record, in one conversation and for a while.
create table remember.off_record (
  conversation text not null,
  person text not null,
  until timestamptz not null,
  primary key (conversation, person)
);
