-- Who asked, so that a question can be deleted without its message.
alter table knowledge.question add column author text not null default '';
update knowledge.question q set author = m.author_id from kikimimi_v1.message m where m.channel = q.channel and m.id = q.message;
