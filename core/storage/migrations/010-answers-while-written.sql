-- Answers that people see while they are written.
--   writing: posted or about to be, and its text is not whole. `message` is null until the platform has returned the id.
--   unwanted: the message may be posted, and has to be deleted.
-- A pending or sending delivery with a `message` is an edit of that message.
alter table kikimimi.delivery
  -- It may be posted with another text.
  add column draft boolean not null default false,
  drop constraint delivery_state_check,
  add constraint delivery_state_check
    check (state in ('writing', 'pending', 'sending', 'sent', 'failed', 'lost', 'unwanted'));

drop index kikimimi.delivery_unfinished;
create index delivery_unfinished on kikimimi.delivery (conversation) where state in ('writing', 'pending', 'sending', 'unwanted');

-- The state of a delivery that must not be finished.
create function kikimimi.refused(delivery kikimimi.delivery) returns text language sql immutable as $$
  select case when delivery.state in ('writing', 'unwanted') or delivery.message is not null then 'unwanted' else 'failed' end
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
