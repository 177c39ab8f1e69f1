-- People who may log in to the dashboard.
create table dashboard.account (
  name text primary key,
  role text not null check (role in ('viewer', 'moderator', 'owner')),
  -- scrypt, as salt.hash in base64. Null: the password of the options, for the account `owner` alone.
  password text,
  -- The secret of the second factor, in base32. Null: none. `totp_pending`: not confirmed yet.
  totp text,
  totp_pending text,
  -- The time step of the last code. A code is taken once.
  totp_step bigint not null default 0,
  -- SHA-256 of the recovery codes that were not used.
  recovery bytea[] not null default '{}'
);
insert into dashboard.account (name, role) values ('owner', 'owner');

alter table dashboard.session add column account text not null default 'owner' references dashboard.account on delete cascade;
alter table dashboard.session alter column account drop default;
create index session_account on dashboard.session (account);

alter table dashboard.change add column account text not null default '';
-- For the changes of an account.
create index change_account on dashboard.change (account, id desc);
