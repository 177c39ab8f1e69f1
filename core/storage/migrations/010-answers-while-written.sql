-- Answers that people see while they are written.
--   writing: posted or about to be, and its text is not whole. `message` is null until the platform has returned the id.
--   unwanted: the message may be posted, and has to be deleted.
-- A pending or sending delivery with a `message` is an edit of that message: of a draft, or of an answer that is replaced.
alter table kikimimi.delivery
  -- It may be posted with another text.
  add column draft boolean not null default false,
  drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('writing', 'pending', 'sending', 'sent', 'failed', 'lost', 'unwanted'));

drop index kikimimi.delivery_unfinished;
create index delivery_unfinished on kikimimi.delivery (conversation) where state in ('writing', 'pending', 'sending', 'unwanted');

-- The answer that a message belongs to.
create index delivery_message on kikimimi.delivery (message);

alter table kikimimi.delivery
  -- The buttons of an answer belong to it.
  add column handles boolean not null default false;

-- How a call is answered again: its answer is replaced.
alter table kikimimi.message add column revise text check (revise in ('again', 'shorter'));

-- The state of a delivery that must not be finished.
create function kikimimi.refused(delivery kikimimi.delivery) returns text language sql immutable as $$
  select case when delivery.state in ('writing', 'unwanted') or (delivery.draft and delivery.message is not null) then 'unwanted' else 'failed' end
$$;

create or replace function kikimimi.refuse_answers() returns trigger language plpgsql as $$
begin
  update kikimimi.delivery d set body = null, state = kikimimi.refused(d)
    where state in ('writing', 'pending', 'sending') and (conversation = new.id or starts_with(conversation, new.id || '/'));
  return null;
end $$;

create or replace function kikimimi.drop_turns(turns text[], in_at timestamptz) returns void language plpgsql as $$
declare
  lost text[];
begin
  with recursive resting(turn) as (
    select unnest(turns)
    union
    select s.thing from resting r
      join kikimimi.message m on m.turn = r.turn and m.deleted_at is null
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.conversation = m.conversation and s.last >= m.seq and s.first <= m.seq
  )
  select array_agg(turn) into lost from resting;
  -- First, so that the deletion of an answer finds no turn any more.
  delete from kikimimi.source where owner = 'kikimimi' and thing = any(lost);
  update kikimimi.trace set data = kikimimi.without_words(data) where turn = any(lost);
  update kikimimi.delivery d set body = null, state = kikimimi.refused(d)
    where turn = any(lost) and state in ('writing', 'pending', 'sending');
  update kikimimi.message set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where turn = any(lost) and deleted_at is null;
end $$;

create or replace function kikimimi.message_lost() returns trigger language plpgsql as $$
declare
  lost_at timestamptz := coalesce(new.deleted_at, new.edited_at, new.received_at);
  turns text[];
begin
  perform kikimimi.lock_sources();
  if new.deleted_at is not null then
    insert into kikimimi.tombstone (key, at)
      values (kikimimi.tombstone_key('message', old.channel, old.id), new.deleted_at) on conflict do nothing;
  elsif new.edited_at is not null then
    insert into kikimimi.tombstone as t (key, at)
      values (kikimimi.tombstone_key('edit', old.channel, old.id), new.edited_at)
      on conflict (key) do update set at = excluded.at, seq = default where t.at < excluded.at;
  end if;
  select array_agg(distinct thing) into turns from kikimimi.source
    where owner = 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq;
  -- The bot replaces its own answer: what it said since stays.
  if turns is not null and not (new.own and new.edited_at is distinct from old.edited_at) then
    perform kikimimi.drop_turns(turns, lost_at);
  end if;
  update kikimimi.source set stale = 'changed'
    where owner <> 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq
      and stale is distinct from 'changed';
  return null;
end $$;

create or replace function kikimimi.end_turn(in_turn text, in_at timestamptz) returns void language plpgsql as $$
begin
  if exists (
    select 1 from kikimimi.message m join kikimimi.source s
      on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where (m.deleted_at >= in_at or m.edited_at >= in_at) and not (m.own and m.edited_at >= in_at) and m.turn is distinct from in_turn
  ) then
    perform kikimimi.drop_turns(array[in_turn], in_at);
  elsif exists (
    select 1 from kikimimi.left_out l join kikimimi.message m on m.channel = l.channel and m.id = l.id
      join kikimimi.source s
        on s.owner = 'kikimimi' and s.thing = in_turn and s.conversation = m.conversation and m.seq between s.first and s.last
    where l.at >= in_at - interval '1 day'
  ) then
    -- The answer stays on screen with the message.
    insert into kikimimi.left_out (channel, id, at) select channel, id, in_at from kikimimi.message where turn = in_turn
      on conflict do nothing;
    update kikimimi.trace set data = kikimimi.without_words(data) where turn = in_turn;
  end if;
end $$;
