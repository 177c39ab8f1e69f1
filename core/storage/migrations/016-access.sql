-- Why the call of a message is no call: the rule that refused it.
alter table kikimimi.message add column refused text;

-- A row is also the account of a person: `discord@123` for all of the person's calls in an hour, and `discord/1/2@123` for the person's
-- share of a channel.
alter table kikimimi.spending add column calls bigint not null default 0;
