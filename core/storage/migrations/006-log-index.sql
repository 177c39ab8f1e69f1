-- Plugins that count or index the log get each message of a person once. `edits`: an edited message comes again.
alter table kikimimi.follower add column edits boolean not null default false;

-- Messages that a follower gets again.
create table kikimimi.follower_again (
  follower text not null references kikimimi.follower on delete cascade,
  seq bigint not null,
  primary key (follower, seq)
);

create function kikimimi.follow_edit() returns trigger language plpgsql as $$
begin
  insert into kikimimi.follower_again (follower, seq) select name, new.seq from kikimimi.follower where edits and new.deleted_at is null
    on conflict do nothing;
  return null;
end $$;
select kikimimi_v1.after_message_change('kikimimi.follow_edit');

-- For a plugin that has kept its own position. `edited`: edited messages that wait; null when the plugin does not get edited messages again.
create function kikimimi_v1.keep_index(in_name text, in_seq bigint, marks jsonb, edited bigint[]) returns void language sql as $$
  select kikimimi_v1.keep_follower(in_name, 0, in_seq, (
    select coalesce(jsonb_agg(jsonb_build_object('conversation', conversation, 'place', p.place, 'visibility', p.visibility, 'upto', seq, 'pending', false)), '[]')
    from jsonb_to_recordset(marks) as m(conversation text, seq bigint), kikimimi_v1.place_of(conversation, null, null) p
  ));
  update kikimimi.follower set edits = edited is not null where name = in_name;
  insert into kikimimi.follower_again (follower, seq) select in_name, unnest(edited) on conflict do nothing;
$$;
