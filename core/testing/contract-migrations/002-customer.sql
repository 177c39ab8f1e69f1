create table corner_shop.customer (name text not null);
insert into corner_shop.customer values ('first');
