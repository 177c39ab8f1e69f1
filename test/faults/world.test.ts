// postgres: faults of a server
import { tests } from './table.ts'
import { isKill, world } from './world.ts'

tests({ ...world, rows: world.rows.filter(row => !isKill(row)) }, 120_000)
