-- The database API for plugins, version 1: see docs/database.md. Plugins read the kernel's data through this schema only.
-- Within version 1 columns and functions are added, never changed or removed. Every view selects from one table, so that
-- the planner replaces it by that table; a column that needs another table is a subquery, which costs nothing unless it is read.
create schema kikimimi_v1;

create view kikimimi_v1.conversation as
select c.id, c.platform, c.workspace, c.channel, c.thread, c.name, c.visibility, c.processed, c.last_reply_at
from kikimimi.conversation c;

create view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed, m.text,
  m.mentions, m.attachments, m.reactions, m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  -- The log is cleared after the plugins, so it still has these messages while the plugins forget.
  exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      -- A subquery and no join: it is asked only for rows of the same person, and the table is almost always empty.
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) as being_forgotten
from kikimimi.message m;

create view kikimimi_v1.trace as
select t.seq, t.turn, t.conversation, t.at, t.outcome, t.trigger, t.data,
  (select c.visibility from kikimimi.conversation c where c.id = t.conversation) as visibility
from kikimimi.trace t;

create view kikimimi_v1.migration as
select m.owner, m.name, m.at from kikimimi.migration m;

-- Postgres would write through views as simple as these.
create function kikimimi.refuse_write() returns trigger language plpgsql as $$
begin
  raise exception '%.% is read-only', tg_table_schema, tg_table_name
    using hint = 'Only the kernel writes to its tables. PluginContext has methods that change them.';
end $$;
create trigger read_only instead of insert or update or delete on kikimimi_v1.conversation
  for each row execute function kikimimi.refuse_write();
create trigger read_only instead of insert or update or delete on kikimimi_v1.message
  for each row execute function kikimimi.refuse_write();
create trigger read_only instead of insert or update or delete on kikimimi_v1.trace
  for each row execute function kikimimi.refuse_write();
create trigger read_only instead of insert or update or delete on kikimimi_v1.migration
  for each row execute function kikimimi.refuse_write();

-- ---------------------------------------------------------------- who may read what

-- Two functions that read no table. The planner replaces a call by the rule itself, so a call for each row costs no more than
-- the rule written into the query.

-- The place of a message: the id of its channel. A private thread in a channel that more people can read is a place of its
-- own. `channel_visibility` is null where nothing is known of the channel.
create function kikimimi_v1.place_of(channel text, conversation text, visibility text, channel_visibility text) returns text
language sql immutable as $$
  select case when visibility = 'private' and coalesce(channel_visibility, 'public') = 'public' then conversation else channel end
$$;

-- Whether something that was said in a place may be shown in a conversation. Public messages: anywhere in their workspace;
-- once their place is closed, only there. All other messages: only in their place, including the threads of a channel; once
-- their place is opened, nowhere.
create function kikimimi_v1.may_read(
  -- `platform/workspace`, as conversation ids begin; see place_of; and the visibility of the place when it was said.
  told_workspace text, told_place text, told_visibility text,
  -- The visibility of the place now, from kikimimi_v1.conversation; null where nothing is known of it.
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

-- ---------------------------------------------------------------- forgetting people

-- Whether this person has asked to be forgotten and is not forgotten yet.
create function kikimimi_v1.is_being_forgotten(in_platform text, in_person text) returns boolean
language sql stable as $$
  select exists (select 1 from kikimimi.forgetting where platform = in_platform and person = in_person)
$$;

-- Whether somebody is being forgotten at this moment on the platform of a conversation, or of a `platform/workspace`. The
-- plugins have forgotten already, and the log still has the person's name in the words of others: a plugin that makes
-- something of the log in the background waits.
create function kikimimi_v1.is_forgetting(in_conversation text) returns boolean
language sql stable as $$
  select exists (
    select 1 from kikimimi.forgetting f
    where f.trying and f.cleared_at is null and exists (
      select 1 from kikimimi.conversation c
      where c.platform = f.platform and starts_with(c.id, split_part(in_conversation, '/', 1) || '/')
    )
  )
$$;

-- ---------------------------------------------------------------- staying in step with the log

-- Locks messages against edits and deletion until the transaction ends, in the order of `seq`. Returns those that are there
-- and not deleted, as they are now.
create function kikimimi_v1.lock_messages(in_seqs bigint[]) returns table (seq bigint, text text, mentions jsonb)
language sql volatile as $$
  select m.seq, m.text, m.mentions from kikimimi.message m
  where m.seq = any(in_seqs) and m.deleted_at is null order by m.seq for share
$$;

-- The following functions attach a trigger function of a plugin to the log. It runs in the transaction of the change, also
-- when the plugin is not running. OLD, NEW and the transition table have the columns of the view up to `deleted_at` for
-- messages, up to `last_reply_at` for conversations. The trigger is named after the function, `facts.changed` as facts_changed,
-- and goes with it.

create function kikimimi.trigger_name(handler regproc) returns text
language sql stable as $$
  select n.nspname || '_' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = handler
$$;

-- Before an edit by the author of a message is recorded. The function may change NEW, or return null to refuse the edit.
create function kikimimi_v1.before_message_edit(handler regproc) returns void language plpgsql as $$
begin
  -- An edit has a time. Removing a forgotten name from the text has none, and adds nothing.
  execute format(
    'create trigger %I before update of text on kikimimi.message for each row
     when (not old.own and old.text is distinct from new.text and old.edited_at is distinct from new.edited_at
       and new.deleted_at is null) execute function %s()', kikimimi.trigger_name(handler), handler);
end $$;

-- Before changed reactions to a message are recorded. The function may change NEW, or return null to refuse the change.
create function kikimimi_v1.before_message_reaction(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I before update of reactions on kikimimi.message for each row
     when (old.reactions is distinct from new.reactions and new.reactions <> ''[]'') execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After a message was edited or deleted, row by row. A deleted message keeps its row, without its text.
create function kikimimi_v1.after_message_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of text, deleted_at on kikimimi.message for each row
     when (old.text is distinct from new.text or old.deleted_at is distinct from new.deleted_at) execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After retention has removed messages from the log, once for each statement. The transition table `gone` has their rows.
create function kikimimi_v1.after_message_purge(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after delete on kikimimi.message referencing old table as gone for each statement execute function %s()',
    kikimimi.trigger_name(handler), handler);
end $$;

-- After the visibility of a conversation has changed, row by row.
create function kikimimi_v1.after_visibility_change(handler regproc) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after update of visibility on kikimimi.conversation for each row
     when (old.visibility <> new.visibility) execute function %s()', kikimimi.trigger_name(handler), handler);
end $$;
