-- One row for each channel or thread in which the bot receives messages.
create table kikimimi.conversation (
  id text primary key,
  platform text not null,
  workspace text not null,
  channel text not null,
  thread text,
  name text not null,
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- `seq` of the last message that the bot has processed. It only grows; the process that moves it sends the answer.
  processed bigint not null default 0,
  -- Id of the last message before a gap: later messages are being read from the platform's history, or could not be read.
  unread_after text,
  last_reply_at timestamptz
);

-- The message log. `seq` is the order of recording.
create table kikimimi.message (
  seq bigint generated always as identity primary key,
  conversation text not null,
  -- Id of the conversation without its thread: message ids are unique in a channel.
  channel text not null,
  id text not null,
  author_id text not null,
  author_name text not null,
  author_bot boolean not null,
  own boolean not null,
  -- The message was read later, from the platform's history.
  missed boolean not null,
  addressed text,
  text text not null,
  mentions jsonb not null,
  attachments jsonb not null,
  -- [{ emoji, by: [ids of people] }]
  reactions jsonb not null default '[]',
  reply_to text,
  at timestamptz not null,
  received_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- An event that is delivered twice is recorded once.
  unique (channel, id)
);
-- For the last messages of a conversation.
create index message_conversation_seq on kikimimi.message (conversation, seq desc);
-- For retention.
create index message_received_at on kikimimi.message (received_at);

-- Outgoing replies. A row is written before the first request to the platform.
create table kikimimi.delivery (
  nonce text primary key,
  conversation text not null,
  turn text not null,
  part int not null,
  kind text not null check (kind in ('text', 'reaction')),
  -- The text or the emoji. Null once it is sent, because the message log then has it.
  body text,
  target text,
  answers text,
  -- The thread that the first part of the answer has opened.
  thread text,
  -- pending: not started. sending: started. sent, failed: finished. lost: started by a process that died.
  state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'lost')),
  message text,
  at timestamptz not null
);
-- For deliveries that a crash interrupted.
create index delivery_unfinished on kikimimi.delivery (conversation) where state in ('pending', 'sending');
-- For retention.
create index delivery_at on kikimimi.delivery (at);

-- Cost of model calls: a row for each hour and each day, for the whole bot and for each channel.
create table kikimimi.spending (
  -- The id of a channel, or '' for the whole bot.
  scope text not null,
  period text not null check (period in ('hour', 'day')),
  start timestamptz not null,
  tokens bigint not null,
  -- In the currency of the prices in bot.config.ts.
  money double precision not null,
  -- Channels that have been told that the budget is used up.
  noticed text[] not null default '{}',
  primary key (scope, period, start)
);
-- For the cost of an hour or a day by channel, and for retention.
create index spending_start on kikimimi.spending (start, period);

create table kikimimi.trace (
  -- Orders turns that began in the same millisecond.
  seq bigint generated always as identity,
  turn text primary key,
  conversation text not null,
  at timestamptz not null,
  outcome text not null,
  trigger text not null,
  data jsonb not null
);
-- For the last turns of a conversation.
create index trace_conversation_at on kikimimi.trace (conversation, at desc);
-- For retention.
create index trace_at on kikimimi.trace (at);
-- For turns that other processes have added.
create index trace_seq on kikimimi.trace (seq);
