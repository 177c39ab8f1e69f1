/** Places whose messages are processed together, with their failures. */
import { type Database, retryAt } from 'kikimimi'

export interface PlaceRow {
  readonly id: string
  readonly version: number
  readonly failures: number
  readonly refusals: number
  readonly failed_upto: number | null
}

/**
 * The place and the audience of every conversation. Messages of a thread with readers of its own are not processed with its
 * channel.
 */
export const WHEREABOUTS = `(
  select c.id, c.platform, c.workspace, c.channel, c.thread, coalesce(p.name, c.name) as name, c.details,
    told.place, told.visibility
  from kikimimi_v1.conversation c
    left join kikimimi_v1.conversation p on c.thread is not null and p.id = regexp_replace(c.id, '/[^/]*$', ''),
    lateral kikimimi_v1.place_of(c.id, null, null) told
)`

export async function findPlace(db: Database, id: string): Promise<PlaceRow | undefined> {
  const { rows } = await db.query<PlaceRow>(
    'select id, version, failures, refusals, failed_upto from reflection.place where id = $1',
    [id],
  )
  return rows[0]
}

/** Resets the failures of a place. Returns false if the place has changed since. */
export async function goOn(db: Database, { id, version }: PlaceRow): Promise<boolean> {
  const { rowCount } = await db.query(
    `update reflection.place set version = version + 1, failures = 0, refusals = 0, failed_upto = null, retry_at = null
     where id = $1 and version = $2`,
    [id, version],
  )
  return rowCount > 0
}

/** Stores that the model failed, and the time of the next attempt. */
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
