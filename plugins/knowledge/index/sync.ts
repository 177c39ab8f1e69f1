/** Brings the index of a source up to date: what is new, what has changed, what is gone. */
import { createHash } from 'node:crypto'
import type { Clock, Database, Logger, PersonKey } from 'kikimimi'
import { createReader, type Reader } from '../documents/reader.ts'
import { Unreadable } from '../documents/unreadable.ts'
import type { Listed, Listing, Source } from '../sources/source.ts'
import { clean, saveDocument } from './save.ts'

export interface SyncDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
}

interface Known {
  readonly path: string
  readonly version: string | null
  readonly hash: string | null
  readonly link: string | null
  readonly problem: string | null
  readonly checkedAt: Date
}

/** Milliseconds of real time after which a run lets other jobs go first. */
const SLICE_MS = 10_000

/**
 * Reads one source. A document that cannot be read is noted, and keeps what was read of it before; the others follow.
 *
 * @param since when this pass over the source began: a document without a version is read once in a pass
 * @returns `more` if it has to go on in another run, `failed` if the source cannot be read now
 */
export async function syncSource(
  deps: SyncDeps,
  source: Source,
  since: Date,
  signal: AbortSignal,
): Promise<'done' | 'more' | 'failed'> {
  const { db, clock, log } = deps
  const id = await idOf(db, source.name)
  const listing = await listed(deps, source, id, signal)
  if (!listing) return 'failed'
  const known = new Map((await knownOf(db, id)).map(one => [one.path, one]))
  const paths = new Set(listing.documents.map(({ path }) => path))
  for (const path of known.keys()) if (!paths.has(path)) await remove(db, id, path)

  await using reader = createReader()
  const begun = performance.now()
  for (const document of listing.documents) {
    signal.throwIfAborted()
    const before = known.get(document.path)
    if (isCurrent(document, before, since)) continue
    if (performance.now() - begun > SLICE_MS) return 'more'
    const at = new Date(clock.now())
    try {
      await readDocument({ db, reader, listing, id, at }, document, before, signal)
    } catch (error) {
      signal.throwIfAborted()
      // The database, and not the document, is at fault: the job is tried again.
      if (isOfDatabase(error)) throw error
      const problem = reasonOf(error)
      if (problem !== before?.problem) log.warn(`${source.name}: ${document.path} cannot be read: ${problem}`)
      await note(db, id, document, problem, at)
    }
  }
  await db.query('update knowledge.source set checked_at = $2 where id = $1', [id, new Date(clock.now())])
  return 'done'
}

function isCurrent({ version, link }: Listed, before: Known | undefined, since: Date): boolean {
  if (!before) return false
  if (version === undefined) return before.checkedAt >= since
  return before.version === version && (before.link ?? undefined) === link
}

interface Reading {
  readonly db: Database
  readonly reader: Reader
  readonly listing: Listing
  /** The source. */
  readonly id: number
  readonly at: Date
}

async function readDocument(
  { db, reader, listing, id, at }: Reading,
  document: Listed,
  before: Known | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { kind, bytes } = await listing.read(document, signal)
  const hash = createHash('sha256').update(kind).update(bytes).digest('base64url')
  if (hash === before?.hash) {
    await db.query(
      'update knowledge.document set version = $3, link = $4, problem = null, checked_at = $5 where source = $1 and path = $2',
      [id, document.path, document.version ?? null, document.link ?? null, at],
    )
    return
  }
  const read = await reader.read(kind, bytes)
  if (read.passages.length === 0) throw new Unreadable('it has no text')
  const title = document.title ?? read.title
  await saveDocument(db, { ...document, ...read, title, source: id, hash, at }, signal)
}

async function listed(
  { db, clock, log }: SyncDeps,
  source: Source,
  id: number,
  signal: AbortSignal,
): Promise<Listing | undefined> {
  try {
    const listing = await source.list(signal)
    const { place, problem } = listing
    await db.query('update knowledge.source set problem = $2, conversation = $3, visibility = $4 where id = $1', [
      id,
      problem ?? null,
      place?.id ?? null,
      place?.visibility ?? null,
    ])
    return listing
  } catch (error) {
    signal.throwIfAborted()
    if (isOfDatabase(error)) throw error
    const problem = reasonOf(error)
    log.warn(`${source.name} cannot be read, and what was read before is kept: ${problem}`)
    await db.query('update knowledge.source set problem = $2, checked_at = $3 where id = $1', [
      id,
      problem,
      new Date(clock.now()),
    ])
    return undefined
  }
}

async function idOf(db: Database, name: string): Promise<number> {
  await db.query('insert into knowledge.source (name) values ($1) on conflict do nothing', [name])
  const { rows } = await db.query<{ id: number }>('select id from knowledge.source where name = $1', [name])
  return rows[0]?.id ?? 0
}

async function knownOf(db: Database, id: number): Promise<readonly Known[]> {
  const { rows } = await db.query<Known>(
    'select path, version, hash, link, problem, checked_at as "checkedAt" from knowledge.document where source = $1',
    [id],
  )
  return rows
}

/** Deletes all sources but these, with what was read of them. */
export async function dropSources(db: Database, kept: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ id: number }>('select id from knowledge.source where not (name = any($1))', [kept])
  for (const { id } of rows) {
    for (const { path } of await knownOf(db, id)) await remove(db, id, path)
    await db.query('delete from knowledge.source where id = $1', [id])
  }
}

/**
 * Deletes the documents that come from messages of a person, at once.
 *
 * @returns whether there were any
 */
export async function forgetDocuments(db: Database, { platform, id }: PersonKey): Promise<boolean> {
  const { rows } = await db.query<{ source: number; path: string }>(
    'select source, path from knowledge.document where author = $1 and starts_with(channel, $2)',
    [id, `${encodeURIComponent(platform)}/`],
  )
  for (const { source, path } of rows) await remove(db, source, path)
  return rows.length > 0
}

/** A few passages at a time, so that a turn does not wait for those of a large document. */
async function remove(db: Database, id: number, path: string): Promise<void> {
  for (let more = true; more; ) {
    const { rowCount } = await db.query(
      `delete from knowledge.passage where id in (
         select p.id from knowledge.passage p join knowledge.document d on d.id = p.document
         where d.source = $1 and d.path = $2 limit 50
       )`,
      [id, path],
    )
    more = rowCount > 0
  }
  await db.query('delete from knowledge.document where source = $1 and path = $2', [id, path])
}

/** The version too: a file that cannot be read is not read again until it changes. */
function note(db: Database, id: number, { path, version, link, from }: Listed, problem: string, at: Date): Promise<unknown> {
  return db.query(
    `insert into knowledge.document (source, path, version, link, problem, checked_at, channel, message, author)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (source, path) do update
       set version = excluded.version, link = excluded.link, problem = excluded.problem, checked_at = excluded.checked_at`,
    [
      ...[id, path, version ?? null, link ?? null, clean(problem).slice(0, 500), at],
      ...[from?.channel ?? null, from?.id ?? null, from?.author ?? null],
    ],
  )
}

/** Classes 22 and 54 of Postgres are values that it cannot store: those of the document. */
function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:DATABASE_.*|(?!22|54)[0-9A-Z]{5})$/.test(String(error.code))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error'
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
