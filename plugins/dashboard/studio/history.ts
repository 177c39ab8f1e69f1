/** The changes of bot.settings.json that were made on the page: who, when, before and after. */
import type { Clock, Database } from 'kikimimi'
import type { AppliedChange } from 'kikimimi/host'
import type { HistoryView } from './views.ts'

interface Row {
  readonly id: number
  readonly at: Date
  readonly account: string
  readonly changes: readonly AppliedChange[]
  readonly undoes: number | null
  readonly undone_by: number | null
}

const COLUMNS = `id, at, account, changes, undoes,
  (select max(later.id) from dashboard.setting_change later where later.undoes = setting_change.id) as undone_by`

export interface NewEntry {
  readonly account: string
  readonly changes: readonly AppliedChange[]
  readonly undoes?: number
}

export async function keepEntry(
  { db, clock }: { readonly db: Database; readonly clock: Pick<Clock, 'now'> },
  { account, changes, undoes }: NewEntry,
): Promise<void> {
  await db.query('insert into dashboard.setting_change (at, account, changes, undoes) values ($1, $2, $3, $4)', [
    new Date(clock.now()),
    account,
    JSON.stringify(changes),
    undoes ?? null,
  ])
}

/** The latest first. */
export async function entries(db: Database, before: number | undefined, limit: number): Promise<HistoryView[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from dashboard.setting_change where $1::bigint is null or id < $1 order by id desc limit $2`,
    [before ?? null, limit],
  )
  return rows.map(viewOf)
}

export async function entry(db: Database, id: number): Promise<HistoryView | undefined> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from dashboard.setting_change where id = $1`, [id])
  return rows.map(viewOf)[0]
}

function viewOf({ id, at, account, changes, undoes, undone_by }: Row): HistoryView {
  return {
    ...{ id: Number(id), at: at.toISOString(), account, changes: [...changes] },
    ...(undoes !== null && { undoes: Number(undoes) }),
    ...(undone_by !== null && { undoneBy: Number(undone_by) }),
  }
}
