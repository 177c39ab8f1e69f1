-- For the workspaces with news: each scan of the log asks for them.
create index memory_updated on memory_summary.memory (workspace, updated_at) where kind = 'channel';
