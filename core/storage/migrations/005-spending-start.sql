-- What an hour or a day has cost, by channel; and retention.
create index spending_start on kikimimi.spending (start, period);
