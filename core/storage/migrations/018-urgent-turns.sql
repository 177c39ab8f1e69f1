-- For the turns that people wait for, among many others that are due.
create index conversation_urgent on kikimimi.conversation (due_at) where urgent;
