-- Channels with a digest to come. A job of its own posts the digest of each: no statement looks for the next one of all.
create table digest.plan (
  channel text primary key,
  -- The channel, as people saw it last.
  conversation jsonb not null,
  -- When the digest is due, and the schedule that says so.
  at timestamptz not null,
  schedule text not null,
  -- When the first message that it can tell of was said.
  since timestamptz not null
);

-- Digests that were posted, without their texts: those are in the message log.
create table digest.post (
  id bigint generated always as identity primary key,
  conversation jsonb not null,
  -- The ids of the posted messages. Null: it is being sent.
  messages text[],
  at timestamptz not null,
  -- A message that it was made from has changed, or fewer people read the channel.
  stale boolean not null default false
);
create index post_stale on digest.post (id) where stale;
create index post_at on digest.post (at);

create function digest.source_changed() returns trigger language plpgsql as $$
begin
  -- What was said in a channel stays readable there.
  if new.stale = 'closed' then
    return null;
  end if;
  update digest.post set stale = true where id = new.thing::bigint;
  perform pg_notify('digest.stale', '');
  return null;
end $$;
select kikimimi_v1.after_source_change('digest.source_changed');
