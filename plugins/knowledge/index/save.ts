/** Writes the passages of a document: only those that are new, a few at a time. */
import type { Database } from 'kikimimi'
import type { ReadDocument } from '../documents/reader.ts'
import type { Listed } from '../sources/source.ts'
import { termsOf } from './terms.ts'

/** Passages of one statement. On the embedded database a turn waits for one statement at most. */
const TOGETHER = 8

export interface NewDocument extends Omit<Listed, 'title'>, ReadDocument {
  readonly source: number
  readonly hash: string
  readonly at: Date
}

/**
 * While it runs, a search finds old and new passages. After a crash the next run continues: `hash` is set last.
 */
export async function saveDocument(db: Database, document: NewDocument, signal: AbortSignal): Promise<void> {
  const { source, path, passages, hash, version, link, at, from } = document
  const title = clean(document.title)
  const { rows } = await db.query<{ id: number }>(
    `insert into knowledge.document (source, path, title, checked_at, channel, message, author) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (source, path) do update set title = excluded.title, checked_at = excluded.checked_at returning id`,
    [source, path, title, at, from?.channel ?? null, from?.id ?? null, from?.author ?? null],
  )
  const id = rows[0]?.id
  const { rows: known } = await db.query<{ hash: string }>('select hash from knowledge.passage where document = $1', [id])
  const there = new Set(known.map(({ hash }) => hash))
  const fresh = passages.filter(({ hash }) => !there.has(hash))
  for (let first = 0; first < fresh.length; first += TOGETHER) {
    signal.throwIfAborted()
    const rows = fresh.slice(first, first + TOGETHER).map(({ hash, anchor, ...words }) => {
      const [headings, text] = [words.headings.map(clean), clean(words.text)]
      return {
        hash,
        headings,
        anchor: anchor === undefined ? null : clean(anchor),
        text,
        ...termsOf(title || path, headings, text),
      }
    })
    await db.query(
      `insert into knowledge.passage (document, source, hash, headings, anchor, text, tokens, words)
       select $1, $2, p.hash, p.headings, p.anchor, p.text, p.tokens, p.words
       from jsonb_to_recordset($3) as p(hash text, headings text[], anchor text, text text, tokens int[], words int)`,
      [id, source, JSON.stringify(rows)],
    )
  }
  await db.transaction(async () => {
    await db.query('delete from knowledge.passage where document = $1 and not (hash = any($2))', [
      id,
      passages.map(({ hash }) => hash),
    ])
    await db.query('update knowledge.document set hash = $2, version = $3, link = $4, problem = null where id = $1', [
      id,
      hash,
      version ?? null,
      link ?? null,
    ])
  })
}

/** Files hold NUL and halves of surrogate pairs, which Postgres refuses. */
export function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
