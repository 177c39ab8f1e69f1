-- What the bot posts without a call is made from messages too: reminders, digests. It follows them as answers do.

-- The ranges of sources: a list of the type MessageSource.
create function kikimimi.ranges_of(sources jsonb) returns table (conversation text, first bigint, last bigint)
language sql stable as $$
  select r.conversation, r.first, max(r.last) from (
    select m.conversation, m.seq as first, m.seq as last
      from jsonb_to_recordset(sources) as s(channel text, messages jsonb), jsonb_array_elements_text(s.messages) as one(id),
        kikimimi.message m
      where m.channel = s.channel and m.id = one.id
    union all
    select s.conversation, s.first, s.last from jsonb_to_recordset(sources) as s(conversation text, first bigint, last bigint)
      where s.conversation is not null
  ) r group by r.conversation, r.first
$$;

create or replace function kikimimi.keep_sources(in_turn text, in_channel text, screen text[], sources jsonb)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('kikimimi.source'));
  insert into kikimimi.source (owner, thing, conversation, first, last)
    select 'kikimimi', in_turn, conversation, first, max(last) from (
      select m.conversation, min(m.seq) as first, max(m.seq) as last from kikimimi.message m
        where m.channel = in_channel and m.id = any(screen) group by m.conversation
      union all
      select * from kikimimi.ranges_of(sources)
    ) all_sources group by conversation, first
    on conflict do nothing;
end $$;

-- Keeps what a message is made from that is no answer. False: it must not be sent. A source that is one message counts however long it
-- is gone; in a longer range only what happened since `in_at` counts, because the message was written without what was gone before.
create function kikimimi.keep_sent(in_turn text, in_at timestamptz, sources jsonb) returns boolean language plpgsql as $$
begin
  perform kikimimi.keep_sources(in_turn, null, '{}', sources);
  return not exists (
    select 1 from kikimimi.source s join kikimimi.message m on m.conversation = s.conversation and m.seq between s.first and s.last
    where s.owner = 'kikimimi' and s.thing = in_turn and (
      m.deleted_at >= case when s.first = s.last then '-infinity' else in_at end
      or m.edited_at > in_at
      or exists (
        select 1 from kikimimi.left_out l
        where l.channel = m.channel and l.id = m.id and l.at >= case when s.first = s.last then '-infinity' else in_at end
      )
      or exists (
        select 1 from kikimimi.forgetting f
        where f.person = m.author_id and m.received_at <= f.before and (s.first = s.last or f.before >= in_at)
          and f.platform = (select c.platform from kikimimi.conversation c where c.id = m.conversation)
      )
      or exists (
        select 1 from kikimimi.opt_out o
        where o.person = m.author_id and o.platform = split_part(m.conversation, '/', 1) and o.until is null
          and (s.first = s.last or o.since >= in_at)
      )
    )
  );
end $$;

-- A message that is no answer has no trace, and is in no conversation until it is sent.
create or replace function kikimimi.close_sources(in_channel text) returns void language plpgsql as $$
declare
  turns text[];
begin
  perform kikimimi.lock_sources();
  -- Messages of the bot in other channels.
  select array_agg(distinct s.thing) into turns from kikimimi.source s, lateral (
      select t.conversation from kikimimi.trace t where t.turn = s.thing
      union all
      select d.conversation from kikimimi.delivery d where d.turn = s.thing
    ) t
    where s.owner = 'kikimimi' and (s.conversation = in_channel or starts_with(s.conversation, in_channel || '/'))
      and t.conversation <> in_channel and not starts_with(t.conversation, in_channel || '/')
      and not starts_with(in_channel, t.conversation || '/');
  if turns is not null then
    perform kikimimi.drop_turns(turns, (
      select max(at) from (
        select at from kikimimi.trace where turn = any(turns) union all select at from kikimimi.delivery where turn = any(turns)
      ) known
    ));
  end if;
  update kikimimi.source set stale = 'closed'
    where owner <> 'kikimimi' and (conversation = in_channel or starts_with(conversation, in_channel || '/')) and stale is null;
end $$;

-- The same for a thing of a plugin, with a list of the type MessageSource.
create function kikimimi_v1.made_from(in_owner text, in_thing text, sources jsonb) returns void language sql volatile as $$
  select kikimimi_v1.made_from(in_owner, in_thing, array_agg(conversation), array_agg(first), array_agg(last))
  from kikimimi.ranges_of(sources)
$$;

-- Digests that 0.1.0 posted, whose sources their plugin kept itself.
do $$ begin
  if to_regclass('digest.post') is not null then
    update kikimimi.message m set turn = 'send-digest-' || p.id from digest.post p
      where m.channel = kikimimi.channel_of(p.conversation->>'id') and m.id = any(p.messages) and m.own;
    insert into kikimimi.source (owner, thing, conversation, first, last)
      select 'kikimimi', 'send-digest-' || thing, conversation, first, last from kikimimi.source where owner = 'digest';
    perform kikimimi.drop_turns(array(select 'send-digest-' || id from digest.post where stale), now());
  end if;
end $$;
