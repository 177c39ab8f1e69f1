/** Ends statements that will never be answered: the server is frozen, or the network swallows packets without an error. */
import type { Socket } from 'node:net'
import pg from 'pg'
import { KikimimiError } from '../../base/errors.ts'
import { isSilent } from './unavailable.ts'

/** Milliseconds without a byte of an answer, after which the server is asked about the statement. */
const SILENT_MS = 1_500
const CHECK_MS = 500
/** Longest time between two questions about one statement that runs. */
const LONGEST_MS = 15_000
/** Milliseconds for the answer. With the time before, it is less than a plugin has for a call in a stage. */
const ASK_MS = 2_500
/** How often the server must not know of a statement. The first time the answer may be on its way. */
const UNKNOWN = 2

/** A connection whose statements are watched. `name` is its `application_name`, unless the URL gives another. */
export interface WatchedClient extends pg.Client {
  readonly name: string
}

/** The connections on which the server runs a statement, by name and by process id. */
export type Working = ReadonlySet<string | number>

interface Statement {
  readonly client: WatchedClient
  received: number
  heardAt: number
  waitMs: number
  unknown: number
}

export interface SilenceWatch {
  /** Runs a statement of a connection. Destroys the connection, so that the statement rejects, when it gets no answer. */
  run<T>(client: WatchedClient, statement: () => Promise<T>): Promise<T>
}

export interface SilenceOptions {
  /** Asks on a new connection which of these work. Resolves with nothing when the server does not answer. */
  ask(clients: readonly WatchedClient[]): Promise<Working | undefined>
  /** Gets the connections that were destroyed. Others may be as dead. */
  destroyed(clients: readonly WatchedClient[]): void
}

/**
 * A statement has no time limit: a search or a migration may take minutes. But when no byte of its answer arrives, the server is
 * asked about it on a new connection. The statement ends when the server does not answer that either, or does not know of it.
 */
export function createSilenceWatch({ ask, destroyed }: SilenceOptions): SilenceWatch {
  const running = new Set<Statement>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false

  async function check(): Promise<void> {
    if (running.size === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const silent = [...running].filter(isQuiet)
    if (silent.length === 0 || isAsking) return
    isAsking = true
    const working = await ask(silent.map(({ client }) => client))
    isAsking = false
    const lost = silent.filter(one => running.has(one) && isQuiet(one) && isLost(one, working))
    for (const { client } of lost) destroy(client)
    if (lost.length > 0) destroyed(lost.map(({ client }) => client))
  }

  return {
    async run(client, statement) {
      const one = { client, received: received(client), heardAt: performance.now(), waitMs: SILENT_MS, unknown: 0 }
      running.add(one)
      timer ??= setInterval(() => void check(), CHECK_MS).unref()
      try {
        return await statement()
      } finally {
        running.delete(one)
      }
    },
  }
}

function isQuiet(one: Statement): boolean {
  const now = received(one.client)
  if (now !== one.received) Object.assign(one, { received: now, heardAt: performance.now(), waitMs: SILENT_MS, unknown: 0 })
  return performance.now() - one.heardAt >= one.waitMs
}

function isLost(one: Statement, working: Working | undefined): boolean {
  if (!working) return true
  if (working.has(one.client.name) || working.has(processOf(one.client))) {
    one.heardAt = performance.now()
    one.waitMs = Math.min(2 * one.waitMs, LONGEST_MS)
    one.unknown = 0
    return false
  }
  return ++one.unknown >= UNKNOWN
}

/** Closes the connection without the farewell that nobody would read. */
export function destroy({ connection }: Pick<pg.Client, 'connection'>): void {
  connection.stream.destroy(new KikimimiError('DATABASE_UNREACHABLE', 'the connection to the database does not answer'))
}

function received({ connection }: Pick<pg.Client, 'connection'>): number {
  return (connection.stream as Socket).bytesRead
}

function processOf(client: pg.ClientBase): number {
  return (client as unknown as { readonly processID: number | null }).processID ?? 0
}

/**
 * The question of {@link SilenceOptions.ask}. A backend that waits for the client has sent its answer, or has not got the whole
 * statement. Behind a pooler the process id is not that of the backend, but the pooler passes the name on.
 */
const WORKING = `
  select pid, application_name as name from pg_stat_activity
  where (pid = any($1) or application_name = any($2)) and state = 'active' and wait_event_type is distinct from 'Client'`

/** Asks the server of this config. */
export async function whichWork(config: pg.ClientConfig, clients: readonly WatchedClient[]): Promise<Working | undefined> {
  const asking = new pg.Client({ ...config, application_name: 'kikimimi asks', connectionTimeoutMillis: ASK_MS })
  asking.on('error', () => {})
  const late = setTimeout(() => destroy(asking), ASK_MS)
  try {
    await asking.connect()
    const { rows } = await asking.query<{ pid: number; name: string }>(WORKING, [
      clients.map(processOf),
      clients.map(({ name }) => name),
    ])
    void asking.end()
    return new Set(rows.flatMap(({ pid, name }) => [pid, name]))
  } catch (error) {
    destroy(asking)
    // The server answered with a refusal: it says nothing about the statements.
    return isSilent(error) ? undefined : new Set(clients.map(({ name }) => name))
  } finally {
    clearTimeout(late)
  }
}
