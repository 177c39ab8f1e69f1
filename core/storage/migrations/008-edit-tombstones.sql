-- A restored backup has the text from before an edit. Such a message is deleted again, because the new text is not known.
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
  if turns is not null then
    perform kikimimi.drop_turns(turns, lost_at);
  end if;
  update kikimimi.source set stale = 'changed'
    where owner <> 'kikimimi' and conversation = old.conversation and last >= old.seq and first <= old.seq
      and stale is distinct from 'changed';
  return null;
end $$;

insert into kikimimi.tombstone (key, at)
  select kikimimi.tombstone_key('edit', channel, id), edited_at from kikimimi.message where edited_at is not null and deleted_at is null;

create or replace function kikimimi.bury(in_at timestamptz) returns table (platform text, person text, before timestamptz) language plpgsql as $$
begin
  update kikimimi.message m set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', deleted_at = in_at
    where m.deleted_at is null and (
      exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', m.channel, m.id))
      or exists (select 1 from kikimimi.tombstone t
        where t.key = kikimimi.tombstone_key('edit', m.channel, m.id) and (m.edited_at is null or m.edited_at < t.at)));
  return query
    select distinct c.platform, m.author_id, t.at from kikimimi.message m join kikimimi.conversation c on c.id = m.conversation
      join kikimimi.tombstone t on t.key = kikimimi.tombstone_key('person', c.platform, m.author_id)
    where m.author_id <> '' and m.received_at <= t.at;
end $$;
