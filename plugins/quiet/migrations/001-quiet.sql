-- Where somebody has asked the bot to be quiet.
create table quiet.mute (
  -- The id of the conversation without its thread.
  channel text primary key,
  until timestamptz not null
);
