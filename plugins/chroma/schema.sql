-- Written by npm run schema. The migrations make this.

create table chroma.collection (
  space text not null,
  name text not null,
  constraint collection_name_key UNIQUE (name),
  constraint collection_pkey PRIMARY KEY (space)
);
