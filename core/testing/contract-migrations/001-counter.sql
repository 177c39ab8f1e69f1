create table corner_shop.counter (id int primary key);
