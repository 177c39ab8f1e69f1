-- A message that a person asked not to remember has no words for anybody but the turn that answers it.
alter table kikimimi.message add column left_out boolean not null default false;
update kikimimi.message m set left_out = true from kikimimi.left_out l where l.channel = m.channel and l.id = m.id;

-- The mark can come before the message and after it.
create function kikimimi.message_marked() returns trigger language plpgsql as $$
begin
  new.left_out := exists (select 1 from kikimimi.left_out l where l.channel = new.channel and l.id = new.id);
  return new;
end $$;
create trigger message_marked before insert on kikimimi.message for each row execute function kikimimi.message_marked();

create function kikimimi.mark_added() returns trigger language plpgsql as $$
begin
  update kikimimi.message set left_out = true where channel = new.channel and id = new.id;
  return null;
end $$;
create trigger mark_added after insert on kikimimi.left_out for each row execute function kikimimi.mark_added();

create or replace view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed,
  case when m.left_out then '' else m.text end as text,
  case when m.left_out then '[]' else m.mentions end as mentions,
  case when m.left_out then '[]' else m.attachments end as attachments,
  case when m.left_out then '[]' else m.reactions end as reactions,
  m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  -- The log is cleared after the plugins, so it still has these messages while the plugins forget.
  m.left_out or exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      -- A subquery and no join: it is asked only for rows of the same person, and the table is almost always empty.
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) as being_forgotten,
  case when m.left_out then '[]' else m.parts end as parts,
  m.answered_by
from kikimimi.message m;

-- The first migrations of plugins name these two functions, and later ones replace what names them. They allow nothing.
create function kikimimi_v1.place_of(channel text, conversation text, visibility text, channel_visibility text) returns text
language sql immutable as $$ select conversation $$;
create function kikimimi_v1.may_read(
  told_workspace text, told_place text, told_visibility text, now_visibility text, workspace text, channel text, conversation text
) returns boolean language sql immutable as $$ select false $$;

create or replace function kikimimi_v1.lock_messages(in_seqs bigint[]) returns table (seq bigint, text text, mentions jsonb)
language sql volatile as $$
  select m.seq, m.text, m.mentions from kikimimi.message m
  where m.seq = any(in_seqs) and m.deleted_at is null and not m.left_out order by m.seq for share
$$;
