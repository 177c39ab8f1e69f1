/** What people changed on the page: who, when, from where, and what about. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock, Database, Logger } from 'kikimimi'

/** Changes are kept for a year. */
const KEPT = 365 * 24 * 60 * 60_000

export interface Change {
  readonly id: number
  readonly at: Date
  /** Empty before the login and without a password. */
  readonly account: string
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
  /** Whose session the request has. Nothing before the login and without a password. */
  whoIs(request: FastifyRequest): { readonly session: string; readonly account: string } | undefined
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** A longer value is a text of somebody. */
const LONGEST = 80
/** Fields of texts. */
const TEXTS = new Set(['text', 'content', 'password', 'next', 'code', 'value', 'author'])

/** Keeps each change that the bot accepts, before its answer is sent. A failure to keep it is logged, and does not undo the change. */
export function keepChanges(server: FastifyInstance, { db, clock, log, whoIs }: ChangesOptions): void {
  server.addHook('onSend', async (request, reply) => {
    const { method, routeOptions, params, query, body, ip } = request
    const url = routeOptions.url ?? ''
    const isChange =
      !READING.has(method) && reply.statusCode < 400 && url.startsWith('/api/') && !url.startsWith('/api/playground')
    if (!isChange) return
    const { summary } = (routeOptions.schema ?? {}) as { readonly summary?: string }
    const about = Object.fromEntries([params, query, body].flatMap(idsIn))
    const now = clock.now()
    try {
      const { session = '', account = '' } = whoIs(request) ?? {}
      await db.query(
        'insert into dashboard.change (at, session, account, address, what, about) values ($1, $2, $3, $4, $5, $6)',
        [new Date(now), session, account, ip, summary ?? `${method} ${url}`, JSON.stringify(about)],
      )
      await db.query('delete from dashboard.change where at < $1', [new Date(now - KEPT)])
    } catch (error) {
      log.warn('a change on the page could not be kept in the list of changes', { error })
    }
  })
}

export interface WhichChanges {
  readonly account?: string | undefined
  /** Part of what was done or what about. */
  readonly text?: string | undefined
  /** Only changes before the one with this id. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Changes, the latest first. */
export async function changesIn(db: Database, { account, text, before, limit }: WhichChanges): Promise<readonly Change[]> {
  const { rows } = await db.query<Change>(
    `select id, at, account, session, address, what, about from dashboard.change
     where ($1::text is null or account = $1) and ($2::text is null or position(lower($2) in lower(what || ' ' || about::text)) > 0)
       and ($3::bigint is null or id < $3)
     order by id desc limit $4`,
    [account ?? null, text ?? null, before ?? null, limit],
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
