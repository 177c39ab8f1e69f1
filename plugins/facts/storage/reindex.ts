/** Index entries and digests of facts whose rows come from another version, which may cut texts into other tokens. */
import type { Database } from 'kikimimi'
import { rewriteEntry } from './entries.ts'
import { digestOf, foundBy } from './keep.ts'

interface Row {
  readonly item: number
  readonly content: string
  readonly people: readonly string[]
  readonly keywords: readonly string[]
  readonly scope: number
  readonly workspace: string
}

const PAGE = 500

/** Makes the entries of all facts again. Their vectors stay. */
export async function reindexFacts(db: Database): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await db.query<Row>(
      `select f.item, f.content, f.people, f.keywords, s.id as scope, s.workspace
       from facts.fact f join facts.item i on i.id = f.item join facts.scope s on s.id = i.scope
       where f.item > $1 order by f.item limit ${PAGE}`,
      [last],
    )
    await db.transaction(async () => {
      for (const { item, scope, workspace, ...fact } of rows) {
        await rewriteEntry(db, item, await foundBy(db, workspace, fact))
        // Two facts that this version takes for one keep the digests that tell them apart.
        await db.query(
          `update facts.fact set digest = $2 where item = $1 and (
             valid_to is not null
             or not exists (select 1 from facts.fact o where o.digest = $2 and o.valid_to is null and o.item <> $1))`,
          [item, digestOf(scope, fact.content)],
        )
      }
    })
    last = rows.at(-1)?.item ?? last
    if (rows.length < PAGE) return
  }
}
