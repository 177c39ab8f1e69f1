import { models } from './models.ts'
import { tests } from './table.ts'

tests(models)
