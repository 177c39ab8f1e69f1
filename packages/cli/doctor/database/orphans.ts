/** Rows of conversations that are gone. */
import { conversationParts, type Database } from 'kikimimi'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'

/** Tables whose rows belong to a conversation. */
const TABLES = ['message', 'delivery', 'trace', 'readers_before']

export async function orphans({ db }: Patient): Promise<Diagnosis[]> {
  const found: Diagnosis[] = []
  for (const table of TABLES) {
    const { rows } = await db.query<{ conversation: string; rows: number }>(
      `select conversation, count(*)::int as rows from kikimimi.${table} t
       where not exists (select from kikimimi.conversation c where c.id = t.conversation) group by conversation`,
    )
    if (rows.length > 0) found.push(orphaned(db, table, rows))
  }
  return found.length > 0 ? found : [ok('rows: every row belongs to a conversation')]
}

function orphaned(
  db: Database,
  table: string,
  of: readonly { readonly conversation: string; readonly rows: number }[],
): Diagnosis {
  const rows = of.reduce((sum, one) => sum + one.rows, 0)
  return {
    severity: 'warning',
    what: `${counted(rows, 'row')} of ${counted(of.length, 'conversation')} that is gone`,
    where: `kikimimi.${table}`,
    remedy: 'Make the conversation again, as a private one. No row is deleted.',
    async fix() {
      for (const { conversation } of of) await bringBack(db, conversation)
      return `made ${counted(of.length, 'conversation')} again`
    },
  }
}

/** Private, because its visibility is not known. The next message in it sets its name and its visibility. */
async function bringBack(db: Database, id: string): Promise<void> {
  const { platform, workspace, channel, thread } = conversationParts(id)
  await db.query(
    `insert into kikimimi.conversation (id, platform, workspace, channel, thread, name, visibility)
     values ($1, $2, $3, $4, $5, $4, 'private') on conflict do nothing`,
    [id, platform, workspace, channel, thread ?? null],
  )
}
