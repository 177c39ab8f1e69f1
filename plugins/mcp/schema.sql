-- Written by npm run schema. The migrations make this.

create table mcp.login (
  server text not null,
  url text not null,
  data bytea not null,
  constraint login_pkey PRIMARY KEY (server)
);
