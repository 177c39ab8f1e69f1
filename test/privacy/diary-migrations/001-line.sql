create table diary.line (text text not null);
