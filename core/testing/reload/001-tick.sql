-- One row for each run.
create table ticks.tick (id integer primary key generated always as identity);
