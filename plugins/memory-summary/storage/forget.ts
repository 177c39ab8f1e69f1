/** Erases the data of a person. */
import { type Database, type ForgottenPerson, nameMatcher, type PersonKey } from 'kikimimi'
import type { LogDeps } from './memories.ts'

/** Clears memories that may contain their words. Returns how many; they are made again at the next update. */
export function forgetWords({ db, messages }: LogDeps, { platform, id }: PersonKey): Promise<number> {
  return db.transaction(async () => {
    // The log still has their messages.
    const [last] = await messages.read({ readers: 'operator', limit: 1 })
    await db.query(
      `insert into memory_summary.forgotten (platform, person, upto) values ($1, $2, $3)
       on conflict (platform, person) do update set upto = excluded.upto`,
      [encodeURIComponent(platform), id, last?.seq ?? 0],
    )
    const spokenIn = await memoriesOf(db, { platform, id })
    await clear(db, spokenIn)
    return spokenIn.length
  })
}

/** Clears memories that may contain their words or their name. Called before the log forgets them. */
export function forgetPerson(db: Database, { platform, id, names }: ForgottenPerson): Promise<void> {
  const encoded = encodeURIComponent(platform)
  return db.transaction(async () => {
    await db.query('delete from memory_summary.forgotten where platform = $1 and person = $2', [encoded, id])
    await clear(db, [...(await memoriesOf(db, { platform, id })), ...(await memoriesThatName(db, platform, names))])
    // A direct conversation has the name of the person. It begins again with their next message.
    const matcher = nameMatcher(names)
    const { rows } = await db.query<{ id: string; name: string }>(
      `select id, name from memory_summary.memory where starts_with(id, $1 || '/') and visibility = 'direct'`,
      [encoded],
    )
    await db.query('delete from memory_summary.memory where id = any($1)', [
      rows.filter(({ name }) => matcher.test(name)).map(one => one.id),
    ])
  })
}

interface Part {
  readonly memory: string
  /** Whether the words are in the history too, not only in recent events. */
  readonly history: boolean
}

async function memoriesOf(db: Database, { platform, id }: PersonKey): Promise<Part[]> {
  const { rows } = await db.query<Part>(
    `select memory, history from memory_summary.speaker where person = $2 and starts_with(memory, $1 || '/')`,
    [encodeURIComponent(platform), id],
  )
  return rows
}

async function memoriesThatName(db: Database, platform: string, names: readonly string[]): Promise<Part[]> {
  const matcher = nameMatcher(names)
  const { rows } = await db.query<{ id: string; recent: string; history: string }>(
    `select id, concat_ws(E'\\n', recent, mood, topics::text, active_users::text) as recent, history
     from memory_summary.memory where starts_with(id, $1 || '/')`,
    [encodeURIComponent(platform)],
  )
  return rows
    .filter(({ recent, history }) => matcher.test(recent) || matcher.test(history))
    .map(({ id, history }) => ({ memory: id, history: matcher.test(history) }))
}

/** Clears parts of memories. They are read again from the log. */
async function clear(db: Database, parts: readonly Part[]): Promise<void> {
  await db.query('select memory_summary.clear(memory, history) from unnest($1::text[], $2::boolean[]) as n(memory, history)', [
    parts.map(({ memory }) => memory),
    parts.map(({ history }) => history),
  ])
}
