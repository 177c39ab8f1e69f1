-- The bot keeps how far the log is processed.
select kikimimi_v1.keep_follower('reflection', w.began, w.seq, coalesce((
    select jsonb_agg(jsonb_build_object('conversation', conversation, 'place', place, 'visibility', visibility, 'upto', upto, 'pending', pending))
    from reflection.progress
  ), '[]'))
  from reflection.watermark w;
-- Its trigger too.
drop function reflection.messages_gone() cascade;
drop table reflection.set_aside, reflection.progress, reflection.place, reflection.watermark;
