-- What people see at the top of a channel or a thread: { workspaceName, topic, threadName, tags, root }. Null: not known.
alter table kikimimi.conversation add column details jsonb;

alter table kikimimi.message
  -- [{ kind, title, author, text, url }]
  add column parts jsonb not null default '[]',
  -- The turn whose answer covers the message. Null: its own turn, or none.
  add column answered_by text,
  -- An edit made the message address the bot, after the bot had processed it.
  add column recalled boolean not null default false;
-- For messages that still need a turn although later ones are processed.
create index message_recalled on kikimimi.message (conversation) where recalled;

create or replace view kikimimi_v1.conversation as
select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.processed, c.last_reply_at, c.details
from kikimimi.conversation c;

create or replace view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text,
  m.mentions, m.attachments, m.reactions, m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  -- The log is cleared after the plugins, so it still has these messages while the plugins forget.
  exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      -- A subquery and no join: it is asked only for rows of the same person, and the table is almost always empty.
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) as being_forgotten,
  m.parts, m.answered_by
from kikimimi.message m;
