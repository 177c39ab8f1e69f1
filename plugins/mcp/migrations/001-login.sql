-- Logins of the bot to MCP servers, by the name of the server in bot.config.ts.
create table mcp.login (
  server text primary key,
  -- The tokens go to no other address.
  url text not null,
  -- JSON: the registered client, the tokens and what is known of the authorization server. As bytes, so that `kikimimi export` leaves it out.
  data bytea not null
);
