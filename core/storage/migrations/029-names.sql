-- kikimimi: online
-- People and channels are searched by a part of their names, and people are listed page by page, however many there are.

-- step
-- All characters of a text and all pairs of neighbours, in lower case, each once. A name with a part has all of those of the part.
create function kikimimi_v1.grams(name text) returns text[] language sql immutable parallel safe as $$
  select array(
    select distinct substr(whole, n, size) from lower(name) whole, generate_series(1, length(whole)) n, generate_series(1, 2) size
    where n + size - 1 <= length(whole)
  )
$$;

-- step: concurrently
-- For channels by name.
create index concurrently conversation_grams on kikimimi.conversation using gin (kikimimi_v1.grams(name)) where thread is null
-- step: concurrently
-- For people by name.
create index concurrently author_grams on kikimimi.author using gin (kikimimi_v1.grams(name))
-- step: concurrently
-- For the people who spoke last, page by page.
create index concurrently author_latest on kikimimi.author (last_day, platform, id)
