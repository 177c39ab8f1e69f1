-- A message is known by its channel and its id for as long as it or its tombstone is there. Platforms give each id once; a message that comes
-- again can have another time, when a history is sent again by a bridge or a server that does not keep times.

-- Whether a message is recorded or deleted already. It is volatile: it sees what others have committed since the calling statement began.
create function kikimimi.is_known(in_channel text, in_id text) returns boolean language plpgsql volatile as $$
begin
  return exists (select 1 from kikimimi.message m where m.channel = in_channel and m.id = in_id)
    or exists (select 1 from kikimimi.tombstone t where t.key = kikimimi.tombstone_key('message', in_channel, in_id));
end $$;
drop function kikimimi.is_known(text, text, timestamptz, timestamptz);
