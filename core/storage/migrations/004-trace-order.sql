-- What has become known since a moment ago, for who watches from another process.
create index trace_seq on kikimimi.trace (seq);
