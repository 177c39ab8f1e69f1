-- Each reminder has a job of its own: no statement looks for those that are overdue.
drop index promises.reminder_at_idx;
