-- A job of its own posts the digest of each channel: no statement looks for the next one of all.
drop index digest.plan_at;
