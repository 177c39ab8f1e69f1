/** The places in which people talk among themselves, and how it went with the model there. */
import { type Database, retryAt } from 'kikimimi'

export interface PlaceRow {
  readonly id: string
  readonly version: number
  readonly failures: number
  readonly refusals: number
  readonly failed_upto: number | null
}

/**
 * Every conversation with its place, and who can read along. Nothing goes from a private thread into a channel that others
 * read; in a channel that few can read, all threads are for those few.
 */
export const WHEREABOUTS = `(
  select c.id, c.platform, c.workspace, c.channel, c.thread, coalesce(p.name, c.name) as name,
    case when c.thread is null then c.id
      else kikimimi_v1.place_of(regexp_replace(c.id, '/[^/]*$', ''), c.id, c.visibility, p.visibility) end as place,
    case when p.visibility <> 'public' then p.visibility else c.visibility end as visibility
  from kikimimi_v1.conversation c
    left join kikimimi_v1.conversation p on c.thread is not null and p.id = regexp_replace(c.id, '/[^/]*$', '')
)`

export async function findPlace(db: Database, id: string): Promise<PlaceRow | undefined> {
  const { rows } = await db.query<PlaceRow>(
    'select id, version, failures, refusals, failed_upto from reflection.place where id = $1',
    [id],
  )
  return rows[0]
}

/** Goes on with a place from where it was, with nothing held against it. False when it has changed since. */
export async function goOn(db: Database, { id, version }: PlaceRow): Promise<boolean> {
  const { rowCount } = await db.query(
    `update reflection.place set version = version + 1, failures = 0, refusals = 0, failed_upto = null, retry_at = null
     where id = $1 and version = $2`,
    [id, version],
  )
  return rowCount > 0
}

/** Writes down that the model failed, and until when it is left alone. */
export async function keepFailure(
  db: Database,
  { id, version, failures }: PlaceRow,
  { refused, upto }: { readonly refused: boolean; readonly upto: number },
  now: Date,
): Promise<void> {
  await db.query(
    `update reflection.place set failures = failures + 1, refusals = refusals + $3, failed_upto = $4, retry_at = $5
     where id = $1 and version = $2`,
    [id, version, refused ? 1 : 0, upto, retryAt(failures, now)],
  )
}
