-- The collections that this bot has made, one for each space (a model and a length of vectors). It touches no others.
create table chroma.collection (
  space text primary key,
  -- On the server. Random, so that neither another bot nor this one with an empty database ever finds a wrong one.
  name text not null unique
);
