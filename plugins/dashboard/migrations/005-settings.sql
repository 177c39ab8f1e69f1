-- Changes of bot.settings.json that were made on the page. An undo is a change of its own.
create table dashboard.setting_change (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  -- Empty without a password.
  account text not null,
  -- [{ "path": [...], "before": ..., "after": ... }]; a value that is missing was not in the file.
  changes jsonb not null,
  -- The change that this one takes back.
  undoes bigint references dashboard.setting_change
);
create index setting_change_undoes on dashboard.setting_change (undoes) where undoes is not null;
