-- For people by name: `names` is indexed.
create or replace view kikimimi_v1.author as
select a.platform, a.id, a.month, a.name, a.bot, a.messages, a.last_seq, a.last_at, a.last_day, a.names from kikimimi.author a;
