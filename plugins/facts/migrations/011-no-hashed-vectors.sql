-- Vectors that were made from letters, without a model. Their signs go with them.
delete from facts.space where starts_with(key, 'hashed-1/');
