/** Makes vectors for passages that have none, or one of another model. Until then a search goes by words. */
import type { Embedder } from '@kikimimi/facts/embedder'
import { type Database, KikimimiError } from 'kikimimi'

const BATCH = 32

interface Waiting {
  readonly id: number
  readonly text: string
}

/** Rejects if the model fails for every text: the job is tried again. */
export async function embedPassages(db: Database, embedder: Embedder, signal: AbortSignal): Promise<void> {
  let last = 0
  for (;;) {
    signal.throwIfAborted()
    const space = embedder.space && spaceOf(embedder.space)
    const { rows } = await db.query<Waiting>(
      `select p.id, array_to_string(p.headings || p.text, E'\\n') as text from knowledge.passage p
       where p.id > $1 and p.space is distinct from $2 order by p.id limit ${BATCH}`,
      [last, space ?? ''],
    )
    if (rows.length === 0) return
    last = rows.at(-1)?.id ?? last
    await keep(db, await vectorsOf(embedder, rows, signal))
  }
}

export function spaceOf({ name, dimensions }: NonNullable<Embedder['space']>): string {
  return `${name}/${dimensions}`
}

interface Made {
  readonly space: string
  readonly vectors: readonly (readonly [id: number, vector: Float32Array])[]
  /** Those that the model refused, too: it would refuse them again. */
  readonly ids: readonly number[]
}

async function vectorsOf(embedder: Embedder, rows: readonly Waiting[], signal: AbortSignal): Promise<Made> {
  const embed = async (some: readonly Waiting[]) => {
    const { space, vectors } = await embedder.embed(
      some.map(({ text }) => text),
      signal,
    )
    return { space: spaceOf(space), vectors: vectors.map((vector, at) => [some[at]?.id ?? 0, vector] as const) }
  }
  const ids = rows.map(({ id }) => id)
  try {
    return { ...(await embed(rows)), ids }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof KikimimiError && error.code === 'MODEL_MISSING') throw error
    const made: Awaited<ReturnType<typeof embed>>[] = []
    for (const row of rows) {
      const one = await embed([row]).catch(() => undefined)
      if (one) made.push(one)
    }
    const [first] = made
    if (!first) throw error
    return { space: first.space, vectors: made.flatMap(({ vectors }) => vectors), ids }
  }
}

async function keep(db: Database, { space, vectors, ids }: Made): Promise<void> {
  await db.transaction(async () => {
    for (const [id, vector] of vectors) {
      await db.query(
        `insert into knowledge.vector (passage, source, space, embedding)
         select id, source, $2, $3::vector from knowledge.passage where id = $1
         on conflict (passage) do update set space = excluded.space, embedding = excluded.embedding`,
        [id, space, vector],
      )
    }
    await db.query('update knowledge.passage set space = $2 where id = any($1)', [ids, space])
  })
}
