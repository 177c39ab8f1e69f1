/** The ratings of turns: an evaluation set of references, which are read when a set is run. */
import { type Database, type ForgottenPerson, nameMatcher } from 'kikimimi'

export interface Rating {
  readonly turn: string
  readonly good: boolean
  readonly speaks: boolean
  readonly contains: readonly string[]
  readonly forbids: readonly string[]
  readonly comment: string
  readonly by: string
  readonly at: Date
}

/** The most ratings of a set: the latest count. */
export const MOST = 500

/** Those whose turn is still kept, latest first. */
export async function ratings(db: Database, turn?: string): Promise<readonly Rating[]> {
  const { rows } = await db.query<Rating>(
    `select r.turn, r.good, r.speaks, r.contains, r.forbids, r.comment, r.by, r.at from dashboard.rating r
     where ($1::text is null or r.turn = $1) and exists (select 1 from kikimimi_v1.trace t where t.turn = r.turn)
     order by r.at desc limit ${MOST}`,
    [turn ?? null],
  )
  return rows
}

/** Returns false for a turn that is not kept, or of which a message is gone. */
export const rate = (db: Database, { turn, good, speaks, contains, forbids, comment, by, at }: Rating): Promise<boolean> =>
  db.transaction(async () => {
    await db.query('select dashboard.keep_sources($1)', [turn])
    const { rowCount } = await db.query(
      `insert into dashboard.rating (turn, good, speaks, contains, forbids, comment, by, at)
       select t.turn, $2, $3, $4, $5, $6, $7, $8 from kikimimi_v1.trace t
       where t.turn = $1 and exists (select 1 from kikimimi_v1.source s where s.owner = 'kikimimi' and s.thing = t.turn)
       on conflict (turn) do update set good = excluded.good, speaks = excluded.speaks, contains = excluded.contains,
         forbids = excluded.forbids, comment = excluded.comment, by = excluded.by, at = excluded.at`,
      [turn, good, speaks, contains, forbids, comment, by, at],
    )
    return rowCount === 1
  })

export async function unrate(db: Database, turn: string): Promise<void> {
  await db.query('delete from dashboard.rating where turn = $1', [turn])
}

/** Ratings end with the traces of their turns. */
export async function sweepRatings(db: Database): Promise<void> {
  await db.query('delete from dashboard.rating r where not exists (select 1 from kikimimi_v1.trace t where t.turn = r.turn)')
}

/** Deletes the ratings that name the person. Those of turns with messages of the person go with the messages. */
export async function forgetRatings(db: Database, { names, before }: ForgottenPerson): Promise<void> {
  const matcher = nameMatcher(names)
  const { rows } = await db.query<Pick<Rating, 'turn' | 'contains' | 'forbids' | 'comment'>>(
    'select turn, contains, forbids, comment from dashboard.rating where at <= $1',
    [before],
  )
  const named = rows.filter(({ contains, forbids, comment }) =>
    [...contains, ...forbids, comment].some(text => matcher.test(text)),
  )
  if (named.length > 0) await db.query('delete from dashboard.rating where turn = any($1)', [named.map(({ turn }) => turn)])
}
