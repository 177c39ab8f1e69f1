-- What can be read together stands together in the index: what is public in a workspace is one realm, and each place that is
-- not public is one of its own. A search by words reads the realms it may, and no table besides the index, however much
-- there is in other workspaces.
create sequence facts.realm as int;
alter table facts.scope add column realm int;
update facts.scope set realm = nextval('facts.realm') where visibility <> 'public';
update facts.scope s set realm = w.realm
  from (select workspace, nextval('facts.realm') as realm from (select distinct workspace from facts.scope) each) w
  where s.visibility = 'public' and w.workspace = s.workspace;
alter table facts.scope alter column realm set not null;

alter table facts.posting drop constraint posting_pkey, drop column count, add column realm int;
update facts.posting p set realm = s.realm from facts.scope s where s.id = p.scope;
alter table facts.posting alter column realm set not null, add primary key (token, realm, item) include (scope, fact);
