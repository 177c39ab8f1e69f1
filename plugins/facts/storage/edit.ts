/** Edits of a fact by the operator of the bot. */
import type { Database } from 'kikimimi'
import type { Edited, FactChange } from '../api/facts.ts'
import type { VectorIndex } from '../api/vectors.ts'
import { isSameSubject } from '../text/change.ts'
import { wordsOf } from '../text/tokens.ts'
import { rewriteEntry } from './entries.ts'
import { checkFact, digestOf, foundBy } from './keep.ts'
import { factsById } from './rows.ts'

export interface EditDeps {
  readonly db: Database
  readonly vectors: () => VectorIndex
}

/** A fact with new content has no vector until {@link embedItems} has run. */
export async function editFact({ db, vectors }: EditDeps, id: number, change: FactChange, now: Date): Promise<Edited> {
  const { rewritten, ...edited } = await db.transaction(() => rewrite(db, id, change, now))
  if (!rewritten) return edited
  // Outside of the transaction, so that no other writer waits for the index. If it is unreachable, the next vector replaces
  // this one.
  await vectors()
    .remove([id])
    .catch(() => {})
  // A vector that was made meanwhile may be gone too.
  await db.query('update facts.item set space = null where id = $1', [id])
  return edited
}

/** `rewritten`: the content has changed. */
async function rewrite(
  db: Database,
  id: number,
  change: FactChange,
  now: Date,
): Promise<Edited & { readonly rewritten?: boolean }> {
  // The same lock as in an addition: of two concurrent writers, the second sees what the first has written.
  const { rows } = await db.query<{ scope: number; workspace: string }>(
    `select s.id as scope, s.workspace from facts.item i join facts.scope s on s.id = i.scope
     where i.id = $1 and i.kind = 'fact' for update of s`,
    [id],
  )
  const [place] = rows
  const [fact] = await factsById(db, [id])
  if (!place || !fact) return { outcome: 'missing' }
  const { content = fact.content, kind = fact.kind, confidence = fact.confidence, shareable = fact.shareable } = change
  const people = [...new Set(change.people ?? fact.people)]
  checkFact({ content, confidence })
  const digest = digestOf(place.scope, content)
  const { rows: known } = await db.query<{ item: number }>(
    'select item from facts.fact where digest = $1 and valid_to is null and item <> $2',
    [digest, id],
  )
  if (known[0] && !fact.validTo) return { outcome: 'known', id: known[0].item }

  const rewritten = content !== fact.content
  // The parts of a fact are those of its old text.
  const claims = !rewritten || (fact.value !== undefined && content.includes(fact.value))
  const keywords = rewritten ? keywordsAfter(fact.keywords, fact.content, content) : fact.keywords
  await rewriteEntry(db, id, await foundBy(db, place.workspace, { content, people, keywords }))
  await db.query(
    `update facts.fact set content = $2, digest = $3, kind = $4, people = $5, keywords = $6, confidence = $7, shareable = $8,
       edited_at = case when $9 then $10 else edited_at end,
       subject = case when $11 then subject end, relation = case when $11 then relation end, value = case when $11 then value end,
       single = single and $11
     where item = $1`,
    [id, content, digest, kind, people, keywords, confidence, shareable, rewritten, now, claims],
  )
  if (rewritten) await db.query('update facts.item set space = null where id = $1', [id])
  const [edited] = await factsById(db, [id])
  return edited ? { outcome: 'edited', fact: edited, rewritten } : { outcome: 'missing' }
}

/** The old keywords that still fit. If the subject changes, only those in the new content. */
function keywordsAfter(keywords: readonly string[], before: string, content: string): string[] {
  const [had, has] = [new Set(wordsOf(before)), new Set(wordsOf(content))]
  const same = isSameSubject(before, content)
  return keywords.filter(keyword => wordsOf(keyword).every(word => has.has(word) || (same && !had.has(word))))
}
