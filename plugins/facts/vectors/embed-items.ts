/** Makes vectors for items that have none, or one of another model. Until then the search uses keywords. */

import { type Space, spaceKey, type VectorIndex, type VectorRow } from '../api/vectors.ts'
import type { LogDeps } from '../storage/entries.ts'
import { messagesOf } from '../storage/rows.ts'
import type { Embedder } from './embedder.ts'

const BATCH = 64

interface Item {
  readonly id: number
  readonly scope: number
  readonly text: string
}

export interface EmbedDeps extends LogDeps {
  readonly embedder: Embedder | undefined
  readonly vectors: () => VectorIndex
}

/**
 * Runs until every item has a vector of the model, if there is one, and no deleted item has one. Rejects if the model or the index does:
 * the job is tried again.
 */
export async function embedItems({ db, log, embedder, vectors }: EmbedDeps, signal?: AbortSignal): Promise<void> {
  await removeVectors({ db, vectors })
  if (!embedder) return
  const model = embedder
  const space = model.space ?? (await firstSpace())
  if (!space) return
  const made = space
  const home = await vectors().home(made)
  for (let more = true; more; ) {
    signal?.throwIfAborted()
    const items = await itemsOutside({ db, log }, home, BATCH)
    const changed = items.length > 0 && (await keep(items, await rowsOf(items)))
    more = changed || items.length === BATCH
  }
  await vectors().keepOnly(made)
  // Deletes the vectors in our own tables if another index has replaced them.
  if (home !== spaceKey(made)) await db.query('delete from facts.space')

  /** Known as soon as the model has responded. */
  async function firstSpace(): Promise<Space | undefined> {
    const [first] = await itemsOutside({ db, log }, '', 1)
    return first && (await model.embed(['kikimimi'], signal)).space
  }

  async function rowsOf(items: readonly Item[]): Promise<VectorRow[]> {
    try {
      return await embed(items)
    } catch (error) {
      signal?.throwIfAborted()
      return oneByOne(items, error)
    }
  }

  async function embed(items: readonly Item[]): Promise<VectorRow[]> {
    const embedded = await model.embed(
      items.map(({ text }) => text),
      signal,
    )
    return items.flatMap(({ id, scope }, at) => {
      const vector = embedded.vectors[at]
      return vector ? { item: id, scope, vector } : []
    })
  }

  /** One by one, so that a text that the model refuses does not block others. That text is found by keywords. */
  async function oneByOne(items: readonly Item[], error: unknown): Promise<VectorRow[]> {
    const rows: VectorRow[] = []
    for (const item of items) rows.push(...(await embed([item]).catch(() => [])))
    // If every text fails, the cause is the model.
    if (rows.length === 0) throw error
    return rows
  }

  /** Marks all items as done, refused ones too. Returns true if an item has been edited meanwhile. */
  async function keep(items: readonly Item[], vectorRows: readonly VectorRow[]): Promise<boolean> {
    await vectors().upsert(made, vectorRows)
    const ids = items.map(({ id }) => id)
    const { rows } = await db.transaction(async () => {
      // A separate statement: one that waited for an edit would compare with the old text.
      await db.query('select id from facts.item where id = any($1) order by id for update', [ids])
      return db.query<{ id: number }>(
        `update facts.item i set space = $2
         from unnest($1::bigint[], $3::text[]) as made(id, text) left join facts.fact f on f.item = made.id
         where i.id = made.id and (f.item is null or f.content = made.text) returning i.id`,
        [ids, home, items.map(({ text }) => text)],
      )
    })
    const there = new Set(rows.map(({ id }) => id))
    // Deleted or edited meanwhile. An edited item may have lost the vector of its new text.
    const others = ids.filter(id => !there.has(id))
    await vectors().remove(others)
    if (others.length === 0) return false
    const { rowCount } = await db.query('update facts.item set space = null where id = any($1)', [others])
    return rowCount > 0
  }
}

async function itemsOutside({ db, log }: LogDeps, home: string, limit: number): Promise<Item[]> {
  const { rows } = await db.query<
    Omit<Item, 'text'> & { content: string | null; channel: string | null; message: string | null }
  >(
    `select i.id, i.scope, f.content, m.channel, m.id as message
     from facts.item i left join facts.fact f on f.item = i.id left join facts.message m on m.item = i.id
     where i.space is null or i.space < $1 or i.space > $1 limit $2`,
    [home, limit],
  )
  const keyOf = ({ channel, message }: (typeof rows)[number]) =>
    channel !== null && message !== null ? [{ channel, id: message }] : []
  const read = await messagesOf(log, rows.flatMap(keyOf))
  return rows.map(row => {
    const [key] = keyOf(row)
    return { id: row.id, scope: row.scope, text: row.content ?? (key && read(key)?.text) ?? '' }
  })
}

/** Removes the vectors of deleted items from the index. */
export async function removeVectors({ db, vectors }: Pick<EmbedDeps, 'db' | 'vectors'>): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ item: number }>('select item from facts.removed limit 1000')
    const items = rows.map(({ item }) => item)
    if (items.length === 0) return
    await vectors().remove(items)
    await db.query('delete from facts.removed where item = any($1)', [items])
  }
}
