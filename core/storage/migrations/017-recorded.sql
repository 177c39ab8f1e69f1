-- A message is recorded by one process at a time: until the end of the transaction.
create function kikimimi.lock_messages(in_channels text[], in_ids text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(key)
    from (select hashtextextended(channel || E'\n' || id, 0) as key from unnest(in_channels, in_ids) as m(channel, id) order by 1) keys;
end $$;

-- Whether a message is recorded or deleted already. It is volatile: it sees what others have committed since the calling statement began.
create function kikimimi.is_known(in_channel text, in_id text, in_first timestamptz, in_last timestamptz) returns boolean
language plpgsql volatile as $$
begin
  return exists (select 1 from kikimimi.message m where m.channel = in_channel and m.id = in_id and m.at between in_first and in_last)
    or exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', in_channel, in_id));
end $$;

-- Deletes a message, or takes back an own one. Almost always it was said between the two times. Its deletion can be received before it: it
-- is not recorded then.
create function kikimimi.remove_message(
  in_channel text, in_id text, in_at timestamptz, in_first timestamptz, in_last timestamptz, takes_back boolean
) returns void language plpgsql as $$
declare
  bounds timestamptz[];
begin
  perform kikimimi.lock_messages(array[in_channel], array[in_id]);
  foreach bounds slice 1 in array array[array[in_first, in_last], array['-infinity', 'infinity']::timestamptz[]] loop
    if takes_back then
      update kikimimi.message set text = '', reactions = '[]', edited_at = greatest(in_at, edited_at + interval '1 microsecond'),
          deleted_at = in_at
        where channel = in_channel and id = in_id and at between bounds[1] and bounds[2] and deleted_at is null and own;
    else
      update kikimimi.message set text = '', mentions = '[]', attachments = '[]', parts = '[]', reactions = '[]', recalled = false,
          deleted_at = in_at
        where channel = in_channel and id = in_id and at between bounds[1] and bounds[2] and deleted_at is null;
    end if;
    if found then
      return;
    end if;
  end loop;
  insert into kikimimi.tombstone (key, at)
    select kikimimi.tombstone_key('message', in_channel, in_id), in_at
    where not exists (select 1 from kikimimi.message where channel = in_channel and id = in_id and deleted_at is null)
    on conflict do nothing;
end $$;
