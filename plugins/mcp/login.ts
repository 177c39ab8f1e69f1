/** A login of the bot to a server with OAuth: the operator follows a link, and the browser comes back to a port of this machine. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CliOutput, conversationId, KikimimiError, type PluginContext, withTimeout } from 'kikimimi'
import { createLogins } from './client/logins.ts'
import type { Options } from './options.ts'

/** Milliseconds that the operator has. */
const LOGIN_MS = 10 * 60_000

/** @throws USAGE if the options have no such server; OPTIONS_INVALID if the login fails */
export async function login(ctx: PluginContext, server: string, out: CliOutput): Promise<void> {
  const url = urlOf(ctx, server)
  const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js')
  const state = randomUUID()
  const { promise: code, resolve, reject } = Promise.withResolvers<string>()
  code.catch(() => {})
  const callback = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const given = searchParams.get('code')
    const isAnswer = pathname === '/callback' && searchParams.get('state') === state
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(isAnswer ? 'You can close this page and go back to the terminal.\n' : 'Not found.\n')
    if (isAnswer && given) resolve(given)
    else if (isAnswer) reject(new Error(`the server refused the login (${searchParams.get('error') ?? 'no code'})`))
  })
  await using closing = new AsyncDisposableStack()
  closing.defer(async () => {
    callback.closeAllConnections()
    callback.close()
  })
  callback.listen(0, '127.0.0.1')
  await once(callback, 'listening')
  const { port } = callback.address() as AddressInfo
  const provider = createLogins(ctx.db).begin(server, url, {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    state,
    show(link) {
      out.print(`Open this address in a browser on this machine:\n${link.href}`)
      out.print(`From another machine, connect first with: ssh -L ${port}:127.0.0.1:${port} THIS_MACHINE`)
    },
  })
  try {
    const late = () => new Error('nobody has logged in within ten minutes')
    await withTimeout({ clock: ctx.clock, ms: LOGIN_MS, late }, async () => {
      if ((await auth(provider, { serverUrl: url })) === 'AUTHORIZED') return
      await auth(provider, { serverUrl: url, authorizationCode: await code })
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new KikimimiError('OPTIONS_INVALID', `[mcp] the login to ${server} failed: ${why}`, { cause: error })
  }
  out.print(`The bot is logged in to ${server}.`)
}

/** The address of the server in the options, which are the same everywhere. */
function urlOf(ctx: PluginContext, server: string): string {
  const nowhere = { platform: 'mcp', workspace: '', channel: '', name: '', visibility: 'public' } as const
  const { servers } = ctx.optionsFor({ ...nowhere, id: conversationId(nowhere) }) as Options
  const options = Object.hasOwn(servers, server) ? servers[server] : undefined
  if (options && 'oauth' in options && options.oauth) return options.url
  const known = Object.entries(servers).flatMap(([name, one]) => ('oauth' in one && one.oauth ? [name] : []))
  throw new KikimimiError(
    'USAGE',
    `bot.config.ts has no server "${server}" with oauth: true.${known.length > 0 ? ` There are: ${known.join(', ')}.` : ''}`,
  )
}
