/** Asks each server for its tools, for `kikimimi check`. */
import { type Finding, type Logger, systemClock } from 'kikimimi'
import { createConnection } from './client/connection.ts'
import type { Options, ServerOptions } from './options.ts'
import { changes } from './rules.ts'

export function checkServers({ servers }: Options): Promise<readonly Finding[]> {
  return Promise.all(Object.entries(servers).map(([name, options]) => checkServer(name, options)))
}

async function checkServer(name: string, options: ServerOptions): Promise<Finding> {
  const what = `MCP server ${name}`
  // The tokens are in the database, which may be in use.
  if ('oauth' in options && options.oauth) return { what: `${what}: not asked, because it wants a login` }
  await using connection = createConnection(name, {
    ...{ options, clock: systemClock },
    ctx: { clock: systemClock, log: silent },
    changed() {},
  })
  await connection.wake()
  const { tools, problem } = connection
  if (problem !== undefined) return { what, problem: `${problem}. Check its command or address, and its environment variables.` }
  const changing = tools.filter(({ annotations }) => changes(annotations)).length
  return { what: `${what}: ${tools.length} tools, ${changing} of them change something and ask before` }
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent }
