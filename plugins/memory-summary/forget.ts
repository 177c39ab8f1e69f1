/** Forgetting a person. */
import type { Database, PersonKey } from 'kikimimi'
import { forgetRecent } from './memories.ts'

/** Returns how many memories were cleared: they are made again when they are next looked at. */
export function forgetPerson(db: Database, { platform, id }: PersonKey): Promise<number> {
  const encoded = encodeURIComponent(platform)
  return db.transaction(async () => {
    await db.query(
      `insert into memory_summary.forgotten (platform, person, upto)
       select $1, $2, coalesce(max(seq), 0) from kikimimi.message
       on conflict (platform, person) do update set upto = excluded.upto`,
      [encoded, id],
    )
    // What is being written this very moment was read before: it is thrown away.
    await db.query(`update memory_summary.memory set version = version + 1 where starts_with(id, $1 || '/')`, [encoded])
    const { rows } = await db.query<{ memory: string; history: boolean }>(
      `select memory, history from memory_summary.speaker where person = $2 and starts_with(memory, $1 || '/')`,
      [encoded, id],
    )
    const all = rows.map(({ memory }) => memory)
    const whole = rows.filter(({ history }) => history).map(({ memory }) => memory)
    await db.query(`update memory_summary.memory set history = '' where id = any($1)`, [whole])
    await db.query(
      `update memory_summary.progress p set recent_from = m.began from memory_summary.memory m
       where m.id = p.memory and m.id = any($1)`,
      [whole],
    )
    await db.query('delete from memory_summary.speaker where memory = any($1)', [whole])
    await forgetRecent(db, all)
    return all.length
  })
}
