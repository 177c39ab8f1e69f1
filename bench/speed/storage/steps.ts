/** The steps of an upgrade: when each has ended, and starts that are killed in each of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '../../../core/storage/database/migrate.ts'
import { KERNEL_MIGRATIONS } from '../../../core/storage/kernel-migrations.ts'
import { on } from '../../base/databases.ts'
import { progress, round } from '../../base/measure.ts'

const LOOK_MS = 100
const MIGRATING = fileURLToPath(new URL('../../../test/upgrade/migrating.ts', import.meta.url))
/** A kill comes within this time after the begin of a step. */
const LONGEST_STEP_MS = 200

/** Notes how many seconds each migration of the kernel takes, and each step of an online one, by what has ended. */
export function watchSteps(database: string) {
  const ended: Record<string, number> = {}
  let over = false
  const watching = on(database, async db => {
    let last = performance.now()
    let known = ''
    while (!over) {
      const { rows } = await db
        .query<{ step: string }>(
          `select coalesce(
             (select name || ' ' || max(step) from kikimimi.migration_step where owner = 'kikimimi' group by name),
             (select max(name) from kikimimi.migration where owner = 'kikimimi')
           ) as step`,
        )
        .catch(() => ({ rows: [] }))
      const step = rows[0]?.step ?? known
      if (known !== '' && step !== known) ended[step] = round((performance.now() - last) / 1_000)
      if (step !== known) {
        last = performance.now()
        progress(step)
      }
      known = step
      await pause(LOOK_MS)
    }
    return ended
  })
  return {
    stop(): Promise<Record<string, number>> {
      over = true
      return watching
    },
  }
}

/** Kills one start after the other in a statement of a migration in which none was killed. Returns the number of kills. */
export async function killInEachStep(database: string): Promise<number> {
  const all = (await readMigrations('kikimimi', KERNEL_MIGRATIONS)).map(({ sql }) => sql).join('')
  const met = new Set<string>()
  for (let kills = 0; ; kills = met.size) {
    const child = spawn(process.execPath, [MIGRATING, database, fileURLToPath(KERNEL_MIGRATIONS), 'kikimimi'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    for await (const printed of child.stdout) {
      const sql = String(printed)
        .split('\0')
        .find(one => one.length > 'select 1'.length && all.includes(one) && !met.has(one))
      if (sql === undefined || met.size > kills) continue
      met.add(sql)
      await pause(Math.random() * LONGEST_STEP_MS)
      child.kill('SIGKILL')
    }
    const [code] = await exited
    if (code === 0) return met.size
    if (met.size === kills) throw new Error(`a start ended with code ${code}`)
    progress(`${met.size} kills`)
  }
}
