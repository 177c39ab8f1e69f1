-- For the facts that a person told.
create index fact_source_author on facts.fact_source (author, item);
