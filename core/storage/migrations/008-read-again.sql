-- For a plugin that drops what it has made of messages, called before it drops the sources: its follower gets those that are left of them again.
create function kikimimi_v1.read_again(in_follower text, in_owner text, in_thing text) returns void language sql as $$
  select kikimimi.come_again(in_follower, conversation, first, last) from kikimimi.source where owner = in_owner and thing = in_thing
$$;

-- A plugin calls it itself: it knows what else it drops, and which of its followers made it.
drop trigger "0_follow_source" on kikimimi.source;
drop function kikimimi.follow_source();
alter table kikimimi.follower drop constraint follower_again_check;
update kikimimi.follower set again = null where again = 'sources';
alter table kikimimi.follower add constraint follower_again_check check (again = 'edited');
