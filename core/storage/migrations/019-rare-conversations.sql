-- kikimimi: online
-- Few of a million conversations have one of these, and each start and each erasure asks for them.

-- step: concurrently
-- For conversations whose missed messages were not read to the end.
create index concurrently conversation_unread on kikimimi.conversation (platform, id) where unread_after is not null
-- step: concurrently
-- For answers that an erasure removes.
create index concurrently conversation_delayed on kikimimi.conversation (id) where delayed is not null
