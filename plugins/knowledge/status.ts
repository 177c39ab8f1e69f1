/** The state of the sources, for people. */
import type { Database, Finding } from 'kikimimi'

export interface SourceState {
  readonly name: string
  readonly documents: number
  readonly passages: number
  readonly unreadable: number
  readonly checkedAt: Date | null
  /** Why it could not be read the last time. */
  readonly problem: string | null
}

export async function statesOf(db: Database): Promise<readonly SourceState[]> {
  const { rows } = await db.query<SourceState>(
    `select s.name, s.passages::int as passages, s.checked_at as "checkedAt", s.problem,
       count(d.id) filter (where d.hash is not null)::int as documents,
       count(d.id) filter (where d.problem is not null)::int as unreadable
     from knowledge.source s left join knowledge.document d on d.source = s.id group by s.id order by s.name`,
  )
  return rows
}

export interface Failure {
  readonly source: string
  readonly path: string
  readonly problem: string
}

export async function failuresOf(db: Database, limit: number): Promise<readonly Failure[]> {
  const { rows } = await db.query<Failure>(
    `select s.name as source, d.path, d.problem from knowledge.document d join knowledge.source s on s.id = d.source
     where d.problem is not null order by s.name, d.path limit $1`,
    [limit],
  )
  return rows
}

/** For `kikimimi doctor`. */
export async function examine(db: Database): Promise<readonly Finding[]> {
  return (await statesOf(db)).map(({ name, documents, unreadable, problem }) => {
    const what = `documents of ${name}: ${documents}`
    if (problem !== null) return { what, problem: `It could not be read: ${problem}` }
    if (unreadable === 0) return { what }
    return { what: `${what}; ${unreadable} cannot be read: see kikimimi knowledge`, warning: true }
  })
}
