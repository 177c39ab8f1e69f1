-- One row for each channel or thread that the bot has heard.
create table kikimimi.conversation (
  id text primary key,
  platform text not null,
  workspace text not null,
  channel text not null,
  thread text,
  name text not null,
  visibility text not null check (visibility in ('public', 'private', 'direct')),
  -- Everything up to this message has been processed at. It only grows, and whoever moves it owns the answer.
  processed bigint not null default 0,
  -- What was said after this message is being read from the platform's history, or could not be.
  unread_after text,
  last_reply_at timestamptz
);

-- The message log. `seq` is the order of recording.
create table kikimimi.message (
  seq bigint generated always as identity primary key,
  conversation text not null,
  -- The conversation without its thread: ids are unique in a channel.
  channel text not null,
  id text not null,
  author_id text not null,
  author_name text not null,
  author_bot boolean not null,
  own boolean not null,
  -- Read later, from the platform's history.
  missed boolean not null,
  addressed text,
  text text not null,
  mentions jsonb not null,
  attachments jsonb not null,
  -- [{ emoji, by: [people] }]
  reactions jsonb not null default '[]',
  reply_to text,
  at timestamptz not null,
  received_at timestamptz not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  -- A redelivered event meets its own row.
  unique (channel, id)
);
-- The last messages of a conversation.
create index message_conversation_seq on kikimimi.message (conversation, seq desc);
-- Retention.
create index message_received_at on kikimimi.message (received_at);

-- Replies on their way out, written before the first byte leaves.
create table kikimimi.delivery (
  nonce text primary key,
  conversation text not null,
  turn text not null,
  part int not null,
  kind text not null check (kind in ('text', 'reaction')),
  -- The text or the emoji; gone once sent, for the message log has it.
  body text,
  target text,
  answers text,
  -- The thread that the beginning of the answer has opened.
  thread text,
  -- pending: not begun. sending: begun. sent, failed: known. lost: begun by a process that died.
  state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'lost')),
  message text,
  at timestamptz not null
);
-- What a crash left behind.
create index delivery_unfinished on kikimimi.delivery (conversation) where state in ('pending', 'sending');
-- Retention.
create index delivery_at on kikimimi.delivery (at);

-- What models have cost. A row for each hour and day, of the bot and of each channel.
create table kikimimi.spending (
  -- The id of a channel, or '' for the whole bot.
  scope text not null,
  period text not null check (period in ('hour', 'day')),
  start timestamptz not null,
  tokens bigint not null,
  -- In the currency of the prices in bot.config.ts.
  money double precision not null,
  -- Channels that have been told that it is spent.
  noticed text[] not null default '{}',
  primary key (scope, period, start)
);

create table kikimimi.trace (
  -- Turns of one millisecond have an order too.
  seq bigint generated always as identity,
  turn text primary key,
  conversation text not null,
  at timestamptz not null,
  outcome text not null,
  trigger text not null,
  data jsonb not null
);
-- Why did it speak here lately?
create index trace_conversation_at on kikimimi.trace (conversation, at desc);
-- Retention.
create index trace_at on kikimimi.trace (at);

-- Who may read what was said, for whatever is made of it: two functions without a look at a table, so that a query that
-- asks them for each of its rows is as fast as with the rule written into it.

-- Where something was said, as far as it decides who may read it: in its channel, unless that is a private thread in a
-- channel that more people can read. `channel_visibility` is null where nothing is known of the channel.
create function kikimimi.place_of(channel text, conversation text, visibility text, channel_visibility text) returns text
language sql immutable as $$
  select case when visibility = 'private' and coalesce(channel_visibility, 'public') = 'public' then conversation else channel end
$$;

-- Whether it may be shown in a conversation. What is public: anywhere in its workspace, and only there where it was said
-- once that is closed. Everything else: there, in the threads of a channel too, and nowhere any more once that is opened.
create function kikimimi.may_read(
  -- `platform/workspace`, as conversation ids begin; see place_of; and who could read along there then.
  told_workspace text, told_place text, told_visibility text,
  -- Who can read along there now, as kikimimi.conversation knows of the place; null where it knows nothing.
  now_visibility text,
  -- Where it is to be shown: `platform/workspace`, and the ids of channel and conversation.
  workspace text, channel text, conversation text
) returns boolean
language sql immutable as $$
  select case
    when told_visibility = 'public' and coalesce(now_visibility, 'public') = 'public' then told_workspace = workspace
    else told_place in (channel, conversation) and (told_visibility = 'public' or coalesce(now_visibility, 'private') <> 'public')
  end
$$;
