// postgres: processes are killed
import { tests } from './table.ts'
import { isKill, world } from './world.ts'

// Beside the other faults, because each waits a minute.
tests({ ...world, rows: world.rows.filter(isKill) }, 120_000)
