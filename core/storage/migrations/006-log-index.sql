-- Which processed messages a follower gets again. `edited`: each one that was edited. `sources`: when something of the plugin that is made from
-- messages is stale, the messages that it was made from.
alter table kikimimi.follower add column again text check (again in ('edited', 'sources'));

-- Messages that a follower gets again.
create table kikimimi.follower_again (
  follower text not null references kikimimi.follower on delete cascade,
  conversation text not null,
  seq bigint not null,
  primary key (follower, conversation, seq)
);

-- Messages until `began` are from before the plugin was added.
create function kikimimi.come_again(in_follower text, in_conversation text, in_first bigint, in_last bigint) returns void
language plpgsql as $$
begin
  insert into kikimimi.follower_again (follower, conversation, seq)
    select f.name, m.conversation, m.seq from kikimimi.follower f, kikimimi.message m
    where f.name = in_follower and m.conversation = in_conversation and m.seq between in_first and in_last and m.seq > f.began
    on conflict do nothing;
  update kikimimi.follower_mark set pending = true where follower = in_follower and conversation = in_conversation;
  perform pg_notify('kikimimi.follower_again', in_follower);
end $$;

create function kikimimi.follow_edit() returns trigger language plpgsql as $$
begin
  perform kikimimi.come_again(name, new.conversation, new.seq, new.seq) from kikimimi.follower
    where again = 'edited' and new.deleted_at is null;
  return null;
end $$;
select kikimimi_v1.after_message_change('kikimimi.follow_edit');

create function kikimimi.follow_source() returns trigger language plpgsql as $$
begin
  perform kikimimi.come_again(f.name, s.conversation, s.first, s.last)
    from kikimimi.follower f join kikimimi.source s on s.owner = replace(f.name, '-', '_')
    where f.again = 'sources' and s.owner = new.owner and s.thing = new.thing;
  return null;
end $$;
-- It comes before the trigger of the plugin, which drops the sources. Triggers run in the order of their names.
create trigger "0_follow_source" after update of stale on kikimimi.source for each row
  when (new.stale is distinct from old.stale) execute function kikimimi.follow_source();

-- For a plugin that has kept its own position. `edited`: edited messages that wait; null when the plugin does not get edited messages again.
create function kikimimi_v1.keep_index(in_name text, in_seq bigint, marks jsonb, edited bigint[]) returns void language sql as $$
  select kikimimi_v1.keep_follower(in_name, 0, in_seq, (
    select coalesce(jsonb_agg(jsonb_build_object('conversation', conversation, 'place', p.place, 'visibility', p.visibility, 'upto', seq, 'pending', false)), '[]')
    from jsonb_to_recordset(marks) as m(conversation text, seq bigint), kikimimi_v1.place_of(conversation, null, null) p
  ));
  update kikimimi.follower set again = 'edited' where name = in_name and edited is not null;
  insert into kikimimi.follower_again (follower, conversation, seq)
    select in_name, m.conversation, m.seq from kikimimi.message m where m.seq = any(edited) on conflict do nothing;
$$;
