import { stages } from './stages.ts'
import { tests } from './table.ts'

tests(stages)
