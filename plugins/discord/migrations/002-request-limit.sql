-- How many requests a second a process may make: its part of Discord's limit for the bot.
alter table discord.process add column per_second int not null default 0;
