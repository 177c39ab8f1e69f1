/** What people changed on the page, or tried to: who, when, from where, and what about. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock, Database, Logger } from 'kikimimi'
import { createRepeats } from './repeats.ts'

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
  /** The status of the answer. 400 or more: refused. */
  readonly status: number
  /** How many requests the row stands for. Equal refused requests of an hour have two rows: the first one, and all others. */
  readonly times: number
}

export type NewChange = Omit<Change, 'id' | 'at'>

export interface ChangesOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  /** Whether the page has a password. */
  readonly hasAccounts: boolean
  /** Whose session the request has. Nothing before the login and without a password. */
  whoIs(request: FastifyRequest): { readonly session: string; readonly account: string } | undefined
  /** From where the request comes. */
  addressOf(request: FastifyRequest): string
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Answers that refuse a person, and not what a person has written. */
const DENIED = new Set([401, 403, 429])
/** A longer value is a text of somebody. */
const LONGEST = 80
/** Of the names of all changed settings together. */
const NAMES = 500
/** Fields of texts. */
const TEXTS = new Set(['text', 'content', 'password', 'next', 'code', 'value', 'author', 'comment'])

/**
 * Keeps each change that the bot accepts or refuses, and what a role may not read, before its answer is sent. A failure to keep it is
 * logged, and does not undo the change.
 */
export function keepChanges(server: FastifyInstance, options: ChangesOptions): void {
  const { db, clock, log, hasAccounts, whoIs, addressOf } = options
  const keep = (change: NewChange) =>
    keepChange({ db, clock }, change).catch(error =>
      log.warn('a change on the page could not be kept in the list of changes', { error }),
    )
  const repeats = createRepeats(clock, keep)
  server.addHook('onClose', () => repeats.end())

  server.addHook('onSend', async (request, reply) => {
    const { method, routeOptions, params, query, body } = request
    const url = routeOptions.url ?? ''
    const { statusCode: status } = reply
    const who = whoIs(request)
    const isKept = DENIED.has(status)
      ? who !== undefined || !READING.has(method)
      : !READING.has(method) && !url.startsWith('/api/playground')
    if (!isKept || !url.startsWith('/api/')) return
    const { summary } = (routeOptions.schema ?? {}) as { readonly summary?: string }
    const isStranger = hasAccounts && !who
    const { session = '', account = '' } = who ?? {}
    const change = {
      ...{ account, session, address: addressOf(request), what: summary ?? `${method} ${url}`, status, times: 1 },
      about: isStranger ? await accountIn(db, body) : Object.fromEntries([params, query, body].flatMap(idsIn)),
    }
    // Whose password was wrong tells requests of strangers apart. Other values would give them as many rows as they like.
    const kind = JSON.stringify([method, url, status, account, isStranger && change.about])
    if (status < 400 || repeats.isFirst(kind, change)) await keep(change)
  })
}

/** Adds to the list. What is older than a year leaves it. */
export async function keepChange(
  { db, clock }: Pick<ChangesOptions, 'db'> & { readonly clock: Pick<Clock, 'now'> },
  { account, session, address, what, about, status, times }: NewChange,
): Promise<void> {
  const now = clock.now()
  await db.query(
    `insert into dashboard.change (at, session, account, address, what, about, status, times)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [new Date(now), session, account, address, what, JSON.stringify(about), status, times],
  )
  await db.query('delete from dashboard.change where at < $1', [new Date(now - KEPT)])
}

export interface WhichChanges {
  readonly account?: string | undefined
  /** Part of what was done or what about. */
  readonly text?: string | undefined
  /** Only changes before the one with this id. */
  readonly before?: number | undefined
  /** Only what was accepted, or only what was refused. */
  readonly outcome?: 'done' | 'refused' | undefined
  readonly limit: number
}

/** Changes, the latest first. */
export async function changesIn(
  db: Database,
  { account, text, before, outcome, limit }: WhichChanges,
): Promise<readonly Change[]> {
  const refused = outcome === 'refused' ? 'and status >= 400' : outcome === 'done' ? 'and status < 400' : ''
  const { rows } = await db.query<Change>(
    `select id, at, account, session, address, what, about, status, times from dashboard.change
     where ($1::text is null or account = $1) and ($2::text is null or position(lower($2) in lower(what || ' ' || about::text)) > 0)
       and ($3::bigint is null or id < $3) ${refused}
     order by id desc limit $4`,
    [account ?? null, text ?? null, before ?? null, limit],
  )
  return rows
}

/** Of what a stranger sends only the name of an account is kept: people type passwords into the wrong field. */
async function accountIn(db: Database, body: unknown): Promise<Change['about']> {
  const { account } = Object.fromEntries(idsIn(body))
  const { rows } = await db.query<{ account: string }>('select name as account from dashboard.account where name = $1', [
    String(account ?? ''),
  ])
  return { ...rows[0] }
}

function idsIn(given: unknown): (readonly [string, string | number | boolean])[] {
  if (typeof given !== 'object' || given === null) return []
  const settings = 'changes' in given && Array.isArray(given.changes) ? given.changes.map(pathOf).join(', ').slice(0, NAMES) : ''
  const own = Object.entries(given).filter(
    (entry): entry is [string, string | number | boolean] =>
      !TEXTS.has(entry[0]) &&
      entry[0].length <= LONGEST &&
      (typeof entry[1] === 'number' ||
        typeof entry[1] === 'boolean' ||
        (typeof entry[1] === 'string' && entry[1].length <= LONGEST)),
  )
  return settings === '' ? own : [...own, ['settings', settings]]
}

/** The keys of a changed setting, without its value. */
function pathOf(change: { readonly path?: unknown }): string {
  return Array.isArray(change?.path) ? change.path.join('.') : ''
}
