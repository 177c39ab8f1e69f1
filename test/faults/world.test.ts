// postgres: faults of a server
import { tests } from './table.ts'
import { world } from './world.ts'

tests(world, 120_000)
