/** What people changed on the page: when, from where, and what about. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock, Database, Logger } from 'kikimimi'

/** Changes are kept for a year. */
const KEPT = 365 * 24 * 60 * 60_000

export interface Change {
  readonly at: Date
  /** The id of the session; empty before the login and without a password. */
  readonly session: string
  readonly address: string
  /** What was done, in the words of the API. */
  readonly what: string
  /** The ids that the request named. Texts are left out. */
  readonly about: Readonly<Record<string, string | number | boolean>>
}

export interface ChangesOptions {
  readonly db: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** The id of the session of a request; empty before the login and without a password. */
  sessionOf(request: FastifyRequest): string
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A longer value is a text of somebody. */
const LONGEST = 80
/** Fields of texts. */
const TEXTS = new Set(['text', 'content', 'password', 'value', 'author'])

/** Keeps each change that the bot accepts. A failure to keep it is logged, and does not undo the change. */
export function keepChanges(server: FastifyInstance, { db, clock, log, sessionOf }: ChangesOptions): void {
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, params, query, body, ip } = request
    const url = routeOptions.url ?? ''
    const isChange =
      !READING.has(method) && reply.statusCode < 400 && url.startsWith('/api/') && !url.startsWith('/api/playground')
    if (!isChange) return
    const { summary } = (routeOptions.schema ?? {}) as { readonly summary?: string }
    const about = Object.fromEntries([params, query, body].flatMap(idsIn))
    const now = clock.now()
    try {
      await db.query('insert into dashboard.change (at, session, address, what, about) values ($1, $2, $3, $4, $5)', [
        new Date(now),
        sessionOf(request),
        ip,
        summary ?? `${method} ${url}`,
        JSON.stringify(about),
      ])
      await db.query('delete from dashboard.change where at < $1', [new Date(now - KEPT)])
    } catch (error) {
      log.warn('a change on the page could not be kept in the list of changes', { error })
    }
  })
}

/** The latest changes, newest first. */
export async function changesIn(db: Database, limit: number): Promise<readonly Change[]> {
  const { rows } = await db.query<Change>(
    'select at, session, address, what, about from dashboard.change order by id desc limit $1',
    [limit],
  )
  return rows
}

function idsIn(given: unknown): (readonly [string, string | number | boolean])[] {
  if (typeof given !== 'object' || given === null) return []
  return Object.entries(given).filter(
    (entry): entry is [string, string | number | boolean] =>
      !TEXTS.has(entry[0]) &&
      (typeof entry[1] === 'number' ||
        typeof entry[1] === 'boolean' ||
        (typeof entry[1] === 'string' && entry[1].length <= LONGEST)),
  )
}
