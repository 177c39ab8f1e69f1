/** Memories that wait for a vector of the model of today, for `kikimimi doctor`. */
import type { Database, Finding } from 'kikimimi'

export async function vectorsWaiting(db: Database): Promise<readonly Finding[]> {
  const { rows } = await db.query<{ memories: number; made: number; models: number }>(
    'select count(*)::int as memories, count(space)::int as made, count(distinct space)::int as models from facts.item',
  )
  const { memories = 0, made = 0, models = 0 } = rows[0] ?? {}
  const what = `memories: ${memories}, ${made} of them with a vector`
  if (models < 2) return [{ what }]
  return [
    { what: `${what}, of ${models} models`, problem: 'Let the bot run: it makes those of the former model again, 64 at a time.' },
  ]
}
