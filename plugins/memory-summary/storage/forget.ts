/** Forgetting a person. */
import { type Database, type ForgottenPerson, nameMatcher, type PersonKey } from 'kikimimi'
import { forgetRecent } from './memories.ts'

/** Clears what may hold their words. Returns how many memories: they are made again when they are next looked at. */
export function forgetWords(db: Database, { platform, id }: PersonKey): Promise<number> {
  return db.transaction(async () => {
    // The log still has what they said.
    await db.query(
      `insert into memory_summary.forgotten (platform, person, upto)
       select $1, $2, coalesce(max(seq), 0) from kikimimi_v1.message
       on conflict (platform, person) do update set upto = excluded.upto`,
      [encodeURIComponent(platform), id],
    )
    await throwAwayWhatIsWritten(db, platform)
    const spokenIn = await memoriesOf(db, { platform, id })
    await clear(db, spokenIn)
    return spokenIn.length
  })
}

/** Clears what may hold their words, and what names them, when the log is about to forget them too. */
export function forgetPerson(db: Database, { platform, id, names }: ForgottenPerson): Promise<void> {
  const encoded = encodeURIComponent(platform)
  return db.transaction(async () => {
    await db.query('delete from memory_summary.forgotten where platform = $1 and person = $2', [encoded, id])
    await throwAwayWhatIsWritten(db, platform)
    await clear(db, [...(await memoriesOf(db, { platform, id })), ...(await memoriesThatName(db, platform, names))])
    // A direct conversation is called like them, and begins anew when they speak again.
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
  /** It is in the history too, not in recent events alone. */
  readonly history: boolean
}

/** What is being written this very moment was read before: it is thrown away. */
async function throwAwayWhatIsWritten(db: Database, platform: string): Promise<void> {
  await db.query(`update memory_summary.memory set version = version + 1 where starts_with(id, $1 || '/')`, [
    encodeURIComponent(platform),
  ])
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

/** All of it is read again from the log, from where the cleared part began. */
async function clear(db: Database, parts: readonly Part[]): Promise<void> {
  const whole = parts.filter(({ history }) => history).map(({ memory }) => memory)
  await db.query(`update memory_summary.memory set history = '' where id = any($1)`, [whole])
  await db.query(
    `update memory_summary.progress p set recent_from = m.began from memory_summary.memory m
     where m.id = p.memory and m.id = any($1)`,
    [whole],
  )
  await db.query('delete from memory_summary.speaker where memory = any($1)', [whole])
  await forgetRecent(
    db,
    parts.map(({ memory }) => memory),
  )
}
