-- Written by npm run schema. The migrations make this.

create table voice.consent (
  platform text not null,
  workspace text not null,
  person text not null,
  given_at timestamp with time zone not null,
  constraint consent_pkey PRIMARY KEY (platform, workspace, person)
);
CREATE INDEX consent_platform_person_idx ON voice.consent USING btree (platform, person);
