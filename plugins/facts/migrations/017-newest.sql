-- For the newest facts of the scopes that may be read: a page reads its own facts of each scope. Without it, a page of 50,000 facts in 100
-- channels read and sorted all of them.
create index item_newest on facts.item (scope, at desc, id desc) where kind = 'fact';
