-- The kernel keeps what a digest is made from: see the option `sources` of `ctx.send`.
-- Its trigger goes with it.
drop function digest.source_changed() cascade;
select kikimimi_v1.made_from('digest', id::text, '[]') from digest.post;
drop table digest.post;
