-- The bot keeps how far the log is counted.
select kikimimi_v1.keep_index('profiles', w.seq, coalesce((
    select jsonb_agg(jsonb_build_object('conversation', conversation, 'seq', seq)) from profiles.counted
  ), '[]'), null)
  from profiles.watermark w;
drop table profiles.counted, profiles.watermark;
