-- Whether a message is known. It is volatile: it sees what another process has committed since the calling statement began.
create function kikimimi.recorded(in_channel text, in_id text, in_first timestamptz, in_last timestamptz) returns boolean
language plpgsql volatile as $$
begin
  return exists (select 1 from kikimimi.message m where m.channel = in_channel and m.id = in_id and m.at between in_first and in_last);
end $$;
