/** The database does not answer, or answers and takes nothing, while people talk on Discord and Slack. */
import { openTestDatabase } from 'kikimimi/testing'
import { expect } from 'vitest'
import { type Scene, startScene, type Told } from '../liveness/scene.ts'

type Break = (scene: Scene, database: string) => { begin(): unknown; end(): unknown }

/** Longer than any time limit of the bot for a statement. */
const FREEZE_MS = 15_000
const SHORT_MS = 8_000
const NOTICED_MS = 5_000

/** @param endsConnections the fault ends them itself: the bot can have a new one, and log that, before anything is refused */
async function play(ms: number, fault: Break, endsConnections = false): Promise<Told> {
  const db = await openTestDatabase()
  if (db.kind !== 'postgres') throw new Error('not a server')
  await using _dropped = { [Symbol.asyncDispose]: () => db.close() }
  await using scene = await startScene(db.url, { rate: 10 })
  const told = await scene.play({ ms, ...fault(scene, new URL(db.url).pathname.slice(1)) })
  expect(told).toMatchObject({ lost: 0, answeredOnce: told.calls, answeredTwice: 0, untruthful: 0 })
  expect(told.unreadyAfter).toBeLessThan(NOTICED_MS)
  const [first = '', ...rest] = told.log
  const log = endsConnections && first.includes('warn lost connections to the database') ? rest : told.log
  // At the beginning and at the end, and nothing between.
  expect(log).toEqual([
    expect.stringContaining('the database is unavailable: '),
    expect.stringContaining('the database is available again after '),
  ])
  return { ...told, log }
}

/** Each statement commits before the next. */
const inside =
  (on: (database: string) => readonly string[], off: (database: string) => readonly string[]): Break =>
  ({ direct }, database) => {
    const run = async (statements: readonly string[]) => {
      for (const sql of statements) await direct.query(sql)
    }
    return { begin: () => run(on(database)), end: () => run(off(database)) }
  }

/** New sessions have another setting than open ones. */
const reconnect = (database: string) =>
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`

export async function fallsSilent(): Promise<void> {
  await play(FREEZE_MS, ({ link }) => ({ begin: () => link.break('freeze'), end: () => link.heal() }))
}

export async function isReadOnly(): Promise<void> {
  const setting = 'default_transaction_read_only'
  const told = await play(
    SHORT_MS,
    inside(
      name => [`alter database ${name} set ${setting} = on`, reconnect(name)],
      name => [`set ${setting} = off`, `alter database ${name} reset ${setting}`, reconnect(name)],
    ),
    true,
  )
  expect(told.whys.join()).toContain('it is read-only')
  expect(told.log[0]).toContain('error')
}

export async function isLocked(): Promise<void> {
  const told = await play(
    SHORT_MS,
    inside(
      () => ['begin; lock table kikimimi.message in access exclusive mode'],
      () => ['commit'],
    ),
  )
  expect(told.whys.join()).toContain('another session locks its tables')
}

/** As Postgres reports it. A message needs new space, and the row of the check for readiness does not. */
export async function hasNoSpace(): Promise<void> {
  const told = await play(
    SHORT_MS,
    inside(
      () => [
        `create function no_space() returns trigger language plpgsql as
           $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
         create trigger no_space before insert on kikimimi.message execute function no_space()`,
      ],
      () => ['drop function no_space() cascade'],
    ),
  )
  expect(told.whys.join()).toContain('its disk is full')
  expect(told.log[0]).toContain('error')
}
