import { callers } from './callers.ts'
import { parts } from './parts.ts'
import { stages } from './stages.ts'
import { tests } from './table.ts'

tests(stages)
tests(callers)
tests(parts)
