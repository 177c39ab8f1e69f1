/** `kikimimi mcp`: an MCP server for the owner of the bot, and logins of the bot to MCP servers. */
import { type CliCommand, KikimimiError } from 'kikimimi'
import { createLogins } from './client/logins.ts'

export const mcpCommand: CliCommand = {
  name: 'mcp',
  usage: [
    {
      call: 'mcp',
      does: 'an MCP server on standard input and output: the memory and the turns of the bot, private ones too, read only',
    },
    { call: 'mcp login SERVER', does: 'log the bot in to an MCP server that wants it (OAuth)' },
    { call: 'mcp logout SERVER', does: 'forget such a login' },
  ],

  async run(ctx, args, out) {
    const [verb, server, ...rest] = args
    if (verb === undefined) return (await import('./server/serve.ts')).serve(ctx, out)
    if (server === undefined || rest.length > 0 || (verb !== 'login' && verb !== 'logout'))
      throw new KikimimiError(
        'USAGE',
        'kikimimi mcp, kikimimi mcp login SERVER, or kikimimi mcp logout SERVER. Try kikimimi mcp --help.',
      )
    const logins = createLogins(ctx.db)
    if (verb === 'logout') {
      if (await logins.remove(server)) return out.print(`The login to ${server} is forgotten.`)
      throw new KikimimiError('USAGE', `There is no login to a server "${server}".`)
    }
    return (await import('./login.ts')).login(ctx, server, out)
  },
}
