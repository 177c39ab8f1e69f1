-- People who opted out belong to the kernel: the log keeps nothing of them, whichever plugins run.

-- Their messages of that time are not recorded, also when they are read later. One row for each account.
create table kikimimi.opt_out (
  -- URL-encoded, as conversation ids begin.
  platform text not null,
  person text not null,
  since timestamptz not null,
  -- Null as long as it lasts.
  until timestamptz,
  primary key (platform, person, since)
);

-- The plugin remember had them. It drops its table in a migration of its own, which runs only in a bot that has the plugin. It added an
-- account that was linked later with the next message of that account.
do $$
begin
  if to_regclass('remember.opt_out') is null then
    return;
  end if;
  insert into kikimimi.opt_out (platform, person, since, until) select platform, person, since, until from remember.opt_out;
  if to_regclass('profiles.account') is not null then
    insert into kikimimi.opt_out (platform, person, since)
      select other.platform, other.person, min(o.since)
      from kikimimi.opt_out o join profiles.account a on a.platform = o.platform and a.person = o.person
        join profiles.account other on other.identity = a.identity
      where o.until is null and not exists (
        select 1 from kikimimi.opt_out k where k.platform = other.platform and k.person = other.person and k.until is null
      )
      group by 1, 2
      on conflict do nothing;
  end if;
end $$;

-- Whether a person has opted out on the platform of a conversation, of a channel or of a place.
create function kikimimi_v1.is_opted_out(in_conversation text, in_person text) returns boolean language sql stable as $$
  select exists (
    select 1 from kikimimi.opt_out where platform = split_part(in_conversation, '/', 1) and person = in_person and until is null
  )
$$;

-- A message of a person who opted out is an order that the bot takes in, or was recorded by a process that did not know of the opt-out
-- yet. It is left out.
create or replace function kikimimi.message_marked() returns trigger language plpgsql as $$
begin
  if not new.own and exists (
    select 1 from kikimimi.opt_out
    where platform = split_part(new.conversation, '/', 1) and person = new.author_id and until is null
  ) then
    insert into kikimimi.left_out (channel, id, at) values (new.channel, new.id, new.received_at) on conflict do nothing;
  end if;
  new.left_out := exists (select 1 from kikimimi.left_out l where l.channel = new.channel and l.id = new.id);
  return new;
end $$;

-- An edit of such a person deletes the message: the new words must not be stored, and the old ones do not hold any more.
create function kikimimi.edited_while_opted_out() returns trigger language plpgsql as $$
begin
  if kikimimi_v1.is_opted_out(old.conversation, old.author_id) then
    new.text := '';
    new.mentions := '[]';
    new.attachments := '[]';
    new.parts := '[]';
    new.reactions := '[]';
    new.deleted_at := new.edited_at;
  end if;
  return new;
end $$;
select kikimimi_v1.before_message_edit('kikimimi.edited_while_opted_out');

-- A reaction of theirs is not recorded. One from before the opt-out stays, and can be taken back.
create function kikimimi.reacted_while_opted_out() returns trigger language plpgsql as $$
begin
  if exists (
    select r->>'emoji', p from jsonb_array_elements(new.reactions) r, jsonb_array_elements_text(r->'by') p
      where kikimimi_v1.is_opted_out(new.conversation, p)
    except
    select r->>'emoji', p from jsonb_array_elements(old.reactions) r, jsonb_array_elements_text(r->'by') p
  ) then
    new.reactions := old.reactions;
  end if;
  return new;
end $$;
select kikimimi_v1.before_message_reaction('kikimimi.reacted_while_opted_out');

-- To plugins, what they said before is being forgotten until it is deleted.
create or replace view kikimimi_v1.message as
select m.seq, m.conversation, m.channel, m.id, m.author_id, m.author_name, m.author_bot, m.own, m.missed, m.addressed,
  case when m.left_out then '' else m.text end as text,
  case when m.left_out then '[]' else m.mentions end as mentions,
  case when m.left_out then '[]' else m.attachments end as attachments,
  case when m.left_out then '[]' else m.reactions end as reactions,
  m.reply_to, m.at, m.received_at, m.edited_at, m.deleted_at,
  (select c.visibility from kikimimi.conversation c where c.id = m.conversation) as visibility,
  m.left_out or exists (
    select 1 from kikimimi.forgetting f
    where f.person = m.author_id and m.received_at <= f.before
      and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
  ) or exists (
    select 1 from kikimimi.opt_out o
    where o.person = m.author_id and o.platform = split_part(m.conversation, '/', 1) and o.until is null
  ) as being_forgotten,
  case when m.left_out then '[]' else m.parts end as parts,
  m.answered_by
from kikimimi.message m;
