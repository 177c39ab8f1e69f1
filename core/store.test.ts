import { afterAll, beforeAll } from 'vitest'
import { systemClock } from './clock.ts'
import { createLogger } from './log.ts'
import { migrate } from './migrate.ts'
import { createMemoryStore } from './store/memory.ts'
import { createSqlStore } from './store/sql.ts'
import { storeContract } from './testing/store-contract.ts'
import { openTestDatabase } from './testing/test-database.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

beforeAll(async () => {
  db = await openTestDatabase()
  await migrate(db, 'kikimimi', new URL('./migrations/', import.meta.url), systemClock)
})
afterAll(() => db.close())

storeContract('memory', async () => createMemoryStore())

storeContract('a database', async () => {
  await db.script('truncate kikimimi.message, kikimimi.conversation, kikimimi.delivery, kikimimi.trace')
  return createSqlStore(db, log)
})
