-- Written by npm run schema. The migrations make this.

create table quiet.mute (
  channel text not null,
  until timestamp with time zone not null,
  constraint mute_pkey PRIMARY KEY (channel)
);
