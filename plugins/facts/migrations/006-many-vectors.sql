-- A server with very many vectors gets an index of pgvector's own kind (vector-graph.ts), which finds the scope beside the vector.
alter table facts.vector add column scope int;
update facts.vector v set scope = s.scope from facts.sign s where s.item = v.item and s.space = v.space;
alter table facts.vector alter column scope set not null;

-- The signs of a scope stand together, so that a small scope is searched without a page for each vector.
drop index facts.sign_space_scope;
create index sign_space_scope on facts.sign (space, scope) include (item, bits);
